package exact

import (
	"trefoil/game/connect4"
	"trefoil/internal/mem"
	"trefoil/remainder"
)

// Table returns the table, nil if it is Tutorial's.
func (s *Solver) Table() *remainder.Table {
	if b, ok := s.prover.(tabled); ok {
		return b.whole()
	}
	return nil
}

// Board returns the board of all positions. A key of Table belongs to a position or to its mirror image.
func (s *Solver) Board() *connect4.Board { return s.prover.(tabled).on() }

// Bounds decodes a value of Table: bounds of the score for the side to move, and the binary logarithm, rounded down, of
// the nodes that were searched below the position.
func (s *Solver) Bounds(value uint64) (lower, upper, work int) {
	return s.prover.(tabled).bounds(value)
}

// Fields returns the fields of an entry of Table, in the order in which entry.go draws them.
func (s *Solver) Fields() []mem.Field {
	k, bound := int(s.Table().Shape().KeyBits), boundBits
	if s.Board().Small == nil {
		k, bound = k-64, boundBits128
	}
	fields := []mem.Field{
		mem.Bits("work", k+2*bound, 63), mem.Bits("upper", k+bound, k+2*bound-1), mem.Bits("lower", k, k+bound-1),
		mem.Bits("key", 0, k-1),
	}
	if k+2*bound > 63 { // there is no room for the work
		fields = fields[1:]
	}
	return fields
}
