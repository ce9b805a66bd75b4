package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/internal/filetest"
	"trefoil/search/proof/chessgoal"
)

// hard are positions of the engine's games that are not solved at once.
const hard = `# a comment
l1s5l/3g3k1/1+r1ppp1g1/5np1p/P1Pnn3P/9/2gPPP3/1PBSKN1S1/L1S3Pr1 w bgl5p 132;12;0
ln6l/2sgg1k2/2p1p1s1n/2rp1bBRp/pp7/2PP2P1P/PPN1PGN2/3GK4/L1S5L b S4Pp 71 | no mate
2r4nl/5G1k1/p+P1+B2pp1/5p2p/1G1N5/4pb2P/Pn1Pl1PP1/3SLK1SL/5+R1N1 b 2G2S5Pp 149
lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
`

var shogiSubject = subjects["shogi"]

func do(args ...string) (string, error) {
	var out bytes.Buffer
	err := run(context.Background(), args, &out, &out)
	return out.String(), err
}

// gatherHard gathers samples of the hard positions.
func gatherHard(t *testing.T, more ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "samples")
	args := append([]string{"gather", "-o", name, "-easy", "100", "-nodes", "3000", "-most", "700", "-each", "60"},
		more...)
	out, err := do(append(args, filetest.New(t, "hard", hard))...)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "of 3 hard positions among 4") {
		t.Errorf("said %q", out)
	}
	return name
}

func contents(t *testing.T, name string) string {
	t.Helper()
	return string(filetest.Read(t, name))
}

// fits fits a game to samples and returns the Go file, which has a weight for every feature.
func fits(t *testing.T, game string, samples ...string) (fitted string) {
	t.Helper()
	sub := subjects[game]
	fitted = filetest.New(t, "fitted.go", sub.head)
	if out, err := do(append([]string{"fit", "-game", game, "-o", fitted}, samples...)...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := strings.Count(contents(t, fitted), "{") - 2; n != sub.size(true)+sub.size(false) {
		t.Errorf("%s: %d weights of %d features", game, n, sub.size(true)+sub.size(false))
	}
	return fitted
}

// The same positions give the same samples, however many are searched at a time, and those the same
// Go file with a weight for every feature. Numbers that are no weight are refused, and nothing is written.
func TestGatherAndFit(t *testing.T) {
	one, two := gatherHard(t, "-workers", "1"), gatherHard(t, "-workers", "2")
	if contents(t, one) != contents(t, two) {
		t.Error("the samples depend on the workers")
	}
	all, err := shogiSubject.read(one, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 1000 {
		t.Fatalf("only %d samples", len(all))
	}
	fitted := fits(t, "shogi", one, two)
	if _, err := do("fit", "-o", fitted, "-blank"); err != nil {
		t.Error(err)
	}
	if text := contents(t, fitted); strings.Count(text, "{0, 0}") != shogiSubject.size(true)+shogiSubject.size(false) {
		t.Errorf("a blank fit is %.300s", text)
	}
	for _, level := range []float64{100, math.NaN(), math.Inf(1)} {
		m := shogiSubject.blankModel(true)
		err := shogiSubject.declare(new(bytes.Buffer), &m, true, coefficients{level: level})
		if err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("level %v: %v", level, err)
		}
	}
}

// A gather that is stopped before it has anything says so and writes nothing.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	name := filepath.Join(t.TempDir(), "samples")
	var out bytes.Buffer
	err := run(ctx, []string{"gather", "-o", name, filetest.New(t, "hard", hard)}, &out, &out)
	if err == nil || !strings.Contains(err.Error(), "stopped before the first sample") ||
		!strings.Contains(out.String(), "stopped after 0 of 4 positions") {
		t.Errorf("%v, and said %q", err, out.String())
	}
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("a file is there: %v", err)
	}
}

// Whatever is wrong is named, and no file is changed.
func TestErrors(t *testing.T) {
	samples := func(line string) string { return filetest.New(t, "samples", magic+"\n"+line+"\n") }
	old := filetest.New(t, "old.go", shogiSubject.head)
	one := "0 A proved 3 0 45 50 55 60 65 70 75 80 89 94 99 106 111 124 134 140 148 153 157"
	for want, args := range map[string][]string{
		"missing command":                             {},
		`unknown command "mine"`:                      {"mine"},
		"-o FILE is missing":                          {"gather", "x"},
		`"x" are no plies`:                            {"gather", "-game", "chess", "-o", filepath.Join(t.TempDir(), "x"), filetest.New(t, "plies", "8/8/8/8/8/2k5/7R/R5K1 w - - 0 1;x\n")},
		"no file of positions":                        {"gather", "-o", "x"},
		"must be at least 1":                          {"gather", "-o", "x", "-each", "0", "y"},
		"exists: choose another":                      {"gather", "-o", old, old},
		"no such file":                                {"gather", "-o", filepath.Join(t.TempDir(), "x"), "nowhere"},
		":1: ":                                        {"gather", "-o", filepath.Join(t.TempDir(), "x"), filetest.New(t, "bad", "9/9/9 b - 1\n")},
		"no samples":                                  {"gather", "-o", filepath.Join(t.TempDir(), "x"), filetest.New(t, "empty", "")},
		"neither or both":                             {"fit"},
		"neither or both of -blank":                   {"fit", "-blank", "x"},
		"-prior 0 is not above 0":                     {"fit", "-prior", "0", "x"},
		"-prior NaN is not above 0":                   {"fit", "-prior", "NaN", "x"},
		"run in the project's root":                   {"fit", "-o", filepath.Join(t.TempDir(), "x", "y"), "x"},
		"is not a file of mates gather":               {"fit", "-o", old, filetest.New(t, "other", "x\n")},
		"has no samples":                              {"fit", "-o", old, filetest.New(t, "none", magic+"\n")},
		"are too few":                                 {"fit", "-o", old, samples(one)},
		":2: \"1\" is not problem":                    {"fit", "-o", old, samples("1")},
		`problem "x" is not a number`:                 {"fit", "-o", old, samples("x A proved 3 1")},
		`side "B" is neither`:                         {"fit", "-o", old, samples("0 B proved 3 1")},
		`result "perhaps" is not`:                     {"fit", "-o", old, samples("0 A perhaps 3 1")},
		`nodes "-3" is not a number`:                  {"fit", "-o", old, samples("0 A unknown -3 1")},
		"2 features instead of one of each":           {"fit", "-o", old, samples("0 A unknown 3 1 46")},
		`feature "9" is not one of 45 to 49, group 2`: {"fit", "-o", old, samples(strings.Replace(one, " 45 ", " 9 ", 1))},
	} {
		if _, err := do(args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q", args, err, want)
		}
	}
	if contents(t, old) != shogiSubject.head {
		t.Error("a fit that failed has changed the file")
	}
}

// Samples of Ultimate Tic-Tac-Toe do not depend on the workers either, and make a weight for every feature.
func TestUltimate(t *testing.T) {
	positions := filetest.New(t, "positions", `# after random moves
X;...X@..X.;..OXX.X../..OO...../.X.O..XOO/..X.X.XOX/OX...X..O/..XOOX.O./O..O...OO/......XXX/X.XOOX.O. draw
O;@O......X;.X......./...XO.OOO/.O..X...O/OX......X/.X.O.OO.X/......X.X/...OX.XOX/..X.X..../XXX.OOO.O
`)
	var names []string
	for _, workers := range []string{"1", "2"} {
		name := filepath.Join(t.TempDir(), "samples")
		args := []string{"gather", "-game", "ultimate", "-o", name, "-easy", "100", "-nodes", "3000", "-most",
			"1200", "-each", "100", "-workers", workers}
		if out, err := do(append(args, positions)...); err != nil ||
			!strings.Contains(out, "of 2 hard positions among 2") {
			t.Fatalf("%v %q", err, out)
		}
		names = append(names, name)
	}
	if contents(t, names[0]) != contents(t, names[1]) {
		t.Error("the samples depend on the workers")
	}
	fits(t, "ultimate", names...)
	if _, err := do("fit", "-game", "go", names[0]); err == nil || !strings.Contains(err.Error(), `game "go"`) {
		t.Error(err)
	}
}

// Games end with a mate, which the side to move gives where the plies to it are odd, and their samples do not
// depend on the workers.
func TestChess(t *testing.T) {
	const games = "testdata/ends.txt"
	var samples [2]string
	for i, workers := range []string{"1", "2"} {
		samples[i] = filepath.Join(t.TempDir(), "samples")
		if _, err := do("gather", "-game", "chess", "-o", samples[i], "-easy", "20",
			"-nodes", "150", "-most", "320", "-each", "10", "-workers", workers, games); err != nil {
			t.Fatal(err)
		}
	}
	if contents(t, samples[0]) != contents(t, samples[1]) {
		t.Error("the samples depend on the workers")
	}
	ends := 0
	for line := range strings.Lines(contents(t, games)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		p, plies, err := parseEnd(strings.TrimSpace(line))
		if err != nil || plies > 6 {
			t.Fatalf("%q: %v", line, err)
		}
		if plies == 1 {
			ends++
			if mate, _ := p.MateInOne(p.EscapeSquares(chessgoal.Attacker(p, true)), new(game.List)); mate == game.None {
				t.Errorf("no mate in one: %s", line)
			}
		}
	}
	if ends == 0 {
		t.Error("no game ends with a mate")
	}
	fits(t, "chess", samples[0], samples[1], samples[0], samples[1])
}
