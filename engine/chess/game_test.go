package chess

import (
	"context"
	"testing"
)

func TestPerft(t *testing.T) {
	last := ""
	if err := Game().Perft(context.Background(), "startpos", 5, func(s string) { last = s }); err != nil || last != "Nodes searched: 4865609" {
		t.Errorf("%v %q", err, last)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Game().Perft(ended, "startpos", 30, func(string) {}); err == nil {
		t.Error("not stopped")
	}
}
