package retrograde

// The places of a table are numbered by the squares of the pieces, in their order, and the side to move:
//
//	((lead × 64 + square 1) × 64 + square 2 …) × 2 + side
//
// The first piece is a pawn, or White's king where there are no pawns. The board is reflected until that
// piece is in a small set of squares: 24 for a pawn, on files a to d, or 10 for a king, in the triangle a1,
// d1, d4. lead is the number of its square. Where several reflections or orders of equal pieces lead there,
// the lowest index counts, and the others stay empty.

// symmetries are the reflections of the board: bit 0 exchanges files a and h, bit 1 ranks 1 and 8,
// bit 2 then reflects at the diagonal from a1 to h8.
var symmetries [8][64]Square

// toTriangle is the first symmetry that brings a square into the triangle.
var toTriangle [64]uint8

var (
	triangleSquares, pawnSquares []Square
	leadOfKing, leadOfPawn       [64]int
)

const diagonal = 4 // the symmetry that only reflects at the diagonal

func init() {
	for s := Square(0); s < 64; s++ {
		for n := 7; n >= 0; n-- {
			to := s
			if n&1 != 0 {
				to ^= 7
			}
			if n&2 != 0 {
				to ^= 56
			}
			if n&diagonal != 0 {
				to = to>>3 | to&7<<3
			}
			symmetries[n][s] = to
			if to.file() < 4 && to.rank() <= to.file() {
				toTriangle[s] = uint8(n)
			}
		}
		if toTriangle[s] == 0 && s.file() < 4 && s.rank() <= s.file() {
			leadOfKing[s] = len(triangleSquares)
			triangleSquares = append(triangleSquares, s)
		}
		if s.file() < 4 && s.rank() > 0 && s.rank() < 7 {
			leadOfPawn[s] = len(pawnSquares)
			pawnSquares = append(pawnSquares, s)
		}
	}
}

type squares [MaxPieces]Square

// leads returns the squares of the first piece.
func (m *material) leads() []Square {
	if m.pieces[0].kind() == pawn {
		return pawnSquares
	}
	return triangleSquares
}

// size is the number of indices.
func (m *material) size() int { return 2 * len(m.leads()) << (6 * (m.n - 1)) }

// index returns the index of pieces on squares, with the side to move.
func (m *material) index(s squares, side int) int {
	if m.pieces[0].kind() == pawn {
		i := m.pawnIndex(s, side)
		if m.pieces[1] == m.pieces[0] {
			s[0], s[1] = s[1], s[0]
			i = min(i, m.pawnIndex(s, side))
		}
		return i
	}
	image := &symmetries[toTriangle[s[0]&63]]
	for i := range s {
		s[i] = image[s[i]&63]
	}
	i := m.place(leadOfKing[s[0]&63], s, side)
	if s[0].file() == s[0].rank() {
		for i := range s {
			s[i] = symmetries[diagonal][s[i]&63]
		}
		i = min(i, m.place(leadOfKing[s[0]&63], s, side))
	}
	return i
}

func (m *material) pawnIndex(s squares, side int) int {
	if s[0].file() >= 4 {
		for i := range s {
			s[i] ^= 7
		}
	}
	return m.place(leadOfPawn[s[0]&63], s, side)
}

func (m *material) place(lead int, s squares, side int) int {
	if m.pieces[2] == m.pieces[3] && s[2] > s[3] && m.n == 4 {
		s[2], s[3] = s[3], s[2]
	}
	for _, square := range s[1:m.n] {
		lead = lead<<6 | int(square)
	}
	return lead<<1 | side
}

// decode is the inverse of index.
func (m *material) decode(index int) (s squares, side int) {
	side = index & 1
	index >>= 1
	for i := m.n - 1; i > 0; i-- {
		s[i] = Square(index & 63)
		index >>= 6
	}
	s[0] = m.leads()[index]
	return s, side
}

// position returns the position of an index.
func (m *material) position(index int) Position {
	s, side := m.decode(index)
	return Position{material: *m, square: s, side: side, enPassant: noSquare}
}

// occupied returns the squares of all pieces.
func (m *material) occupied(s squares) (all squareSet) {
	for _, square := range s[:m.n] {
		all |= setOf(square)
	}
	return all
}
