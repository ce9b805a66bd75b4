package chess

import (
	"context"
	"testing"
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
