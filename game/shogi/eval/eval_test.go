package eval

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
)

// walk calls visit with random positions in which no side is in check.
func walk(t testing.TB, games int, visit func(*shogi.Position)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var l game.List
	for range games {
		p := gametest.Shogi(t, shogi.StartSFEN)
		for range 200 {
			if !p.InCheck() {
				visit(p)
			}
			l.Reset()
			p.Moves(game.All, &l)
			if l.Len() == 0 {
				break
			}
			p.Make(l.At(rng.IntN(l.Len())))
		}
	}
}

// swap exchanges capital and small letters.
func swap(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, s)
}

// turned is the board text with the files exchanged: every piece keeps its mark.
func turned(ranks string) string {
	rows := strings.Split(ranks, "/")
	for i, row := range rows {
		var pieces []string
		for j := 0; j < len(row); j++ {
			if row[j] == '+' {
				pieces = append(pieces, row[j:j+2])
				j++
			} else {
				pieces = append(pieces, row[j:j+1])
			}
		}
		slices.Reverse(pieces)
		rows[i] = strings.Join(pieces, "")
	}
	return strings.Join(rows, "/")
}

// flipped is p with the colours exchanged and the board turned around.
func flipped(t testing.TB, p *shogi.Position) *shogi.Position {
	f := strings.Fields(p.SFEN())
	rows := strings.Split(turned(f[0]), "/")
	slices.Reverse(rows)
	side := map[string]string{"b": "w", "w": "b"}[f[1]]
	return gametest.Shogi(t, swap(strings.Join(rows, "/"))+" "+side+" "+swap(f[2])+" "+f[3])
}

// mirrored is p with left and right exchanged.
func mirrored(t testing.TB, p *shogi.Position) *shogi.Position {
	f := strings.Fields(p.SFEN())
	return gametest.Shogi(t, turned(f[0])+" "+strings.Join(f[1:], " "))
}

// TestSymmetry: a position has the same value for the side to move when the colours
// are exchanged, and when left and right are.
func TestSymmetry(t *testing.T) {
	e, other := New(), New()
	n := 0
	walk(t, 25, func(p *shogi.Position) {
		v := e.Evaluate(p)
		if got := other.Evaluate(flipped(t, p)); got != v {
			t.Fatalf("%s: %d, with colours exchanged %d", p.SFEN(), v, got)
		}
		if got := other.Evaluate(mirrored(t, p)); got != v {
			t.Fatalf("%s: %d, mirrored %d", p.SFEN(), v, got)
		}
		n++
	})
	if n < 1000 {
		t.Errorf("only %d positions", n)
	}
}

// TestBalance: the value of the start position is the tempo, and plainly better
// positions have a higher value.
func TestBalance(t *testing.T) {
	e := New()
	if v := e.Evaluate(gametest.Shogi(t, shogi.StartSFEN)); v <= 0 || v > 100 {
		t.Errorf("the value of the start position is %d", v)
	}
	for _, c := range []struct{ what, pair string }{
		{"a rook in hand", "4k4/9/9/9/9/9/9/9/4K4 b R 1|4k4/9/9/9/9/9/9/9/4K4 b B 1"},
		{"a defender", "4k4/9/4p4/9/9/9/9/4G4/4K4 b r 1|4k4/9/4p4/9/9/9/9/G8/4K4 b r 1"},
		{"an attack", "4k4/9/3+R1+R3/9/9/9/9/9/4K4 b - 1|4k4/9/9/9/9/9/9/+R1+R6/4K4 b - 1"},
	} {
		better, worse, _ := strings.Cut(c.pair, "|")
		if a, b := e.Evaluate(gametest.Shogi(t, better)), e.Evaluate(gametest.Shogi(t, worse)); a <= b {
			t.Errorf("%s: %d is not more than %d", c.what, a, b)
		}
	}
}

// TestMissingKing: problems lack the attacker's king.
func TestMissingKing(t *testing.T) {
	e := New()
	if v := e.Evaluate(gametest.Shogi(t, "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")); v <= -Limit || v >= Limit {
		t.Errorf("value %d", v)
	}
}

func TestScore(t *testing.T) {
	for _, calm := range []int{-30000, -1, 0, 1, 30000} {
		for _, hot := range []int{-30000, -1, 0, 1, 30000} {
			if s := S(calm, hot); s.Calm() != calm || s.Hot() != hot {
				t.Errorf("S(%d, %d) is %d, %d", calm, hot, s.Calm(), s.Hot())
			}
		}
	}
}

// TestExplain: the table ends with the value that Evaluate returns.
func TestExplain(t *testing.T) {
	e, p := New(), gametest.Shogi(t, shogi.StartSFEN)
	want := fmt.Sprintf("value %+.2f for Black\n", float64(e.Evaluate(p))/100)
	if text := e.Explain(p); !strings.HasSuffix(text, want) {
		t.Errorf("%s is not the end of\n%s", want, text)
	}
}

func TestNoAllocation(t *testing.T) {
	e, p := New(), gametest.Shogi(t, shogi.StartSFEN)
	if n := testing.AllocsPerRun(100, func() { e.Evaluate(p) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkEvaluate(b *testing.B) {
	e := New()
	p := gametest.Shogi(b, "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1")
	for b.Loop() {
		e.Evaluate(p)
	}
}
