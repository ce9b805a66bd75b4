package eval

import (
	"testing"

	"trefoil/game"
)

// Mates are seen in the position that was evaluated last, and in no other.
func TestMateWithin(t *testing.T) {
	e := New()
	var lists [3]game.List
	for _, c := range []struct {
		sfen, move string
		plies      int
	}{
		{"3g3nl/l1s1kg1s1/p1npp2pp/9/5+R1P1/1PPP4P/P1L1PPP1g/1+b1SKs2r/L2G3+n1 w 4Pbn 76", "B*4i", 1},
		{"s+Rg4n1/3bk3g/l1pp2+P2/pp2pp1pL/2PN1L3/P4R3/1P1PPPNP1/LS1GK1S2/1N3G2P b BS2p 101", "B*3d", 3},
	} {
		p := parse(t, c.sfen)
		if m, _ := e.MateWithin(p, 3, &lists); m != game.None {
			t.Errorf("%s: %s is seen before the position", c.sfen, p.Text(m))
		}
		e.Evaluate(p)
		if m, within := e.MateWithin(p, 3, &lists); m == game.None || within != c.plies || p.Text(m) != c.move {
			t.Errorf("%s: %s within %d, not %s within %d", c.sfen, p.Text(m), within, c.move, c.plies)
		}
		if m, _ := e.MateWithin(p, 1, &lists); (m == game.None) != (c.plies > 1) {
			t.Errorf("%s: %s within 1", c.sfen, p.Text(m))
		}
	}
}
