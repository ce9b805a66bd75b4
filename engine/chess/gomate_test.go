package chess

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"trefoil/internal/filetest"
	"trefoil/search"
)

// TestGoMate: `go mate` finds mates of either side, and its last report is the mate, with all nodes.
func TestGoMate(t *testing.T) {
	const quick, slow, mated = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1",
		"6k1/8/6K1/8/8/8/8/7R b - - 0 1"
	wins, loses := search.WDL{1000, 0, 0}, search.WDL{0, 0, 1000}
	for _, c := range []struct {
		fen    string
		limits search.Limits
		plies  int
		wdl    search.WDL
	}{
		{quick, search.Limits{Mate: 1}, 1, wins},
		{slow, search.Limits{Mate: 2}, 3, wins},
		{mated, search.Limits{Mate: search.AnyMate, Nodes: 20000}, -4, loses},
		{mated, search.Limits{Mate: search.AnyMate, MoveTime: time.Hour}, -4, loses},
	} {
		p := newTestPlayer(t, "UCI_ShowWDL=true")
		if err := p.SetPosition(c.fen, nil); err != nil {
			t.Fatal(err)
		}
		var infos []search.Info
		c.limits.Start = time.Now()
		r := p.Search(t.Context(), c.limits, func(i search.Info) { infos = append(infos, i) })
		last := infos[len(infos)-1]
		if last.Score != (search.Score{Mate: true, Plies: c.plies}) || last.WDL == nil || *last.WDL != c.wdl ||
			last.PV[0] != r.Best || last.Nodes != r.Nodes ||
			c.limits.Nodes == 0 && r.Nodes < 100 {
			t.Errorf("%s, %+v: %+v, %+v", c.fen, c.limits, r, last)
		}
	}
}

// TestThorough: a search that something other than the length of the mate ends looks for mates of the opponent, too.
func TestThorough(t *testing.T) {
	for _, c := range []struct {
		m        goMate
		thorough bool
	}{
		{goMate{limits: search.Limits{Mate: 2}}, false},
		{goMate{limits: search.Limits{Mate: 2}, budget: time.Hour}, true},
		{goMate{limits: search.Limits{Mate: 2, Nodes: 100}}, true},
		{goMate{limits: search.Limits{Mate: 2, Infinite: true}}, true},
	} {
		if l := c.m.proofLimits(); l.Thorough != c.thorough || l.Brief == c.thorough {
			t.Errorf("%+v, %v: %+v", c.m.limits, c.m.budget, l)
		}
	}
}

// TestProofNodes: proof search has the nodes that the short search and the reserve leave, at least one; threads may
// exceed the limit of the short search.
func TestProofNodes(t *testing.T) {
	for spent, want := range map[uint64]uint64{0: 19, 2: 17, 18: 1, 19: 1, 20: 1, 64: 1} {
		m := goMate{limits: search.Limits{Mate: 2, Nodes: 20}, nodes: spent}
		if l := m.proofLimits(); l.Nodes != want {
			t.Errorf("%d nodes of 20 are spent: %d are left, want %d", spent, l.Nodes, want)
		}
	}
}

// TestGoMateMessages: what is said only once is said, although the first search is not shown; its counts are not.
func TestGoMateMessages(t *testing.T) {
	folder := t.TempDir()
	filetest.Write(t, filepath.Join(folder, "KRvK.rtbw"), make([]byte, 1040))
	p := newTestPlayer(t, "SyzygyPath="+folder, "HashAudit=count")
	if err := p.SetPosition("k7/8/1K6/8/8/8/8/7R w - - 0 1", nil); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	r := p.Search(t.Context(), search.Limits{Start: time.Now(), Mate: 1}, func(i search.Info) { text.WriteString(i.Text) })
	for message, want := range map[string]int{"KRvK.rtbw: ": 1, "hash audit: ": 1, "hash probes ": 0} {
		if n := strings.Count(text.String(), message); n != want || r.Best != "h1h8" {
			t.Errorf("%s: %q %d times, want %d: %s", r.Best, message, n, want, text.String())
		}
	}
}

// TestGoMateWithTables: the ordinary search of `go mate` uses the endgame tables.
func TestGoMateWithTables(t *testing.T) {
	p := newTestPlayer(t, "SyzygyPath="+testTables)
	if err := p.SetPosition("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", nil); err != nil {
		t.Fatal(err)
	}
	var last search.Info
	p.Search(t.Context(), search.Limits{Start: time.Now(), Mate: 1, Nodes: 5000}, func(i search.Info) { last = i })
	if last.TableHits == 0 || last.Score != (search.Score{Centipawns: 20000}) {
		t.Errorf("%+v", last)
	}
}

// TestExplain: eval says the value of the net in use, too; and there is none in check.
func TestExplain(t *testing.T) {
	p := newTestPlayer(t)
	explained := func(fen string) (text string, err error) {
		if err := p.SetPosition(fen, nil); err != nil {
			t.Fatal(err)
		}
		err = p.Explain(func(line string) { text += line + "\n" })
		return text, err
	}
	text, err := explained("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")
	if err != nil || !strings.Contains(text, "value +") || !strings.Contains(text, " for White by the net in use") {
		t.Errorf("%v: %s", err, text)
	}
	if text, err := explained("4k3/8/8/8/8/8/8/4RK2 b - - 0 1"); err == nil {
		t.Errorf("in check: %s", text)
	}
}
