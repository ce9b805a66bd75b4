package shogi

import "testing"

func TestWestern(t *testing.T) {
	for _, c := range []struct{ sfen, move, want string }{
		{StartSFEN, "7g7f", "P-7f"},
		{StartSFEN, "6i5h", "G6i-5h"},
		{StartSFEN, "7i7h", "S-7h"},
		{"lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1", "8h2b+", "Bx2b+"},
		{"lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1", "8h2b", "Bx2b="},
		{"4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5e", "P*5e"},
		{"4k4/9/+P8/9/9/9/9/9/4K4 b - 1", "9c9b", "+P-9b"},
		{"4k4/9/p8/9/9/9/9/9/4K4 w - 1", "9c9d", "P-9d"},
	} {
		p := parse(t, c.sfen)
		m, err := p.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Western(m); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.sfen, c.move, got, c.want)
		}
	}
}
