package eval

import (
	"testing"

	"pgregory.net/rapid"

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
			q, err := ultimate.Parse(swapped(p))
			if err != nil {
				t.Fatal(err)
			}
			if v, w := Evaluate(&p), Evaluate(&q); v != w || v < -8000 || v > 8000 {
				t.Fatalf("%s: %d, with the players exchanged %d", p, v, w)
			}
			p = p.Play(rapid.SampledFrom(moves).Draw(t, "move"))
		}
	})
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
		p, err := ultimate.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if v := Evaluate(&p); v < last {
			t.Errorf("%s: %d, less than the one before, %d", text, v, last)
		} else {
			last = v
		}
	}
}
