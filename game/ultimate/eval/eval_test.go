package eval

import (
	"testing"

	"pgregory.net/rapid"

	"trefoil/game/gametest"
	"trefoil/game/ultimate"
)

// swapped is a position with the players exchanged.
func swapped(p ultimate.Position) string {
	text := []byte(p.String())
	for i, c := range text {
		switch c {
		case 'X':
			text[i] = 'O'
		case 'O':
			text[i] = 'X'
		}
	}
	return string(text)
}

// With the players exchanged a position has the same value, and the value is far below the value of a win.
func TestPlayersExchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := ultimate.Start()
		for {
			moves := p.Moves(nil)
			if len(moves) == 0 {
				return
			}
			q := gametest.Ultimate(t, swapped(p))
			if v, w := Evaluate(&p), Evaluate(&q); v != w || v < -8000 || v > 8000 {
				t.Fatalf("%s: %d, with the players exchanged %d", p, v, w)
			}
			p = p.Play(rapid.SampledFrom(moves).Draw(t, "move"))
		}
	})
}

// The values of positions in which all boards but a few are decided, from the chances of random play.
func TestValues(t *testing.T) {
	const (
		chance128 = "XXOO.XXOX" // X wins with the last stone, O cannot win: 128 of 255, 0
		chance147 = "O.XOX...." // either side wins with a stone on g: 147 of 255, 108
	)
	for _, test := range []struct {
		what, side, big, open string
		want                  int
	}{
		{"no line is left", "X", "@########", ".........", 15},
		{"free to choose", "X", ".########", ".........", 60},
		{"X completes a line", "X", "XX@######", chance128, 15 + 900*200/255},
		{"O cannot prevent it at once", "O", "XX@######", chance128, 15 - 900*128/255},
		{"a line for each side", "X", "XX@##O##O", chance147, 15 + 900*(200-108*55/108)/255},
		{"to play elsewhere", "X", "XX.@#####", chance128, 15 + 900*128/255},
		{"two lines, one stone", "X", "XX.XX.###", chance128, 60 + 900*(200+128)/255},
		{"O wins the board in two of three games", "X", "XX@######", ".OOX.....", 15 + 900*85/255},
		{"O holds the cell", "X", "XX@######", "XXO......" /* 130 of 255 */, 15 + 900*130/255},
	} {
		boards := map[byte]string{'X': "XXX......", 'O': "OOO......", '#': "XOXXOOOXX", '@': test.open, '.': test.open}
		text := test.side + ";" + test.big
		for i, mark := range []byte(test.big) {
			text += ";/"[min(i, 1):][:1] + boards[mark]
		}
		p := gametest.Ultimate(t, text)
		if got := Evaluate(&p); got != test.want {
			t.Errorf("%s, %s: %d, want %d", test.what, p, got, test.want)
		}
	}
}

// What is better for the side to move has a higher value.
func TestTerms(t *testing.T) {
	positions := []string{
		// X on board a, which O threatens; on an empty one; on one where a stone wins; free to choose.
		"X;@........;OO......./........./........./........./XX......./........./........./........./.........",
		"X;.@.......;OO......./........./........./........./XX......./........./........./........./.........",
		"X;....@....;OO......./........./........./........./XX......./........./........./........./.........",
		"X;.........;OO......./........./........./........./XX......./........./........./........./.........",
	}
	last := -10000
	for _, text := range positions {
		p := gametest.Ultimate(t, text)
		if v := Evaluate(&p); v < last {
			t.Errorf("%s: %d, less than the one before, %d", text, v, last)
		} else {
			last = v
		}
	}
}
