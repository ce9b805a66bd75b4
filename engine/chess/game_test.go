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

// TestPace: searches know the pace of chess, those of a weaker level too.
func TestPace(t *testing.T) {
	p := newTestPlayer(t)
	for _, level := range []string{"20", "1"} {
		if err := p.Options.Set.Set(t.Context(), options.UCI, "Skill Level", level); err != nil {
			t.Fatal(err)
		}
		set := p.SettingsOf(t.Context(), p.strength.value(p.pos), &search.Limits{}, func(search.Info) {})
		if set.Clock.Pace != pace || Game().AlphaBeta.Pace != pace {
			t.Errorf("level %s: %d", level, set.Clock.Pace)
		}
	}
}
