package game

import (
	"math/rand/v2"
	"testing"
)

// TestMove: a move has the parts that it is made of.
func TestMove(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		from, to, own := r.IntN(128), r.IntN(128), r.IntN(4)
		piece, victim, promotes := 1+r.IntN(31), r.IntN(32)*r.IntN(2), r.IntN(2) == 0
		move16 := uint16(to | from<<7 | own<<14)
		m := NewMove(move16, piece, victim, promotes)
		if m.Move16() != move16 || m.To() != to || m.FromTo() != to|from<<7 || m.Piece() != piece || m.Victim() != victim ||
			m.Promotes() != promotes || m.Quiet() != (victim == 0 && !promotes) {
			t.Errorf("%#x of %d, %d, %d, piece %d, victim %d, promotes %v", m, from, to, own, piece, victim, promotes)
		}
	}
}

// TestTreeAdd: a move that a node has already does not begin a variation.
func TestTreeAdd(t *testing.T) {
	tree := NewTree()
	a, b := tree.Add(0, "a"), tree.Add(0, "b")
	if tree.Add(0, "a") != a || tree.Add(0, "b") != b || tree.Add(a, "b") == b || len(tree.Nodes) != 4 {
		t.Errorf("%+v", tree.Nodes)
	}
}
