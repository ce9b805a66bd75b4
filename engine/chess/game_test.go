package chess

import (
	"context"
	"testing"

	"trefoil/options"
	"trefoil/search"
)

func TestPerft(t *testing.T) {
	last := ""
	p, err := Game().Perft("startpos", 5)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(t.Context(), func(s string) { last = s }); err != nil || last != "Nodes searched: 4865609" {
		t.Errorf("%v %q", err, last)
	}
	if n, err := p.Total(t.Context()); err != nil || n != 4865609 {
		t.Errorf("%v %d", err, n)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if p, err = Game().Perft("startpos", 30); err != nil || p.Run(ended, func(string) {}) == nil {
		t.Error("not stopped")
	}
}

// TestUneven: moves of chess take uneven times, at a weaker level too.
func TestUneven(t *testing.T) {
	p := newTestPlayer(t)
	for _, level := range []string{"20", "1"} {
		if err := p.Options.Set.Set(t.Context(), options.UCI, "Skill Level", level); err != nil {
			t.Fatal(err)
		}
		set := p.SettingsOf(t.Context(), p.strength.value(p.pos), &search.Limits{}, func(search.Info) {})
		if !set.Clock.Uneven || !Game().AlphaBeta.Uneven {
			t.Errorf("level %s: even", level)
		}
	}
}
