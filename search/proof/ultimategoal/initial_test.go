package ultimategoal

import (
	"strings"
	"testing"

	"trefoil/game/gametest"
	"trefoil/game/ultimate"
)

// TestFeatures: the numbers of a position that initial proof numbers go by, for both roles; a count above 15 is 15.
func TestFeatures(t *testing.T) {
	parse := func(text string) ultimate.Position {
		return gametest.Ultimate(t, text+strings.Repeat("/.........", 6))
	}
	start, won := ultimate.Start(), parse("O;X........;XXX....../........./.........")
	m, err := start.ParseMove("aa")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		position ultimate.Position
		attacker ultimate.Side
		want     [Groups]uint8 // without the expected numbers of lines
	}{
		{"the start", start, ultimate.X, [Groups]uint8{0, 9<<4 | 9, 8<<4 | 8, 15 << 4, 15<<4 | 15}},
		{"a corner, X attacks", start.Play(m), ultimate.X, [Groups]uint8{0, 8<<4 | 9, 8<<4 | 8, 8 << 4, 8<<4 | 15}},
		{"a corner, O attacks", start.Play(m), ultimate.O, [Groups]uint8{0, 9<<4 | 8, 8<<4 | 8, 8 << 4, 8<<4 | 15}},
		{"a corner won, X attacks", won, ultimate.X, [Groups]uint8{0, 6<<4 | 9, 8<<4 | 5, 15 << 4, 15<<4 | 15}},
	} {
		f, ok := New(c.position, c.attacker).Features()
		if lines := f[expectedLines]; !ok || lines>>4 == 0 || lines&15 == 0 {
			t.Errorf("%s: expected lines %#x", c.name, lines)
		}
		if f[expectedLines] = 0; f != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, f, c.want)
		}
	}
	if _, ok := New(parse("O;XXX......;XXX....../XXX....../XXX......"), ultimate.X).Features(); ok {
		t.Error("a game that is over has features")
	}
}
