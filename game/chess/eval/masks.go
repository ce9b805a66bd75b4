package eval

import "trefoil/game/chess"

type (
	bitboard = chess.Bitboard
	colour   = chess.Colour
	square   = chess.Square
)

const (
	fileA  bitboard = 0x0101010101010101
	fileH           = fileA << 7
	rank1  bitboard = 0xff
	dark   bitboard = 0xaa55aa55aa55aa55 // the squares of the colour of a1
	centre bitboard = 0x3c3c3c3c3c3c3c3c // files c to f
	west            = fileA | fileA<<1 | fileA<<2 | fileA<<3
)

// mask holds what depends on a square and a colour only.
type mask struct {
	front   bitboard // the file in front of the square
	passed  bitboard // where enemy pawns stop a pawn from being passed
	span    bitboard // passed without the file itself: squares its attacks may reach
	support bitboard // adjacent files, this rank and all behind it
}

var (
	masks     = newMasks()
	rings     = newRings()
	distances = newDistances()
	flanks    = newFlanks()
	longs     = newLongs()
)

// camps is the half of the board that a king of each colour calls its own,
// with the middle rank of the enemy.
var camps = [2]bitboard{0x000000ffffffffff, 0xffffffffff000000}

func newMasks() (m [2][64]mask) {
	for s := range 64 {
		file := fileA << (s & 7)
		beside := spread(file)
		above := ^bitboard(0) << (s &^ 7) << 8
		below := ^(above | rank1<<(s&^7))
		for c, ahead := range [2]bitboard{above, below} {
			m[c][s] = mask{
				front:   file & ahead,
				passed:  (file | beside) & ahead,
				span:    beside & ahead,
				support: beside &^ ahead,
			}
		}
	}
	return m
}

// newRings gives for each king square the three by three squares around it,
// moved inwards from the edge so that there are always nine.
func newRings() (r [64]bitboard) {
	for s := range 64 {
		f, k := min(max(s&7, 1), 6), min(max(s>>3, 1), 6)
		row := bitboard(7) << (f - 1)
		r[s] = row<<(8*(k-1)) | row<<(8*k) | row<<(8*(k+1))
	}
	return r
}

func newDistances() (d [64][64]uint8) {
	for a := range 64 {
		for b := range 64 {
			d[a][b] = uint8(max(abs(a&7-b&7), abs(a>>3-b>>3)))
		}
	}
	return d
}

// newLongs gives for each square on a long diagonal the centre squares of that
// diagonal other than itself, for all others none.
func newLongs() (l [64]bitboard) {
	for i := range 8 {
		l[9*i] = (1<<27 | 1<<36) &^ (1 << (9 * i))     // d4, e5
		l[7*i+7] = (1<<28 | 1<<35) &^ (1 << (7*i + 7)) // e4, d5
	}
	return l
}

// newFlanks gives for each file of a king the files that are its flank.
func newFlanks() (f [8]bitboard) {
	for i := range 8 {
		lo, hi := max(i-2, 0), min(i+2, 7)
		switch {
		case i <= 2:
			lo, hi = 0, 3
		case i >= 5:
			lo, hi = 4, 7
		}
		for j := lo; j <= hi; j++ {
			f[i] |= fileA << j
		}
	}
	return f
}

// spread is the squares beside the squares of b, on the adjacent files.
func spread(b bitboard) bitboard { return b&^fileH<<1 | b&^fileA>>1 }

// forward is b one rank further, seen by c.
func forward(c colour, b bitboard) bitboard {
	if c == chess.White {
		return b << 8
	}
	return b >> 8
}

// rankOf is the rank of s as c counts it, 0 to 7.
func rankOf(c colour, s square) int { return int(s)>>3 ^ 7*int(c) }

func distance(a, b square) int { return int(distances[a&63][b&63]) }

func abs(n int) int { return max(n, -n) }
