package shogi

import (
	"testing"

	"trefoil/search"
)

// longMates are positions of games of this engine with a mate by checks.
var longMates = []string{
	"4+R3+P/1sg6/l1n6/ppk3sp1/3pp1p2/P6+rp/LL1P2P2/1G1BS4/1K2P4 b GS3Pbg3nl3p 1",
	"ln4+L2/4G4/p1pk1ppR1/3rp4/6L2/2P1P1P2/P1+p2P2P/4K4/LNS2GS2 w G2S2P2bg2n4p 1",
}

// lastScore searches a position with that many nodes, and returns its last score and the moves of its line.
func lastScore(t *testing.T, p *player, sfen string, nodes uint64) (last search.Info) {
	t.Helper()
	p.NewGame(false)
	if err := p.SetPosition(sfen, nil); err != nil {
		t.Fatal(err)
	}
	p.Search(t.Context(), search.Limits{Nodes: nodes}, func(i search.Info) {
		if len(i.PV) > 0 {
			last = i
		}
	})
	return last
}

// TestLongMates: play finds mates that only proof search sees, and reports them with the whole line.
func TestLongMates(t *testing.T) {
	p := newTestPlayer(t)
	set(t, p, "USI_Hash=16")
	for _, sfen := range longMates {
		last := lastScore(t, p, sfen, 170_000)
		if !last.Score.Mate || last.Score.Plies < 23 || len(last.PV) != last.Score.Plies {
			t.Errorf("%s: %+v", sfen, last)
		}
		if err := p.SetPosition(sfen, last.PV); err != nil {
			t.Error(err)
		} else if !p.pos.Mated() {
			t.Errorf("%s: no mate after %v", sfen, last.PV)
		}
	}
}

// A mate that comes too late for the limit of moves is none, and by the try rule a king in check may win.
func TestNoLongMates(t *testing.T) {
	for _, option := range []string{"MaxMovesToDraw=10", "EnteringKingRule=TryRule", "Skill_Level=5"} {
		p := newTestPlayer(t, option)
		if last := lastScore(t, p, longMates[0], 80_000); last.Score.Mate {
			t.Errorf("%s: %+v", option, last)
		}
	}
}
