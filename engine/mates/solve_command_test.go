package mates

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/internal/container"
	"trefoil/internal/filetest"
)

// effort is the part of an answer that is not the same on every run.
var effort = regexp.MustCompile(`\t\d+\t\d+\t|: \d+ nodes, .*`)

// solve runs solve mate, and returns what it prints without the effort.
func solve(t *testing.T, c SolveCommand, in string) (out, errs string, err error) {
	t.Helper()
	var stdout, stderr strings.Builder
	c.Threads, c.Hash = 1, 1
	if c.Moves == 0 {
		c.Moves = 5
	}
	err = c.Run(t.Context(), &cli.Console{In: strings.NewReader(in), Out: &stdout, Err: &stderr, Prefix: "p"})
	return effort.ReplaceAllString(stdout.String(), "\t"), stderr.String(), err
}

const (
	inTwo   = "8/5P1k/5K2/8/8/8/8/8 w - -"
	inThree = "7k/8/5K2/8/8/8/8/6R1 b - - 0 1" // the side to move is mated
	never   = "7k/8/5K2/8/8/8/8/6B1 w - -"
	tsume   = "1r5k1/l3ggs2/2sp3pL/p1p1p4/6p2/PPP1P2P1/1Ks2+pP1+p/2+n6/L4R3 w B2GS2NLbn4p 106"
)

// TestSolve: what is found, and what contradicts the line, with the sums of both.
func TestSolve(t *testing.T) {
	in := strings.Join([]string{
		inTwo + " bm #2;", inTwo + " bm f8=Q;", inTwo + " bm #3;", inTwo + " dm -2;", inThree + " dm -3;",
		"7k/6Q1/6K1/8/8/8/8/8 b - - bm #1;", never, never + " bm #2;", tsume + " dm 2; bm #2;", tsume + " dm 2;",
		"8k/9/9/9/9/9/9/9/K6R1 b - 1", inTwo + " bm #x;", "9/9/9/9/9/9/9/9/9 b", "nonsense",
	}, "\n")
	out, errs, err := solve(t, SolveCommand{}, in)
	two := inTwo + "\tmate 2\tf7f8r h7h6 f8h8\n"
	for n, want := range []string{two, two, two, two, inThree + "\tmate -3\th8h7 ",
		"7k/6Q1/6K1/8/8/8/8/8 b - -\tmate 0\t\n", never + "\tno mate\t\n", never + "\tno mate\t\n",
		tsume + "\tmate 2\t", tsume + "\tmate 2\t",
		"8k/9/9/9/9/9/9/9/K6R1 b - 1\tno mate\t\n"} {
		if !strings.Contains(out, "\t"+want) {
			t.Errorf("line %d: no %q", n+1, want)
		}
	}
	if !strings.HasSuffix(out,
		"\n# 6 solved (4 exact, 0 longer, 1 shorter, 1 not stated), 3 failed, 2 without a mate, 0 unknown, 3 bad lines\t\n") {
		t.Error(out)
	}
	for _, want := range []string{"line 3: mate 2, not mate 3: ", "line 4: mate 2, not mate -2: ",
		"line 6: mate 0, not mate 1: ", "line 8: no mate, not mate 2: ",
		"line 12: bm #x is not a number of moves", "line 13: ", "line 14: FEN: "} {
		if !strings.Contains(errs, "p: "+want) {
			t.Errorf("no %q in %s", want, errs)
		}
	}
	if status, ok := err.(*cli.Status); !ok || status.Code != cli.StatusWrong || strings.Count(errs, "\n") != 7 {
		t.Errorf("%v, %s", err, errs)
	}
}

// TestSolveShort: that there is no mate within --moves says nothing about a longer one, and in shogi nothing about
// mates by the opponent.
func TestSolveShort(t *testing.T) {
	for _, c := range []struct{ in, errs string }{
		{inTwo + " bm #2;", ""}, {inThree + " dm -2;", ""}, {"8k/9/9/9/9/9/9/9/K6R1 b - 1 dm -3", ""},
		{never + " bm #1;", "p: line 1: no mate, not mate 1: "}, {inThree + " dm -1;", "p: line 1: no mate, not mate -1: "},
	} {
		out, errs, err := solve(t, SolveCommand{Moves: 1}, c.in)
		if !strings.Contains(out, "\tno mate\t") || !strings.Contains(errs, c.errs) || (errs == "") != (c.errs == "") ||
			(err == nil) != (c.errs == "") {
			t.Errorf("%s: %s%s%v", c.in, out, errs, err)
		}
	}
}

// TestSolveGames: a file of games stands for their positions.
func TestSolveGames(t *testing.T) {
	file := filetest.New(t, "games.PGN", "1. f3 e5 2. g4 *\n\n1. e5 *\n")
	out, errs, _ := solve(t, SolveCommand{File: file, Moves: 1}, "")
	if !strings.Contains(out, "PPPPP2P/RNBQKBNR b KQkq - 0 2\tmate 1\td8h4\n# 1 solved") ||
		strings.Count(out, "\n") != 5 ||
		!strings.Contains(errs, "p: game 2, line 3: ") {
		t.Errorf("%s%s", out, errs)
	}
}

// TestSolveCertificate: a certificate is of one position that has a mate.
func TestSolveCertificate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cert")
	for _, c := range []struct {
		in        string
		jobs      batch.Jobs
		out, errs string
		err       bool
	}{
		{in: inTwo + "\n", out: "\n# " + path + ": 2 positions\n# 1 solved"},
		{in: tsume, out: " positions\n# 1 solved"},
		{in: inThree + "\n" + inTwo, out: " positions\n# 1 solved", errs: "line 2: --certificate is for one position",
			err: true},
		{in: never, out: "no mate\t\n# 0 solved", err: true},
		{in: inTwo, jobs: 2, err: true},
	} {
		_ = os.Remove(path)
		out, errs, err := solve(t, SolveCommand{Cert: path, Flags: batch.Flags{Jobs: c.jobs}}, c.in)
		if !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) || (err != nil) != c.err {
			t.Errorf("%s: %q, %q, %v", c.in, out, errs, err)
		}
		if _, err := os.Stat(path); (err == nil) != strings.Contains(c.out, "positions") {
			t.Errorf("%s: %v", c.in, err)
		}
	}
}

// TestCertificateFails: where the certificate cannot be written, the run fails.
func TestCertificateFails(t *testing.T) {
	full := errors.New("the disk is full")
	out := container.Output{Name: "x", Open: func() (io.WriteCloser, error) { return nil, full }}
	s, err := (&SolveCommand{Hash: 1, Threads: 1, Moves: 5, Cert: "x"}).open(nil, out, new(totals))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Solve(t.Context(), batch.Line{Text: inTwo}); err != nil {
		t.Error(err)
	}
	if err := s.Close(); !errors.Is(err, full) {
		t.Error(err)
	}
}

// TestUnknown: nothing is said about a mate that the time is too short for.
func TestUnknown(t *testing.T) {
	out, errs, err := solve(t, SolveCommand{Time: 1}, tsume+"\n"+never)
	if err != nil || strings.Count(out, "\tunknown\t") != 2 {
		t.Errorf("%s%s%v", out, errs, err)
	}
}

// TestMoves: the longest mate that may be asked for is the longest that the solver can prove.
func TestMoves(t *testing.T) {
	for text, ok := range map[string]bool{"1": true, "250": true, "0": false, "251": false} {
		var m mateMoves
		if err := m.UnmarshalText([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestTotals: answers are counted by what was stated.
func TestTotals(t *testing.T) {
	var sum totals
	for _, s := range []struct{ expected, mate int }{{3, 3}, {-3, -3}, {3, 5}, {-3, -4}, {3, 2}, {-3, -1}, {3, -3},
		{-3, 3}, {3, 0}, {0, 4}, {0, -4}} {
		sum.Add(solved{Expected: s.expected, Mate: &s.mate, Nodes: 100, Seconds: 0.1504})
	}
	sum.Add(solved{Expected: 3})
	sum.Add(solved{Value: "no mate"})
	sum.Add(solved{Value: "unknown"})
	sum.Add(solved{Value: "unknown"})
	const want = "# 8 solved (2 exact, 2 longer, 2 shorter, 2 not stated), 4 failed, 1 without a mate, 2 unknown, 1 bad line: " +
		"1100 nodes, 1.654s, 665 nodes/s"
	if got := sum.Text(batch.Counts{Bad: 1}); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	unknown := solved{Value: "unknown", Seconds: 1.5, Nodes: 7, position: "p", PV: "m"}
	if got := unknown.Text(batch.Line{Line: 3}); got != "3\tp\tunknown\t7\t1500\tm" {
		t.Error(got)
	}
}
