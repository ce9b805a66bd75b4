package report

import (
	"bytes"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/internal/filetest"
	"trefoil/ttanalysis"
)

var update = flag.Bool("update", false, "write the files of testdata again")

// golden compares what is written with a file of testdata, which was read or looked at when it was written.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		filetest.Write(t, path, got)
	}
	data := filetest.Read(t, path)
	want := strings.Split(string(data), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("line %d of %s is now\n%s\nIf that is right, run the tests with -update", i+1, path, line)
		}
	}
	if len(got) != len(data) {
		t.Fatalf("lines are missing at the end of %s", path)
	}
}

// TestBoards: pictures of boards, with an arrow, with one for an illegal move, and with a drop.
func TestBoards(t *testing.T) {
	for _, c := range []struct {
		file, game, position, move, below string
		illegal                           bool
	}{
		{"chess.svg", "chess", "4k3/1pnb4/8/8/8/5PNB/8/RQ2K3 w - - 0 1", "g3f5", "White to move", false},
		{"refused.svg", "chess", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "e8d1", "Black to move", true},
		{"shogi.svg", "shogi", "4k4/1r5+b1/9/9/9/2P6/9/7R1/4K4 w 2GS10p2n 8", "P*5e",
			"White to move; in hand: Black 2G S, White 10P 2N", false},
	} {
		svg, below, err := drawBoard("A board", c.game, c.position, c.move, c.illegal)
		if err != nil || below != c.below {
			t.Errorf("%s: %q, %v, want %q", c.position, below, err, c.below)
		}
		golden(t, c.file, string(svg))
	}
}

// TestTexts: the tables that the commands print.
func TestTexts(t *testing.T) {
	var b bytes.Buffer
	check := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	title := func(text string) { fmt.Fprintf(&b, "\n== %s\n", text) }

	title("losses")
	use := ttanalysis.Use{Record: 77, Kind: ttanalysis.UseEvicted, Depth: 5, Entry: 1}
	use.Entries[0] = ttanalysis.EntryState{Used: true, Depth: 9, Age: 1}
	use.Entries[1] = ttanalysis.EntryState{Used: true, Depth: 4}
	check("losses", WriteLosses(&b, &ttanalysis.Losses{Probes: 1000, Misses: 400, Mismatches: 3,
		ByCause: [ttanalysis.LossCauses]ttanalysis.LossCount{{Probes: 10, ThisSearch: 7, Sufficient: 2},
			{Probes: 20, ThisSearch: 8, Sufficient: 3}, {Probes: 40, ThisSearch: 9, Sufficient: 4}, {Probes: 5, Sufficient: 1}},
		Deepest: []ttanalysis.LostProbe{{Record: 99, Key: 0xabc, Depth: 4, Loss: use}}}))
	check("no losses", WriteLosses(&b, &ttanalysis.Losses{Probes: 10, Misses: 4}))

	title("history of a position")
	WriteHistoryHead(&b, 0xabc)
	for _, kind := range []ttanalysis.UseKind{ttanalysis.UseMiss, ttanalysis.UseHit, ttanalysis.UseFilled,
		ttanalysis.UseUpdated, ttanalysis.UseKept, ttanalysis.UseEvicted, ttanalysis.UseLost, ttanalysis.UseCleared} {
		use.Kind = kind
		for _, other := range []uint64{0xabc, 0xdef} {
			if useTexts[kind][min(other-0xabc, 1)] != "" {
				WriteUse(&b, 0xabc, ttanalysis.PositionUse{Use: use, Search: 2, Other: other})
			}
		}
	}

	title("shadow checks")
	check("shadow", WriteShadowChecks(&b, []ttanalysis.ShadowCheck{{MiB: 3, HitRate: 0.25,
		Predictions: []ttanalysis.Prediction{{Size: 0.5, Share: 0.2, Margin: 0.01}, {Size: 4, Share: 0.5, Margin: 0.02}},
		Replayed:    []float64{0, 0.25}}}))

	title("validations")
	check("validations", WriteValidations(&b, []*ttanalysis.Validation{
		{MiB: 16, Predicted: []float64{0.5, 0.25, 0.75}, Real: []float64{0.5, 0.35, 0.75}, Inside: 2}}))

	title("a comparison")
	c, err := ttanalysis.NewComparison("trefoil,always", "1,0.5")
	check("a comparison", err)
	c.Trace = ttanalysis.TraceHeader{Game: "chess", MiB: 1, Index: cluster.Mul32, KeyBits: 21, Note: "a position"}
	c.Recorded = ttanalysis.RecordedCounts{Searches: 2, Probes: 1000, Hits: 250, Cutoffs: 125, Stores: 600}
	n := uint64(0)
	for _, runs := range [][][]*ttanalysis.Run{c.Runs, c.Plain} {
		for _, sizes := range runs {
			for _, run := range sizes {
				n++
				run.ReplayCounts = ttanalysis.ReplayCounts{Probes: 1000, Hits: 200 + n, Cutoffs: 100 + n, FalseHits: n}
			}
		}
	}
	c.Bounds = []ttanalysis.Bound{{Name: "MIN", Runs: []ttanalysis.ReplayCounts{
		{Probes: 1000, Hits: 402, Cutoffs: 150}, {Probes: 1000, Hits: 404, Cutoffs: 160}}}}
	check("a comparison", WriteComparison(&b, c))

	title("replays")
	var r Replays
	for i, mib := range []float64{4, 0.5} {
		r.Add("a", mib, ttanalysis.ReplayCounts{Probes: 1000, Hits: 300 - uint64(i), Cutoffs: 100 - uint64(i), FalseHits: 2})
	}
	r.Add("b", 4, ttanalysis.ReplayCounts{Probes: 1000, Hits: 250, Cutoffs: 50})
	b.WriteString(r.Text(true))
	b.WriteString(r.Text(false))

	title("an estimate")
	check("an estimate", WriteEstimate(&b, Estimate{MiB: 16, KeyBits: 16, Probes: 1_000_000}))
	golden(t, "texts.txt", b.String())
}
