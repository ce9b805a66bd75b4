package syzygy

import "math/bits"

// Kind is a kind of piece.
type Kind uint8

// The kinds of pieces.
const (
	NoKind Kind = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

// Position is a position of chess. Bit 0 of a bitboard is a1, bit 1 is b1, bit 63 is h8. Every piece is in
// the bitboard of its colour and in the bitboard of its kind.
type Position struct {
	White, Black                                  uint64
	Pawns, Knights, Bishops, Rooks, Queens, Kings uint64

	BlackToMove bool
	// EnPassant is the square behind a pawn that has just made a double step, 0 if there is none. It
	// may be set whether or not the pawn can be captured.
	EnPassant uint8
	// Castling reports whether a side may still castle: no table has such positions.
	Castling bool
}

// Move is a move of a Position. Castling is not among them.
type Move struct {
	From, To  uint8
	Promotion Kind // NoKind if it does not promote
}

// occupied returns where pieces stand.
func (p *Position) occupied() uint64 { return p.White | p.Black }

// sides returns the pieces of the side to move and the pieces of its opponent.
func (p *Position) sides() (us, them uint64) {
	if p.BlackToMove {
		return p.Black, p.White
	}
	return p.White, p.Black
}

// of returns the bitboard of a kind.
func (p *Position) of(k Kind) *uint64 {
	switch k {
	case Pawn:
		return &p.Pawns
	case Knight:
		return &p.Knights
	case Bishop:
		return &p.Bishops
	case Rook:
		return &p.Rooks
	case Queen:
		return &p.Queens
	}
	return &p.Kings
}

// kindOn returns the kind of the piece on a square.
func (p *Position) kindOn(square uint8) Kind {
	b := uint64(1) << square
	for k := Pawn; k <= King; k++ {
		if *p.of(k)&b != 0 {
			return k
		}
	}
	return NoKind
}

// valid reports whether p is a position that a table could have: every piece is of one colour and one
// kind, each side has one king, no pawn stands on the first or last rank, EnPassant fits the pawns, and the
// side to move cannot capture the king.
func (p *Position) valid() bool {
	all := p.occupied()
	kinds, count := uint64(0), 0
	for k := Pawn; k <= King; k++ {
		kinds |= *p.of(k)
		count += bits.OnesCount64(*p.of(k))
	}
	us, them := p.sides()
	return p.White&p.Black == 0 && kinds == all && count == bits.OnesCount64(all) &&
		bits.OnesCount64(p.Kings&us) == 1 && bits.OnesCount64(p.Kings&them) == 1 &&
		p.Pawns&(rank1|rank8) == 0 && p.validEnPassant() && !p.attacked(p.Kings&them, us)
}

// validEnPassant reports whether a pawn of the opponent may just have passed the square EnPassant.
func (p *Position) validEnPassant() bool {
	if p.EnPassant == 0 {
		return true
	}
	rank := uint8(5)
	if p.BlackToMove {
		rank = 2
	}
	if p.EnPassant>>3 != rank {
		return false
	}
	_, them := p.sides()
	start := uint64(1) << (p.EnPassant ^ 24) // two ranks behind where the pawn is now
	return p.Pawns&them>>(p.EnPassant^8)&1 != 0 && p.occupied()&(1<<p.EnPassant|start) == 0
}

// isEnPassant reports whether the pseudo-legal move m is an en passant capture.
func (p *Position) isEnPassant(m Move) bool {
	return p.EnPassant != 0 && m.To == p.EnPassant && p.Pawns>>m.From&1 != 0 && (m.From^m.To)&7 != 0
}

// isCapture reports whether the pseudo-legal move m captures.
func (p *Position) isCapture(m Move) bool { return p.occupied()>>m.To&1 != 0 || p.isEnPassant(m) }

// isZeroing reports whether the pseudo-legal move m is a capture or a pawn move.
func (p *Position) isZeroing(m Move) bool { return p.Pawns>>m.From&1 != 0 || p.isCapture(m) }

// after returns the position after the pseudo-legal move m.
func (p *Position) after(m Move) Position {
	n := *p
	n.EnPassant, n.BlackToMove = 0, !p.BlackToMove
	from, to := uint64(1)<<m.From, uint64(1)<<m.To
	victim := to
	if p.isEnPassant(m) {
		victim = 1 << (m.To ^ 8)
	}
	n.remove(victim)
	us := &n.White
	if p.BlackToMove {
		us = &n.Black
	}
	*us ^= from | to
	k := p.kindOn(m.From)
	*n.of(k) ^= from
	if m.Promotion != NoKind {
		k = m.Promotion
	}
	*n.of(k) ^= to
	if k == Pawn && (m.From^m.To) == 16 {
		n.EnPassant = (m.From + m.To) / 2
	}
	return n
}

// remove takes a piece off the board if there is one.
func (p *Position) remove(b uint64) {
	p.White &^= b
	p.Black &^= b
	for k := Pawn; k <= King; k++ {
		*p.of(k) &^= b
	}
}

// inCheck reports whether the side to move is in check.
func (p *Position) inCheck() bool {
	us, them := p.sides()
	return p.attacked(p.Kings&us, them)
}

// legal reports whether the pseudo-legal move m leaves the king safe; next is the position after it.
func (p *Position) legal(m Move) (next Position, ok bool) {
	next = p.after(m)
	us, them := next.sides() // the opponent is to move
	return next, !next.attacked(next.Kings&them, us)
}

// attacked reports whether a piece of by attacks the square of the bit target.
func (p *Position) attacked(target, by uint64) bool {
	s := uint8(bits.TrailingZeros64(target))
	occ := p.occupied()
	pawns := p.Pawns & by
	up, down := pawnAttacks(pawns, false), pawnAttacks(pawns, true)
	if by&p.White != 0 && up&target != 0 || by&p.White == 0 && down&target != 0 {
		return true
	}
	return knightAttacks[s&63]&p.Knights&by != 0 || kingAttacks[s&63]&p.Kings&by != 0 ||
		lineAttacks(s, occ, diagonals)&(p.Bishops|p.Queens)&by != 0 ||
		lineAttacks(s, occ, straights)&(p.Rooks|p.Queens)&by != 0
}

const (
	rank1 uint64 = 0xff
	rank8        = rank1 << 56
	fileA uint64 = 0x0101010101010101
	fileH        = fileA << 7
)

// pawnAttacks returns the squares that pawns of one colour attack.
func pawnAttacks(pawns uint64, black bool) uint64 {
	west, east := pawns&^fileA, pawns&^fileH
	if black {
		return west>>9 | east>>7
	}
	return west<<7 | east<<9
}

// The directions of bishops and rooks, as steps of file and rank.
var (
	diagonals = [4][2]int{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
	straights = [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
)

// knightAttacks and kingAttacks are the targets of a piece by its square.
var (
	knightAttacks = leaps([][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}})
	kingAttacks   = leaps(append(diagonals[:], straights[:]...))
)

func leaps(steps [][2]int) (t [64]uint64) {
	for s := range t {
		for _, d := range steps {
			if f, r := s&7+d[0], s>>3+d[1]; f|r >= 0 && f < 8 && r < 8 {
				t[s] |= 1 << (8*r + f)
			}
		}
	}
	return t
}

// lineAttacks returns the squares that a piece on s reaches in some directions when occ is occupied.
func lineAttacks(s uint8, occ uint64, directions [4][2]int) (reached uint64) {
	for _, d := range directions {
		for f, r := int(s&7)+d[0], int(s>>3)+d[1]; f|r >= 0 && f < 8 && r < 8; f, r = f+d[0], r+d[1] {
			b := uint64(1) << (8*r + f)
			reached |= b
			if occ&b != 0 {
				break
			}
		}
	}
	return reached
}
