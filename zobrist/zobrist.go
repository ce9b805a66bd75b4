// Package zobrist makes the random words that position keys are built from
// (Zobrist 1970), for any game.
//
// A game of m kinds of men on n places draws m × n words, and one for whatever
// else tells positions apart: castling rights, an en passant capture that is
// really possible, hands. A key is the XOR of the words of what is true, so a
// move changes it by a few XORs.
//
//	 63                                     1   0
//	┌─────────────────────────────────────────┬────┐
//	│ random: men, places, rights, hands, …   │side│
//	└─────────────────────────────────────────┴────┘
//
// Bit 0 belongs to the side to move and is clear in every word: tables keep
// the positions of both sides apart by it. The words depend on nothing but the
// name of the seed: they are the same in every run and on every machine, so
// keys may be saved in files.
package zobrist

import "math/bits"

// Side is the word of the second side to move; it is the only one with bit 0.
const Side uint64 = 1

// Source draws words, one after the other: xoshiro256** (Blackman, Vigna 2018),
// its state filled by splitmix64 from a hash of the seed's name.
type Source struct{ s [4]uint64 }

// NewSource returns the source that the name of a seed stands for.
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

// Words returns the first n words of a seed.
func Words(seed string, n int) []uint64 {
	words := make([]uint64, n)
	NewSource(seed).Fill(words)
	return words
}

// Mix spreads x over bits 1 to 63 and leaves bit 0 clear. What is XORed into a
// key (an excluded move, a game's tag) must go through it: bits in one place
// would vanish either from a table's index or from its check bits. Mix(0) is 0.
func Mix(x uint64) uint64 { return finalise(x*golden) &^ Side }

const golden = 0x9e3779b97f4a7c15

// finalise is the output function of splitmix64 (Steele, Lea, Flood 2014), a bijection.
func finalise(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
