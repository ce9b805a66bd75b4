package ultimate

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// game of random moves; visit is called at every position.
func randomGame(t *rapid.T, visit func(plain, Position)) {
	p, q := plainStart(), Start()
	for {
		visit(p, q)
		moves := p.moves()
		if len(moves) == 0 {
			return
		}
		m := rapid.SampledFrom(moves).Draw(t, "move")
		parsed, err := q.ParseMove(m)
		if err != nil {
			t.Fatal(err)
		}
		p, q = p.play(m), q.Play(parsed)
	}
}

func TestRulesAgainstPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		randomGame(t, func(p plain, q Position) {
			if p.text() != q.String() {
				t.Fatalf("%s became %s", p.text(), q)
			}
			again, err := Parse(p.text())
			if err != nil || again != q {
				t.Fatalf("%s read as %s, %v", p.text(), again, err)
			}
			var moves []string
			for _, m := range q.Moves(nil) {
				moves = append(moves, m.String())
			}
			if !slices.Equal(moves, p.moves()) {
				t.Fatalf("%s: moves %v, want %v", q, moves, p.moves())
			}
			if q.Left() != p.left() {
				t.Fatalf("%s: %d cells left, want %d", q, q.Left(), p.left())
			}
			for m := range Move(boards * boards) {
				if legal := q.Check(m) == nil; legal != slices.Contains(moves, m.String()) {
					t.Fatalf("%s: move %s legal %v", q, m, legal)
				}
			}
			winner, won, over := q.Over()
			got := "."
			if won {
				got = winner.String()
			} else if over {
				got = "#"
			}
			if got != string(p.result()) {
				t.Fatalf("%s: result %s, want %c", q, got, p.result())
			}
		})
	})
}
