package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// play20 plays a few quick games into a file and returns its name.
func play20(t *testing.T, name string, n string, more ...string) {
	t.Helper()
	args := append([]string{"games", "-o", name, "-n", n, "-nodes", "100", "-workers", "2"}, more...)
	if err := run(context.Background(), args, new(bytes.Buffer), new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The model's value must be the evaluation's but for rounding.
func TestTraceIsTheEvaluation(t *testing.T) {
	for _, g := range subjects {
		name := filepath.Join(t.TempDir(), "games")
		play20(t, name, "12", "-game", g.name())
		x, tracer := newParams(g, g.weights()), newTracer(g)
		n := 0
		_, err := read(name, 0, func(s sample) error {
			p, err := g.parse(s.setup)
			if err != nil {
				return err
			}
			var one position
			if !tracer.plain.look(p, &one) {
				return nil
			}
			if one.terms, err = tracer.trace(p, nil); err != nil {
				return err
			}
			if v, _ := x.value(g, &one); math.Abs(v-float64(one.value)) > 4 {
				t.Fatalf("%s: the model says %.1f, the evaluation %d", s.setup, v, one.value)
			}
			n++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if n < 100 {
			t.Fatalf("%s: only %d positions", g.name(), n)
		}
	}
}

// The gradient must be what small changes of the weights show.
func TestGradient(t *testing.T) {
	for setup, name := range map[string]string{
		"r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 2 11":            "chess",
		"2r3k1/5ppp/2n5/1p1p2N1/3P2Q1/q3P3/5PPP/2R3K1 b - - 0 25":                       "chess",
		"8/5pk1/4p1p1/3pP2p/1r1P1P1P/5KP1/3R4/8 w - - 12 40":                            "chess",
		"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1":         "shogi",
		"ln1g3nl/1r1sg1kb1/p1p1ppsp1/1p1p2p1p/9/2PP2PPP/PP2PPN2/1BGSGS1R1/LN2K3L b - 1": "shogi",
	} {
		g := subjects[name]
		s := settings{workers: 1, game: g}
		x, tracer := newParams(g, g.weights()), newTracer(g)
		p, err := g.parse(setup)
		if err != nil {
			t.Fatal(err)
		}
		one := position{target: 0.9, unit: 200}
		if one.terms, err = tracer.trace(p, nil); err != nil {
			t.Fatal(err)
		}
		tracer.plain.look(p, &one)
		batch := []position{one}
		grad, _ := gradient(x, batch, &s)
		for i := range x {
			const h = 1e-3
			old := x[i]
			x[i] = old + h
			up := loss(x, batch, &s)
			x[i] = old - h
			down := loss(x, batch, &s)
			x[i] = old
			if want := (up - down) / (2 * h); math.Abs(grad[i]-want) > 1e-7 {
				t.Errorf("%s: weight %d: gradient %g, by differences %g", setup, i, grad[i], want)
			}
		}
	}
}

func TestGamesResumeAndRepeat(t *testing.T) {
	dir := t.TempDir()
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	play20(t, whole, "5")
	play20(t, parts, "2", "-workers", "1")
	f, err := os.OpenFile(parts, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("8/8/8/8/8/8/8/8 w;1;"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	play20(t, parts, "5")
	if contents(t, whole) != contents(t, parts) {
		t.Error("games played in two runs differ from those of one")
	}
	err = run(context.Background(), []string{"games", "-o", whole, "-seed", "2"}, new(bytes.Buffer), new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "not a file of this seed") {
		t.Errorf("another seed for the same file: %v", err)
	}
}

func TestFitImproves(t *testing.T) {
	dir := t.TempDir()
	name, weights := filepath.Join(dir, "games"), filepath.Join(dir, "weights.go")
	play20(t, name, "20")
	if err := os.WriteFile(weights, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var texts [2]string
	for i, workers := range []string{"1", "3"} {
		var out bytes.Buffer
		args := []string{"fit", "-o", weights, "-epochs", "3", "-batch", "256", "-workers", workers, name}
		if err := run(context.Background(), args, &out, new(bytes.Buffer)); err != nil {
			t.Fatal(err)
		}
		texts[i] = contents(t, weights)
	}
	if texts[0] != texts[1] {
		t.Error("the fit depends on the number of goroutines")
	}
	if !strings.HasPrefix(texts[0], "package eval\n") || texts[0] == contents(t, "../../game/chess/eval/weights.go") {
		t.Errorf("no new weights were written: %.200s", texts[0])
	}
}

// The weights in play are written as the tuner writes them.
func TestWeightsFile(t *testing.T) {
	for _, g := range subjects {
		want, err := source(g, g.weights(), "x")
		if err != nil {
			t.Fatal(err)
		}
		body := func(s string) string { return s[strings.Index(s, "var tuned"):] }
		if body(string(want)) != body(contents(t, "../../"+g.file())) {
			t.Errorf("%s is not in the form that the tuner writes", g.file())
		}
	}
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	weights := file("weights.go", "")
	many := strings.Repeat("8/8/4k3/8/8/3PK3/8/8 w - - 0 1;50;2\n", 1000)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "missing command"},
		{[]string{"play"}, `unknown command "play"`},
		{[]string{"games"}, "-o FILE is missing"},
		{[]string{"games", "-o", filepath.Join(dir, "x"), "-nodes", "0"}, "at least 1"},
		{[]string{"games", "-o", filepath.Join(dir, "x"), "-game", "go"}, `game "go"`},
		{[]string{"fit"}, "no file"},
		{[]string{"fit", "-o", weights, filepath.Join(dir, "none")}, "no such file"},
		{[]string{"fit", "-o", filepath.Join(dir, "none.go"), weights}, "must exist"},
		{[]string{"fit", "-o", weights, file("few", "# game 0\n")}, "too few"},
		{[]string{"fit", "-o", weights, file("fields", "8/8 w\n# game 0\n")}, "fields:1: "},
		{[]string{"fit", "-o", weights, file("half", "8/8 w;1;3\n# game 0\n")}, "not 0, 1 or 2"},
		{[]string{"fit", "-o", weights, file("score", "8/8 w;x;2\n# game 0\n")}, "not a number"},
		{[]string{"fit", "-o", weights, file("fen", many+"8/8 w - - 0 1;5;1\n# game 0\n")}, "position 1001: "},
		{[]string{"fit", "-o", weights, file("check", many+"8/8/4k3/8/8/4RK2/8/8 b - - 0 1;5;1\n# game 0\n")}, "not quiet"},
		{[]string{"fit", "-o", weights, "-rate", "-1", weights}, "out of range"},
	} {
		err := run(context.Background(), c.args, new(bytes.Buffer), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("tune %v: %v, want %q", c.args, err, c.want)
		}
	}
}

func TestDecode(t *testing.T) {
	digits := []digit{{5, 1}, {6, 16}, {7, 127}}
	for a := -1; a <= 1; a++ {
		for b := -16; b <= 16; b++ {
			for c := -127; c <= 127; c++ {
				got := map[uint16]int8{}
				for _, term := range decode(nil, digits, 0, a+3*(b+33*c)) {
					got[term.weight] = term.times
				}
				if int(got[5]) != a || int(got[6]) != b || int(got[7]) != c {
					t.Fatalf("%d, %d, %d are read as %v", a, b, c, got)
				}
			}
		}
	}
}
