package connect4

import (
	"cmp"
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	rules "trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/search/exact"
)

func TestParseLine(t *testing.T) {
	for _, c := range []struct {
		text, moves string
		ply         int
		expected    any
		says        string
	}{
		{"startpos", "startpos", 0, nil, ""},
		{"startpos 1", "startpos", 0, 1, ""},
		{" 4453\t-2\r", "4453", 4, -2, ""},
		{"7", "7", 1, nil, ""},
		{"4453 +3", "4453", 4, 3, ""},
		{"4458", "", 0, nil, "ply 4"},
		{"4453 2 1", "", 0, nil, `unexpected word "1"`},
		{"4453 1.5", "", 0, nil, `"1.5" is not a whole number`},
		{"\x00\xff", "", 0, nil, "ply 1"},
	} {
		moves, p, expected, err := parseLine(rules.Standard, c.text)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		want, _ := rules.Parse(strings.TrimPrefix(c.moves, "startpos"))
		if err != nil || moves != c.moves || p != want || p.Ply() != c.ply ||
			(expected == nil) != (c.expected == nil) || expected != nil && *expected != c.expected {
			t.Errorf("%q: %q %v %v %v", c.text, moves, p, expected, err)
		}
	}
}

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0.00"}, {1234, "1.23"}, {99 * time.Microsecond, "99.00"}, {1234567, "1235"}, {3 * time.Second, "3000000"},
	} {
		if got := microseconds(c.d); got != c.want {
			t.Errorf("%v: %s", c.d, got)
		}
	}
	if got := scoreText(exact.Result{Lower: -3, Upper: 2}); got != "-3..2" {
		t.Error(got)
	}
	if got := scoreText(exact.Result{Score: -3, Lower: -3, Upper: -3, Exact: true}); got != "-3" {
		t.Error(got)
	}
}

// effort is the part of an answer that is not the same on every run.
var effort = regexp.MustCompile(`(?m) \d+ [0-9.]+ (\d+)$|: mean time .*`)

// solve runs solve connect4, and returns what it prints without the effort.
func solve(t *testing.T, c solveCommand, in string) (out, errs string, err error) {
	t.Helper()
	var stdout, stderr strings.Builder
	c.Threads, c.Solver, c.Size, c.Connect = 1, cmp.Or(c.Solver, exact.Best), "7x6", 4
	if c.Solver == exact.Best && c.Hash == nil {
		c.Hash = new(cli.MiB(1))
	}
	err = c.Run(t.Context(), &cli.Console{In: strings.NewReader(in), Out: &stdout, Err: &stderr, Prefix: "p"})
	return effort.ReplaceAllString(stdout.String(), " $1"), stderr.String(), err
}

// TestSolve: scores of positions and of columns, by both solvers and by a book; what contradicts the line.
func TestSolve(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book")
	err := book.Make(t.Context(), path, rules.Standard, 1, book.Each(func(context.Context, rules.Position) (int, error) {
		return -3, nil
	}), nil)
	if err != nil {
		t.Fatal(err)
	}
	const drawn = "14377112121631435522355667353664444522677"
	for _, c := range []struct {
		solveCommand
		in, out, errs string
		status        int
	}{
		{in: "112233 18\n41516\n\n# none\n" + drawn,
			out: "112233 18 1\n41516 -18 2\n" + drawn + " 0 5\n# 3 positions, 0 wrong, 0 bad lines \n"},
		{solveCommand: solveCommand{Weak: true}, in: "112233 5\n41516 -1",
			out: "112233 1 1\n41516 -1 2\n# 2 positions, 0 wrong, 0 bad lines \n"},
		{solveCommand: solveCommand{Solver: exact.Tutorial}, in: "112233",
			out: "112233 18 1\n# 1 position, 0 wrong, 0 bad lines \n"},
		{in: "112233 17\n112233 19\nx", status: 1,
			out:  "112233 18 1\n112233 18 2\n# 2 positions, 2 wrong, 1 bad line \n",
			errs: "p: line 1: the score of 112233 is 18, not 17\np: line 2: the score of 112233 is 18, not 19\n"},
		{solveCommand: solveCommand{Analyze: true}, in: "112233\n1122334\n" + drawn[:35] + " 1", status: 1,
			out:  "112233 -2 -1 -1 18 -2 -2 -3 1\n1122334 - - - - - - - 2\n" + drawn[:35] + " - -2 - - 0 0 0 3\n",
			errs: "the score of " + drawn[:35] + " is 0, not 1\n"},
		{solveCommand: solveCommand{Book: path}, in: "startpos\n4\n112233", out: "startpos 3 1\n4 -3 2\n112233 18 3\n"},
		{solveCommand: solveCommand{Book: path, Weak: true}, in: "4", out: "4 -1 1\n"},
	} {
		out, errs, err := solve(t, c.solveCommand, c.in)
		status := 0
		if s, ok := err.(*cli.Status); ok {
			status = s.Code
		} else if err != nil {
			t.Error(err)
		}
		if !strings.HasPrefix(out, c.out) || status != c.status || !strings.Contains(errs, c.errs) ||
			c.errs == "" && errs != "" {
			t.Errorf("%q: status %d\n%s%s", c.in, status, out, errs)
		}
	}
}

// TestSolveFlags: flags that exclude each other, and a table that a file keeps.
func TestSolveFlags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	for _, c := range []struct {
		solveCommand
		err string
	}{
		{solveCommand{Solver: exact.Tutorial, Hash: new(cli.MiB(2))},
			"--hash 2: the tutorial's solver has a table of its own"},
		{solveCommand{Solver: exact.Tutorial, Save: path}, "--save, --load: "},
		{solveCommand{Flags: batch.Flags{Jobs: 2}, Load: path}, batch.ErrOneTable.Error()},
		{solveCommand{Load: path}, path},
		{solveCommand{Load: "-", Book: "-"}, "standard input is named for both --load and --book"},
		{solveCommand{Save: path, Flags: batch.Flags{Resume: path}}, path + " is named for both --save and --resume"},
		{solveCommand{Save: path}, ""},
		{solveCommand{Save: path}, "--save: " + path + " exists"},
		{solveCommand{Save: path, Load: path}, ""},
		{solveCommand{Book: path}, path},
	} {
		if _, _, err := solve(t, c.solveCommand, "41516"); (err == nil) != (c.err == "") ||
			err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%+v: %v, want %s", c.solveCommand, err, c.err)
		}
	}
	twice := strings.Repeat("14377112121631435522355\n", 2)
	for _, load := range []string{"", path} { // without a file the table is cleared
		out, _, err := solve(t, solveCommand{Load: load, Flags: batch.Flags{JSON: true}}, twice)
		nodes := regexp.MustCompile(`"nodes":(\d+)`).FindAllString(out, -1)
		if err != nil || len(nodes) != 2 || (nodes[0] == nodes[1]) != (load == "") {
			t.Errorf("--load=%s: %q, %v", load, nodes, err)
		}
	}
	var size boardSize
	if err := size.UnmarshalText([]byte("07x6")); err != nil || size != "7x6" {
		t.Errorf("records name the board %q, %v", size, err)
	}
	out, _, err := solve(t, solveCommand{Load: path, Flags: batch.Flags{JSON: true}}, "41516 -18")
	if err != nil || !strings.Contains(out, `"score":-18,"expected":-18,"nodes":`) {
		t.Errorf("%s%v", out, err)
	}
	out, _, err = solve(t, solveCommand{Analyze: true, Flags: batch.Flags{JSON: true}}, twice)
	if err != nil || strings.Contains(out, `"nodes":0,`) {
		t.Errorf("%s%v", out, err)
	}
}

// TestTotals: the means are over the positions that are solved.
func TestTotals(t *testing.T) {
	var sum totals
	for range 3 {
		sum.Add(solved{Score: new(int), Nodes: 100, Seconds: 0.5})
	}
	const want = "# 3 positions, 1 wrong, 0 bad lines: mean time 500ms, mean nodes 100, 200 nodes/s"
	if got := sum.Text(batch.Counts{Wrong: 1}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	sum.Add(solved{Nodes: 7, Seconds: 7})
	if got := sum.Text(batch.Counts{}); !strings.Contains(got, "bad lines, 1 not solved: mean time 500ms, ") {
		t.Error(got)
	}
	if got, want := (&totals{}).Text(batch.Counts{Bad: 1}), "# 0 positions, 0 wrong, 1 bad line"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
