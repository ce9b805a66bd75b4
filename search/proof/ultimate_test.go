package proof_test

import (
	"context"
	"flag"
	"strconv"
	"strings"
	"testing"
	"time"

	"trefoil/game/gametest"
	"trefoil/game/ultimate"
	"trefoil/internal/filetest"
	"trefoil/internal/newtable"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

var (
	long    = flag.Bool("long", false, "run the tests that take minutes")
	hash    = flag.Uint64("hash", 64, "table of the test of hard positions, in MiB")
	threads = flag.Int("threads", 1, "workers of the test of hard positions")
	least   = flag.Uint64("least", 0, "least nodes of hard positions by the file")
	most    = flag.Uint64("most", 1<<62, "most nodes of hard positions by the file")
	check   = flag.Bool("check", true, "verify what differs from the file of hard positions")
	tuned   = proof.ParamFlags()
	only    = flag.String("only", "", "part of the line of the hard positions to be solved")
)

// rows reads a file of the test data, split at tabs, comments left out.
func rows(t testing.TB, name string) (rows [][]string) {
	for _, line := range filetest.Lines(t, filetest.Further(t, "ultimate/"+name)) {
		rows = append(rows, strings.Split(line, "\t"))
	}
	return rows
}

// wins proves or disproves that a side wins.
func wins(t testing.TB, s *proof.Solver, p ultimate.Position, side ultimate.Side) (bool, proof.Answer) {
	t.Helper()
	r, err := s.Prove(context.Background(), goal(p, side), proof.Limits{})
	if err != nil || r.Result == proof.Unknown {
		t.Fatalf("%v: %+v, %v", p, r, err)
	}
	return r.Result == proof.Proved, r
}

// goal returns goals that a side wins.
func goal(p ultimate.Position, side ultimate.Side) func() proof.Goal {
	return func() proof.Goal { return ultimategoal.New(p, side) }
}

// value is W, D or L for the side to move.
func value(t testing.TB, s *proof.Solver, p ultimate.Position) string {
	t.Helper()
	d, err := s.Decide(context.Background(), goal(p, p.Side()), goal(p, p.Side().Other()), proof.Limits{})
	if err != nil || !d.Known {
		t.Fatalf("%v: %+v, %v", p, d, err)
	}
	return "LDW"[d.Outcome+1 : d.Outcome+2]
}

// TestLabelled solves the labelled positions. Some labels are wrong, because they were made with a
// look-ahead that ignores what the reply can prevent. A different result is therefore accepted if
// the referee's walk through its proof confirms it.
func TestLabelled(t *testing.T) {
	sizes, most := []uint64{1, 64}, uint64(10000)
	if *long {
		sizes, most = []uint64{1, 64, 1024}, 1<<62
	}
	refuted := map[string]bool{}
	for _, mib := range sizes {
		for _, threads := range []int{1, 2} {
			s := proof.New(newtable.Window(t, mib), proof.Options{Threads: threads})
			for _, row := range rows(t, "labelled.tsv") {
				nodes, _ := strconv.ParseUint(row[5], 10, 64)
				opposite, _ := strconv.ParseUint(row[7], 10, 64)
				if max(nodes, opposite) > most || row[3] == "" {
					continue
				}
				label(t, s, row, refuted)
			}
		}
	}
}

// label solves a labelled position: two goals, or where the label leaves open what it is
// but no win, one.
func label(t *testing.T, s *proof.Solver, row []string, refuted map[string]bool) {
	p := gametest.Ultimate(t, row[2])
	sides := []ultimate.Side{p.Side(), p.Side().Other()}
	got, agrees := "", false
	if row[3] == "D/L" {
		won, _ := wins(t, s, p, p.Side())
		got, agrees, sides = "W", !won, sides[:1]
	} else {
		got = value(t, s, p)
		agrees = got == row[3]
	}
	if agrees || refuted[row[2]+got] {
		return
	}
	for _, side := range sides {
		verify(t, s, row[2], side, 0)
	}
	refuted[row[2]+got] = true
	t.Logf("%s line %s is %s, not %s", row[0], row[1], got, row[3])
}

// TestHard solves the hard positions and compares their nodes with the numbers in the file.
func TestHard(t *testing.T) {
	if !*long {
		t.Skip("takes minutes: -long")
	}
	var nodes, theirs uint64
	var spent, idle time.Duration
	for _, row := range rows(t, "hard.tsv") {
		n, _ := strconv.ParseUint(row[4], 10, 64)
		if !strings.Contains(strings.Join(row, " "), *only) || n < *least || n > *most {
			continue
		}
		tt := newtable.Window(t, *hash)
		if err := tt.Prefault(context.Background()); err != nil {
			t.Fatal(err)
		}
		s := proof.New(tt, proof.Options{Threads: *threads})
		s.SetParams(tuned)
		p := gametest.Ultimate(t, row[2])
		won, r := wins(t, s, p, p.Side())
		t.Logf("%s %s: %v, %d nodes of %d, %v, %.0f/ms, %d%% full, %+v", row[0], row[1], won, r.Nodes, n, r.Time,
			float64(r.Nodes)/float64(r.Time.Microseconds())*1000, tt.Full()/10, r.Table)
		if won != (row[3] == "True") {
			t.Logf("%s line %s: won %v, not %s", row[0], row[1], won, row[3])
			if *check {
				verify(t, s, row[2], p.Side(), r.Nodes)
			}
		}
		nodes, theirs, spent, idle = nodes+r.Nodes, theirs+n, spent+r.Time, idle+r.Idle
		_ = tt.Close()
	}
	t.Logf("%d nodes, %.3f of %d, %v, %.0f/ms, idle %v", nodes, float64(nodes)/float64(theirs), theirs, spent,
		float64(nodes)/float64(spent.Microseconds())*1000, idle)
}
