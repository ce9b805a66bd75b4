package chess

import "testing"

// TestSAN: package pgn compares the moves of random games with the moves that notnil/chess writes.
func TestSAN(t *testing.T) {
	for _, c := range []struct{ fen, move, want string }{
		{StartFEN, "e2e4", "e4"},
		{StartFEN, "g1f3", "Nf3"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"},
		{"7k/8/5K2/8/8/8/8/6R1 w - - 0 1", "f6f7", "Kf7"},
		{"7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", "Ra8#"},
		{"1k6/8/8/8/8/8/K7/R6R w - - 0 1", "a1d1", "Rad1"},
		{"7k/R7/8/8/8/8/8/R3K3 w - - 0 1", "a1a4", "R1a4"},
		{"8/6k1/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"},
		{"7k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8q", "e8=Q+"},
		{"3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8n", "exd8=N"},
		{"7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6", "exd6"},
	} {
		p := parse(t, c.fen)
		m, err := p.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.SAN(m); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.fen, c.move, got, c.want)
		}
	}
}
