package exact

import (
	"trefoil/game/connect4"
	"trefoil/internal/mem"
	"trefoil/remainder"
)

// Table returns the table, nil if it is Tutorial's.
func (s *Solver) Table() *remainder.Table {
	if b, ok := s.prover.(*best); ok {
		return b.table
	}
	return nil
}

// Board returns the board of all positions. A key of Table belongs to a position or to its mirror image.
func (s *Solver) Board() *connect4.Board { return &s.prover.(*best).board.Board }

// Bounds decodes a value of Table: bounds of the score for the side to move, and the binary logarithm, rounded down, of
// the nodes that were searched below the position.
func (s *Solver) Bounds(value uint64) (lower, upper, work int) {
	l, u := unpack(value)
	n := value >> workShift << (s.prover.(*best).board.workDrop & 63) >> 6
	return int(l), int(u), max(int(n)-1, 0)
}

// Fields returns the fields of an entry of Table, in the order in which entry.go draws them.
func (s *Solver) Fields() []mem.Field {
	k := int(s.Table().Shape().KeyBits)
	return []mem.Field{
		mem.Bits("work", k+workShift, 63), mem.Bits("upper", k+6, k+workShift-1), mem.Bits("lower", k, k+5),
		mem.Bits("key", 0, k-1),
	}
}
