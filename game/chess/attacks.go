package chess

import "math/bits"

var (
	knightAttacks [64]Bitboard
	kingAttacks   [64]Bitboard
	pawnAttacks   [2][64]Bitboard
	between       [64][64]Bitboard
	lines         [64][64]Bitboard
	rays          [64]ray
	rankAttacks   [64][8]uint8
)

// ray holds the lines through a square, without the square itself.
type ray struct{ file, diagonal, anti, bishop, rook Bitboard }

func init() {
	for s := Square(0); s < 64; s++ {
		for _, d := range [][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}} {
			knightAttacks[s] |= step(s, d[0], d[1]) | step(s, -d[0], -d[1])
		}
		for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			kingAttacks[s] |= step(s, d[0], d[1]) | step(s, -d[0], -d[1])
		}
		pawnAttacks[White][s] = step(s, 1, 1) | step(s, -1, 1)
		pawnAttacks[Black][s] = step(s, 1, -1) | step(s, -1, -1)
		r := &rays[s]
		r.file = slide(s, 0, 1, 0)
		r.diagonal = slide(s, 1, 1, 0)
		r.anti = slide(s, 1, -1, 0)
		r.bishop = r.diagonal | r.anti
		r.rook = r.file | slide(s, 1, 0, 0)
	}
	for occ := range rankAttacks {
		for file := range rankAttacks[occ] {
			rankAttacks[occ][file] = uint8(slide(Square(file), 1, 0, Bitboard(occ)<<1))
		}
	}
	for a := Square(0); a < 64; a++ {
		for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			line := slide(a, d[0], d[1], 0)
			for rest := line; rest != 0; {
				b := rest.Pop()
				lines[a][b] = line | a.Bit()
				between[a][b] = slide(a, d[0], d[1], b.Bit()) & slide(b, d[0], d[1], a.Bit())
			}
		}
	}
}

// step returns the square dx files and dy ranks away from s, or none.
func step(s Square, dx, dy int) Bitboard {
	x, y := s.File()+dx, s.Rank()+dy
	if x < 0 || x > 7 || y < 0 || y > 7 {
		return 0
	}
	return SquareAt(x, y).Bit()
}

// slide walks in both directions from s until it has met a square of occ.
func slide(s Square, dx, dy int, occ Bitboard) (reached Bitboard) {
	for _, way := range []int{1, -1} {
		for n := way; ; n += way {
			b := step(s, n*dx, n*dy)
			reached |= b
			if b == 0 || b&occ != 0 {
				break
			}
		}
	}
	return reached
}

// KnightAttacks returns the squares a knight on s attacks.
func KnightAttacks(s Square) Bitboard { return knightAttacks[s&63] }

// KingAttacks returns the squares a king on s attacks.
func KingAttacks(s Square) Bitboard { return kingAttacks[s&63] }

// PawnAttacks returns the squares a pawn of colour c on s attacks.
func PawnAttacks(c Colour, s Square) Bitboard { return pawnAttacks[c&1][s&63] }

// Between returns the squares strictly between a and b if they share a line.
func Between(a, b Square) Bitboard { return between[a&63][b&63] }

// Line returns the whole line through a and b, both among it, if they share one.
func Line(a, b Square) Bitboard { return lines[a&63][b&63] }

// BishopAttacks returns the squares a bishop on s attacks when occ is occupied:
// the first piece met on each ray is among them.
func BishopAttacks(s Square, occ Bitboard) Bitboard {
	r := &rays[s&63]
	return slideLine(s, occ, r.diagonal) | slideLine(s, occ, r.anti)
}

// RookAttacks returns the squares a rook on s attacks when occ is occupied.
func RookAttacks(s Square, occ Bitboard) Bitboard {
	shift := uint(s) & 56
	rank := rankAttacks[occ>>(shift+1)&63][s&7]
	return slideLine(s, occ, rays[s&63].file) | Bitboard(rank)<<shift
}

// QueenAttacks returns the squares a queen on s attacks when occ is occupied.
func QueenAttacks(s Square, occ Bitboard) Bitboard {
	return BishopAttacks(s, occ) | RookAttacks(s, occ)
}

// slideLine is the hyperbola quintessence (Pham): subtracting the slider from
// the blockers flips all squares up to the first one; the same in the mirrored
// board gives the way down. line has at most one square a rank.
func slideLine(s Square, occ, line Bitboard) Bitboard {
	up := uint64(occ & line)
	down := bits.ReverseBytes64(up)
	up -= uint64(s.Bit())
	down -= uint64((s ^ 56).Bit())
	return Bitboard(up^bits.ReverseBytes64(down)) & line
}
