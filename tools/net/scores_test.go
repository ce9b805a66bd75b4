package main

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/game/chess/eval"
	"trefoil/game/chess/nnue"
	"trefoil/tools/net/internal/record"
)

// TestFitK: K is that by which the results were drawn.
func TestFitK(t *testing.T) {
	for _, k := range []float64{100, 310, 600} {
		var s scores
		rng := rand.New(rand.NewPCG(1, 1))
		for range 400_000 {
			score := rng.IntN(3000) - 1500
			half := 0
			if rng.Float64() < 1/(1+math.Exp(-float64(score)/k)) {
				half = 2
			}
			s.add(score, half)
		}
		if got := s.fit(); math.Abs(got/k-1) > 0.02 {
			t.Errorf("K %g, want %g", got, k)
		}
	}
}

// TestLearned: a net learns the score alone, the result alone, or what lies between, from the side to move.
func TestLearned(t *testing.T) {
	expected := func(score float64) float64 { return 1 / (1 + math.Exp(-score/400)) }
	scores, pieces := []int{0, 100, -200}, []int{20, 20, 10}
	for _, c := range []struct {
		lambda float64
		ending int
		half   int // of the side to move after the last ply
		want   []float64
	}{
		{0, 0, 2, []float64{expected(0), expected(100), expected(-200)}},
		{1, 0, 0, []float64{1, 0, 1}},
		{1, 0, 1, []float64{0.5, 0.5, 0.5}},
		{0.5, 9, 2, []float64{
			0.5*expected(0) + 0.5*(1-0.5*expected(100)-0.5*(1-0.5*expected(-200))),
			0.5*expected(100) + 0.5*(1-0.5*expected(-200)),
			0.5 * expected(-200),
		}},
		{0, 10, 2, []float64{expected(0), expected(100), 0}},
		{0.5, 10, 2, []float64{0.5*expected(0) + 0.5*(1-0.5*expected(100)-0.5), 0.5*expected(100) + 0.5, 0}},
	} {
		p := positions{lambda: c.lambda, ending: c.ending, k: 400}
		var got []float64
		for _, score := range p.learned(slices.Clone(scores), pieces, c.half) {
			got = append(got, expected(float64(score)))
		}
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 0.001 }) {
			t.Errorf("lambda %g, ending %d, half points %d: %.4f, want %.4f", c.lambda, c.ending, c.half, got, c.want)
		}
	}
}

// TestFit: results count for the side to move, and -k is kept.
func TestFit(t *testing.T) {
	var games [][]byte
	for i := range 20 { // the first side wins all games, and is ahead in an odd number of plies
		data := make([]byte, record.ChessBytes)
		record.Tail{Half: 2, Number: uint16(i)}.Put(data)
		before := 0
		for ply := range 2*i + 1 {
			score := 500 - 1000*(ply%2)
			data = record.AppendPly(data, record.Ply{Score: score}, before)
			before = score
		}
		games = append(games, data)
	}
	name := written(t, record.Header{Game: "chess"}, games...)
	for k, want := range map[float64]float64{0: minK, 300: 300} {
		p := positions{most: 1500, k: k}
		if err := p.open([]string{name}); err != nil {
			t.Fatal(err)
		}
		if err := p.fit(); err != nil || p.k != want {
			t.Errorf("K %g from %g, want %g; %v", p.k, k, want, err)
		}
	}
}

// TestNoGame: a file without games is one of its game all the same, and has no positions.
func TestNoGame(t *testing.T) {
	dir := t.TempDir()
	name := written(t, record.Header{Game: "chess", Games: "none", Scores: "search of 5 nodes"})
	to := filepath.Join(dir, "to")
	if out := call(t, "label", "-o", to, name); !strings.HasSuffix(out, "chess.game: 0 of 0 games\n") {
		t.Errorf("label printed %s", out)
	}
	if h, _, err := readAll(filepath.Join(to, "chess.game")); err != nil || h.Game != "chess" || h.Games != "none" {
		t.Errorf("labelled as %+v, %v", h, err)
	}
	out := call(t, "info", name)
	for _, want := range []string{"chess.game: chess, 0 positions of 0 games\n  games:  none\n", ", 0.0 a game\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("info printed no %q but\n%s", want, out)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"wdl", name}, "0 games with positions, want at least 10"},
		{[]string{"samples", "-o", filepath.Join(dir, "samples"), name}, "chess.game: no positions"},
		{trainArgs(filepath.Join(dir, "net"), name), "chess.game: no positions"},
	} {
		fails(t, c.want, c.args...)
	}
}

// TestHalfPoints: a game whose result is none is an error.
func TestHalfPoints(t *testing.T) {
	for name, g := range subjects {
		data := make([]byte, g.Bytes)
		record.Tail{Half: 3}.Put(data)
		p := positions{game: g}
		if _, _, err := p.plies(data); err == nil || err.Error() != "3 half points" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A net of chess learns the values of evaluations without the material scaling, so that with it they come back.
func TestMaterialScaling(t *testing.T) {
	played, static := filepath.Join(t.TempDir(), "a"), t.TempDir()
	play(t, "chess", played, "3")
	call(t, "label", "-o", static, played+"-0000.game")
	from := positions{most: 30000}
	if err := from.open([]string{filepath.Join(static, "a-0000.game")}); err != nil {
		t.Fatal(err)
	}
	err := from.each(1, func(_ string, _ record.Header, records []byte) error {
		for ; len(records) > 0; records = records[record.ChessBytes:] {
			p, err := record.Chess(records[:record.ChessBytes])
			if err != nil {
				return err
			}
			value, learned := eval.New().Evaluate(p), int(record.TailOf(records[:record.ChessBytes]).Score)
			if scaled := learned * nnue.Scale(p) / nnue.ScaleUnit; max(scaled-value, value-scaled) > 2 {
				t.Fatalf("%s: %d is learned as %d, which is scaled to %d", p.FEN(), value, learned, scaled)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
