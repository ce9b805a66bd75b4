// Package zobrist makes the random words that position keys are built from, and estimates how
// often keys of a given length take one position for another. Both are from Zobrist's report
// of 1970, A New Hashing Method with Application for Game Playing.
//
// A game of m kinds of pieces on n squares draws m × n words, and one for everything else
// that distinguishes positions: castling rights, an en passant capture, pieces in hand. A key
// is the XOR of the words of all that is true of a position, so a move updates it by a few XORs.
//
//	 63                                       1   0
//	┌─────────────────────────────────────────┬────┐
//	│ random: pieces, squares, rights, hands  │side│
//	└─────────────────────────────────────────┴────┘
//
// Bit 0 is the side to move and is 0 in every word, so that tables can keep the positions of
// both sides apart. The words depend only on the name of the seed: they are equal in every run
// and on every machine, and keys may be saved in files.
//
// Words of another seed make a second key, independent of the first. Two positions with equal
// keys almost never have equal second keys, so comparing second keys counts the errors of a
// table; this is Zobrist's auxiliary method. Check estimates the same number without a search.
package zobrist

import "math/bits"

// Side is the word of the second side to move, the only one with bit 0 set.
const Side uint64 = 1

// A Source generates words by xoshiro256** (Blackman, Vigna 2018), whose state splitmix64 fills
// from the FNV-1a hash of the seed's name.
type Source struct{ s [4]uint64 }

// NewSource returns the source of the seed of that name.
func NewSource(seed string) *Source {
	h := uint64(0xcbf29ce484222325) // FNV-1a
	for i := 0; i < len(seed); i++ {
		h = (h ^ uint64(seed[i])) * 0x100000001b3
	}
	src := new(Source)
	for i := range src.s {
		h += golden
		src.s[i] = finalise(h)
	}
	return src
}

// Word returns the next word; its bit 0 is clear.
func (src *Source) Word() uint64 {
	s := &src.s
	word := bits.RotateLeft64(s[1]*5, 7) * 9
	t := s[1] << 17
	s[2] ^= s[0]
	s[3] ^= s[1]
	s[1] ^= s[2]
	s[0] ^= s[3]
	s[2] ^= t
	s[3] = bits.RotateLeft64(s[3], 45)
	return word &^ Side
}

// Fill overwrites words with the next len(words) words.
func (src *Source) Fill(words []uint64) {
	for i := range words {
		words[i] = src.Word()
	}
}

// Mix spreads x over bits 1 to 63 and leaves bit 0 clear; Mix(0) is 0. Whatever is XORed into
// a key besides words, such as an excluded move or the tag of a game, must go through Mix:
// if it changed one part of the key alone, it would change only the index of a table, or only
// the check bits.
func Mix(x uint64) uint64 { return finalise(x*golden) &^ Side }

const golden = 0x9e3779b97f4a7c15

// finalise is the output function of splitmix64 (Steele, Lea, Flood 2014), a bijection.
func finalise(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
