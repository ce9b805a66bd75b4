package mate

import (
	"context"
	"testing"
)

// longest are problems of several hundred moves, with the plies of their published solutions.
var longest = []struct {
	name, sfen string
	plies      int
	nodes      uint64 // more than it takes
}{
	{"Kotobuki (Zuko 100)", "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1", 611, 1_000_000},
	{"Astral Traveler", "lp2p3g/+R4p1Sn/1P1kgsp1p/3+p+p1s2/B1p+r1P3/L8/+n3NgB+pP/+p4G1+p1/P+pPsP4 b Lnl 1", 579, 4_000_000},
	{"Microcosmos", "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1", 1525, 16_000_000},
}

// TestLongest: mates of 579 to 1,525 plies are found, and their lines replayed.
func TestLongest(t *testing.T) {
	if !*long {
		t.Skip("takes half a minute: -long")
	}
	f := finder(t, 1024, 1)
	for _, c := range longest {
		prob, p := tsume(t, c.sfen, Endless)
		a, err := f.Find(context.Background(), prob, Limits{Nodes: c.nodes, First: true}, nil)
		if err != nil || a.Moves == 0 {
			t.Fatalf("%s: no mate with %d nodes: %v", c.name, a.Nodes, err)
		}
		checkTsume(t, p, &a)
		t.Logf("%s: %d plies (published %d), %d nodes, %v", c.name, len(a.Line), c.plies, a.Nodes, a.Time)
	}
}
