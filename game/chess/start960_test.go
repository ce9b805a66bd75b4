package chess

import (
	"strings"
	"testing"
)

func TestStartFEN960(t *testing.T) {
	if fen, err := StartFEN960(518); err != nil || fen != StartFEN {
		t.Errorf("518: %s, %v", fen, err)
	}
	seen := map[string]bool{}
	for n := range Starts960 {
		fen, err := StartFEN960(n)
		if err != nil {
			t.Fatal(err)
		}
		p, repairs, err := ReadFEN(fen)
		if err != nil || len(repairs) > 0 || p.CastlingRooks(White).Count() != 2 {
			t.Fatalf("%d: %s: %v, %v", n, fen, repairs, err)
		}
		if b := p.Pieces(White, Bishop); b&Dark == 0 || b&^Dark == 0 {
			t.Errorf("%d: %s: bishops on squares of one colour", n, fen)
		}
		seen[fen] = true
	}
	if len(seen) != Starts960 {
		t.Errorf("%d different positions", len(seen))
	}
	for _, n := range []int{-1, Starts960} {
		if fen, err := StartFEN960(n); err == nil || !strings.Contains(err.Error(), "numbered from 0 to 959") {
			t.Errorf("%d: %s, %v", n, fen, err)
		}
	}
}
