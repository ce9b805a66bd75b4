package ttanalysis

import (
	"context"
	"errors"
	"io"
	"math"
	"path/filepath"
	"sync/atomic"
	"testing"

	"trefoil/cluster"
	"trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// position is chess with its evaluation.
type position struct {
	*chess.Position
	eval *eval.Evaluator
}

func (p position) Eval() int                 { return p.eval.Evaluate(p.Position) }
func (p position) Clone() alphabeta.Position { return position{p.Copy(), eval.New()} }

// middle is a middle game with much to transpose.
const middle = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 10"

func root(t testing.TB, fen string) position {
	t.Helper()
	p, err := chess.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return position{p, eval.New()}
}

func newTable(t testing.TB, opts ...cluster.Option) *cluster.Table {
	t.Helper()
	tt, err := cluster.New(1, cluster.Auto, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tt.Close() })
	return tt
}

// run searches so many nodes under a watch, which may be nil.
func run(t testing.TB, tt *cluster.Table, w *Observer, threads int, nodes uint64) search.Result {
	t.Helper()
	s := alphabeta.New()
	s.SetTable(tt)
	s.SetThreads(threads)
	var set alphabeta.Settings
	if w != nil {
		if err := w.NewSearch(threads); err != nil {
			t.Fatal(err)
		}
		set.Watch = w.Worker
	}
	return s.Search(context.Background(), root(t, middle), search.Limits{Nodes: nodes}, set, nil)
}

func audit(t testing.TB, tt *cluster.Table, mode AuditMode) *Audit {
	t.Helper()
	a, err := NewAudit(tt, mode)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// TestUnmoved: a search that is watched plays the same nodes, and the counts add up.
func TestUnmoved(t *testing.T) {
	const nodes = 60_000
	for _, bits := range []int{8, 21} {
		want := run(t, newTable(t, cluster.KeyBits(bits)), nil, 1, nodes)
		for name, make := range map[string]func(*cluster.Table) *Observer{
			"counts": func(tt *cluster.Table) *Observer { return NewObserver(tt, nil, nil) },
			"audit":  func(tt *cluster.Table) *Observer { return NewObserver(tt, audit(t, tt, AuditCounts), nil) },
			"pairs":  func(tt *cluster.Table) *Observer { return NewObserver(tt, audit(t, tt, AuditPairs), nil) },
		} {
			tt := newTable(t, cluster.KeyBits(bits))
			w := make(tt)
			got := run(t, tt, w, 1, nodes)
			if got.Nodes != want.Nodes || got.Best != want.Best {
				t.Errorf("%d bits, %s: %d nodes %s, want %d nodes %s", bits, name, got.Nodes, got.Best, want.Nodes, want.Best)
			}
			c := w.Counters()
			if c.Stores != c.Filled+c.Updated+c.Kept+c.Skipped+c.Evicted[0]+c.Evicted[1]+c.Evicted[2]+c.Evicted[3] {
				t.Errorf("%d bits, %s: stores do not add up: %+v", bits, name, c)
			}
			if c.Probes < c.Hits || c.Hits < c.Cutoffs || c.Cutoffs == 0 || c.EvictedDeeper > c.Evicted[0] {
				t.Errorf("%d bits, %s: impossible counts: %+v", bits, name, c)
			}
		}
	}
}

// TestExpected: with few key bits there are as many false hits as comparisons promise, and
// with all of them none in so short a search.
func TestExpected(t *testing.T) {
	for _, bits := range []int{8, 10, 21} {
		tt := newTable(t, cluster.KeyBits(bits))
		w := NewObserver(tt, audit(t, tt, AuditCounts), nil)
		run(t, tt, w, 1, 200_000)
		c := w.Counters()
		got, want := float64(c.FirstFalseHits), c.Expected(bits)
		t.Logf("%d bits: %.0f first false hits, %.1f expected; %+v", bits, got, want, c)
		if bits < 21 && math.Abs(got/want-1) > 0.25 || bits == 21 && got > 3 {
			t.Errorf("%d bits: %.0f false hits, %.1f expected", bits, got, want)
		}
	}
}

// TestRemembers: of false hits it remembers so many, and again as many once they are forgotten.
func TestRemembers(t *testing.T) {
	tt := newTable(t, cluster.KeyBits(8))
	a := audit(t, tt, AuditCounts)
	w := NewObserver(tt, a, nil)
	for range 2 {
		a.ResetCounts()
		a.left.Store(5)
		run(t, tt, w, 1, 50_000)
		if c := w.Counters(); c.FirstFalseHits+c.Distinct != 5 || c.AllFalseHits() < 20 {
			t.Errorf("%d first false hits and %d clashes of %d are remembered, want 5 together", c.FirstFalseHits, c.Distinct, c.AllFalseHits())
		}
	}
}

// TestPairs: each false hit is told with both positions, whose keys are those told and
// agree in all check bits; the search that refuses all of them is told of none as a hit.
func TestPairs(t *testing.T) {
	tt := newTable(t, cluster.KeyBits(10))
	a := audit(t, tt, AuditPairs)
	var told []FalseHit
	a.OnFalseHit = func(h *FalseHit) { told = append(told, *h) }
	w := NewObserver(tt, a, nil)
	run(t, tt, w, 1, 100_000)
	if c := w.Counters(); len(told) == 0 || uint64(len(told)) != c.AllFalseHits() {
		t.Fatalf("%d false hits told, %d counted", len(told), c.AllFalseHits())
	}
	for i, h := range told {
		for _, id := range []Identity{h.Probed, h.Stored} {
			p := root(t, id.Text)
			if p.Key() != id.Key || p.Second() != id.Second {
				t.Fatalf("%v: keys of %s are %016x, %016x", &h, id.Text, p.Key(), p.Second())
			}
		}
		if h.Number != uint64(i+1) || h.Probed.Key == h.Stored.Key || h.Probed.Second == h.Stored.Second ||
			tt.IndexOf(h.Probed.Key) != tt.IndexOf(h.Stored.Key) {
			t.Fatalf("told as number %d: %v", i+1, &h)
		}
	}
}

// TestAccept: refused false hits are misses, and of the accepted one the number is right.
func TestAccept(t *testing.T) {
	for _, accept := range []uint64{0, 3} {
		tt := newTable(t, cluster.KeyBits(9))
		a := audit(t, tt, AuditCounts)
		a.Accept = accept
		var taken []uint64
		a.OnFalseHit = func(h *FalseHit) {
			if !h.Refused {
				taken = append(taken, h.Number)
			}
		}
		run(t, tt, NewObserver(tt, a, nil), 1, 50_000)
		if accept == 0 && len(taken) > 0 || accept > 0 && (len(taken) != 1 || taken[0] != accept) {
			t.Errorf("accept %d: %v taken", accept, taken)
		}
	}
}

// TestThreads: an audit of several workers claims no false hit where there is none.
func TestThreads(t *testing.T) {
	tt := newTable(t)
	a := audit(t, tt, AuditCounts)
	var told atomic.Int64
	a.OnFalseHit = func(*FalseHit) { told.Add(1) }
	w := NewObserver(tt, a, nil)
	run(t, tt, w, 4, 200_000)
	if c := w.Counters(); c.AllFalseHits() > 3 || c.AllFalseHits() != uint64(told.Load()) || c.Unaudited > 0 {
		t.Errorf("%+v", c)
	}
}

// TestTrace: a trace has every probe and store of the search, and its hits.
func TestTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	tt := newTable(t)
	p := tt.Plan()
	tw, err := CreateTrace(path, TraceHeader{Game: "chess", MiB: p.MiB, Index: p.Index, KeyBits: tt.KeyBits(), Seed: "trefoil chess"})
	if err != nil {
		t.Fatal(err)
	}
	w := NewObserver(tt, nil, tw)
	run(t, tt, w, 1, 30_000)
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := OpenTrace(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got Counters
	count := func(rec Record) {
		switch rec.Kind() {
		case KindProbe:
			got.Probes++
			if rec.Hit() {
				got.Hits++
			}
			if rec.Cutoff() {
				got.Cutoffs++
			}
		case KindStore:
			got.Stores++
		}
	}
	for err == nil {
		var list []Record
		list, err = r.Next(list)
		for _, rec := range list {
			count(rec)
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	want := w.Counters()
	if got.Probes != want.Probes || got.Hits != want.Hits || got.Cutoffs != want.Cutoffs || got.Stores != want.Stores {
		t.Errorf("the trace has %+v, counted were %+v", got, want)
	}
	if err := w.NewSearch(2); err == nil {
		t.Error("two workers are recorded")
	}
}
