package eval

import (
	"testing"

	"trefoil/game"
	"trefoil/game/gametest"
)

// A mate in one is found in the position that was evaluated last, and in no other.
func TestMateInOne(t *testing.T) {
	e := New()
	p := gametest.Shogi(t, "3g3nl/l1s1kg1s1/p1npp2pp/9/5+R1P1/1PPP4P/P1L1PPP1g/1+b1SKs2r/L2G3+n1 w 4Pbn 76")
	if m := e.MateInOne(p); m != game.None {
		t.Errorf("%s before the position is evaluated", p.Text(m))
	}
	e.Evaluate(p)
	if m := e.MateInOne(p); m == game.None || p.Text(m) != "B*4i" {
		t.Errorf("%s, want B*4i", p.Text(m))
	}
	p = gametest.Shogi(t, "s+Rg4n1/3bk3g/l1pp2+P2/pp2pp1pL/2PN1L3/P4R3/1P1PPPNP1/LS1GK1S2/1N3G2P b BS2p 101")
	e.Evaluate(p)
	if m := e.MateInOne(p); m != game.None {
		t.Errorf("%s in a position with a mate in three only", p.Text(m))
	}
}
