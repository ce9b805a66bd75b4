package observe

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
	"trefoil/game/gametest"
	"trefoil/internal/newtable"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis"
)

// position is a chess position with its evaluation.
type position struct {
	*chess.Position
	eval *eval.Evaluator
}

func (p position) Eval() int                 { return p.eval.Evaluate(p.Position) }
func (p position) Clone() alphabeta.Position { return position{p.Copy(), eval.New()} }

// middle is a middlegame position with many transpositions.
const middle = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 10"

func root(t testing.TB, fen string) position {
	t.Helper()
	p := gametest.Chess(t, fen)
	return position{p, eval.New()}
}

func newTable(t testing.TB, opts ...cluster.Option) *cluster.Table {
	t.Helper()
	return newtable.Cluster(t, 1, cluster.Auto, opts...)
}

// run searches a number of nodes with an observer, which may be nil.
func run(t testing.TB, tt *cluster.Table, w *Observer, threads int, nodes uint64) search.Result {
	t.Helper()
	if w == nil {
		return runObserved(t, tt, nil, threads, nodes)
	}
	if err := w.NewSearch(threads); err != nil {
		t.Fatal(err)
	}
	return runObserved(t, tt, w.Worker, threads, nodes)
}

// runObserved searches a number of nodes with an observer for each worker, or none.
func runObserved(t testing.TB, tt *cluster.Table, observe func(int) alphabeta.Observer, threads int,
	nodes uint64) search.Result {
	t.Helper()
	s := alphabeta.New()
	s.SetTable(tt)
	s.SetThreads(threads)
	return s.Search(context.Background(), root(t, middle), search.Limits{Nodes: nodes},
		alphabeta.Settings{Observer: observe}, nil)
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

// An observed search has the same nodes, and its counters add up.
func TestObserverChangesNothing(t *testing.T) {
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
				t.Errorf("%d bits, %s: %d nodes %s, want %d nodes %s", bits, name, got.Nodes, got.Best,
					want.Nodes, want.Best)
			}
			c := w.Counters()
			if c.Stores != c.Filled+c.Updated+c.Kept+c.Skipped+c.Evicted+c.EvictedOlder {
				t.Errorf("%d bits, %s: stores do not add up: %+v", bits, name, c)
			}
			if c.Probes < c.Hits || c.Hits < c.Cutoffs || c.EvictedDeeper > c.Evicted ||
				c.Cutoffs == 0 || c.Moves == 0 || c.Evals == 0 || c.Stores == 0 {
				t.Errorf("%d bits, %s: impossible counts: %+v", bits, name, c)
			}
		}
	}
}

// With few check bits the number of first false hits is the expected one; with all bits there are
// none in a short search.
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

// TestExpectedLater: entries that are older than the audit show no false hits, and are not expected to.
func TestExpectedLater(t *testing.T) {
	for _, mode := range []AuditMode{AuditCounts, AuditPairs} {
		tt := newTable(t, cluster.KeyBits(8))
		run(t, tt, nil, 1, 100_000)
		w := NewObserver(tt, audit(t, tt, mode), nil)
		run(t, tt, w, 1, 100_000)
		c := w.Counters()
		got, want := float64(c.FirstFalseHits), c.Expected(8)
		t.Logf("%v: %.0f first false hits, %.1f expected; %+v", mode, got, want, c)
		if c.Unaudited == 0 || math.Abs(got/want-1) > 0.25 {
			t.Errorf("%v: %.0f false hits, %.1f expected; %d hits on older entries", mode, got, want, c.Unaudited)
		}
	}
}

// The number of remembered false hits is limited, and ResetCounts resets it.
func TestSeenLimit(t *testing.T) {
	tt := newTable(t, cluster.KeyBits(8))
	a := audit(t, tt, AuditCounts)
	w := NewObserver(tt, a, nil)
	for range 2 {
		a.ResetCounts()
		a.left.Store(5)
		run(t, tt, w, 1, 50_000)
		if c := w.Counters(); c.FirstFalseHits+c.Distinct != 5 || c.AllFalseHits() < 20 {
			t.Errorf("%d first and %d distinct false hits of %d are remembered, want 5 together", c.FirstFalseHits,
				c.Distinct, c.AllFalseHits())
		}
	}
}

// TestRefresh: hits by the keys of another seed refresh their entries too.
func TestRefresh(t *testing.T) {
	tt, p := newTable(t), root(t, middle)
	a := audit(t, tt, AuditCounts)
	a.setSeed(2)
	var c ttanalysis.Counters
	a.store(tt, p, cluster.Entry{Move: 1, Quality: cluster.Quality{Depth: 5}}, &c)
	tt.NewSearch()
	for i := range 5 {
		_, hit, _ := a.probe(tt, p, &c)
		if e, ok := tt.Probe(a.key(p)); !hit || !ok || i == 4 && !e.Refreshed {
			t.Fatalf("probe %d: hit %v, %v: %+v", i, hit, ok, e)
		}
	}
}

// TestClear: after Clear false hits are counted as in a new audit.
func TestClear(t *testing.T) {
	for _, mode := range []AuditMode{AuditCounts, AuditPairs} {
		tt := newTable(t, cluster.KeyBits(8))
		a := audit(t, tt, mode)
		number := uint64(0)
		a.OnFalseHit = func(h *ttanalysis.FalseHit) {
			if number++; h.Number != number {
				t.Fatalf("mode %v: false hit %d has number %d", mode, number, h.Number)
			}
		}
		w := NewObserver(tt, a, nil)
		run(t, tt, w, 1, 20_000)
		want := w.Counters()
		if err := errors.Join(tt.Clear(t.Context()), a.Clear(t.Context())); err != nil {
			t.Fatal(err)
		}
		number = 0
		run(t, tt, w, 1, 20_000)
		if got := w.Counters(); got != want || want.FirstFalseHits == 0 {
			t.Errorf("mode %v: %+v, then %+v", mode, want, got)
		}
	}
}

// Each false hit is reported with both positions, whose keys are as reported and select
// the same cluster.
func TestPairs(t *testing.T) {
	tt := newTable(t, cluster.KeyBits(10))
	a := audit(t, tt, AuditPairs)
	var reported []ttanalysis.FalseHit
	a.OnFalseHit = func(h *ttanalysis.FalseHit) { reported = append(reported, *h) }
	w := NewObserver(tt, a, nil)
	run(t, tt, w, 1, 100_000)
	if c := w.Counters(); len(reported) == 0 || uint64(len(reported)) != c.AllFalseHits() {
		t.Fatalf("%d false hits reported, %d counted", len(reported), c.AllFalseHits())
	}
	for i, h := range reported {
		for _, id := range []ttanalysis.Identity{h.Probed, h.Stored} {
			p := root(t, id.Text)
			if p.Key() != id.Key || p.SecondKey() != id.Second {
				t.Fatalf("%v: keys of %s are %016x, %016x", &h, id.Text, p.Key(), p.SecondKey())
			}
		}
		if h.Number != uint64(i+1) || h.Probed.Key == h.Stored.Key || h.Probed.Second == h.Stored.Second ||
			tt.IndexOf(h.Probed.Key) != tt.IndexOf(h.Stored.Key) {
			t.Fatalf("reported as number %d: %v", i+1, &h)
		}
	}
}

// refusing checks that the probes whose false hits are refused are misses.
type refusing struct {
	alphabeta.Observer
	t       *testing.T
	refused *bool // the last false hit was
}

func (r refusing) Probe(t *cluster.Table, p alphabeta.Position, q alphabeta.Query) (cluster.Found, bool) {
	*r.refused = false
	e, hit := r.Observer.Probe(t, p, q)
	if *r.refused && hit {
		r.t.Error("a refused false hit is a hit")
	}
	return e, hit
}

// Refused false hits are misses, and the accepted one has the right number.
func TestAccept(t *testing.T) {
	for _, accept := range []uint64{0, 3} {
		tt := newTable(t, cluster.KeyBits(9))
		a := audit(t, tt, AuditCounts)
		a.Accept = accept
		var taken []uint64
		refused, refusals := false, 0
		a.OnFalseHit = func(h *ttanalysis.FalseHit) {
			if refused = h.Refused; refused {
				refusals++
			} else {
				taken = append(taken, h.Number)
			}
		}
		w := NewObserver(tt, a, nil)
		if err := w.NewSearch(1); err != nil {
			t.Fatal(err)
		}
		runObserved(t, tt, func(i int) alphabeta.Observer { return refusing{w.Worker(i), t, &refused} }, 1, 50_000)
		if refusals == 0 {
			t.Error("no false hit is refused")
		}
		if accept == 0 && len(taken) > 0 || accept > 0 && (len(taken) != 1 || taken[0] != accept) {
			t.Errorf("accept %d: %v taken", accept, taken)
		}
	}
}

// An audit of several workers reports no false hit where there is none.
func TestThreads(t *testing.T) {
	tt := newTable(t)
	a := audit(t, tt, AuditCounts)
	var reported atomic.Int64
	a.OnFalseHit = func(*ttanalysis.FalseHit) { reported.Add(1) }
	w := NewObserver(tt, a, nil)
	run(t, tt, w, 4, 200_000)
	if c := w.Counters(); c.AllFalseHits() > 3 || c.AllFalseHits() != uint64(reported.Load()) || c.Unaudited > 0 {
		t.Errorf("%+v", c)
	}
}

// A trace has every probe and store of the search, and its hits.
func TestTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	tt := newTable(t)
	p := tt.Plan()
	tw, err := ttanalysis.CreateTrace(path,
		ttanalysis.TraceHeader{Game: "chess", MiB: p.MiB, Index: p.Index, KeyBits: tt.KeyBits(), Seed: "trefoil chess"})
	if err != nil {
		t.Fatal(err)
	}
	w := NewObserver(tt, nil, tw)
	run(t, tt, w, 1, 30_000)
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := ttanalysis.OpenTrace(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got ttanalysis.Counters
	count := func(rec ttanalysis.Record) {
		switch rec.Kind() {
		case ttanalysis.KindProbe:
			got.Probes++
			if rec.Hit() {
				got.Hits++
			}
			if rec.Cutoff() {
				got.Cutoffs++
			}
		case ttanalysis.KindStore:
			got.Stores++
		}
	}
	for err == nil {
		var list []ttanalysis.Record
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

// unkeyed hides the second key of a position.
type unkeyed struct{ alphabeta.Position }

func (u unkeyed) Clone() alphabeta.Position { return unkeyed{u.Position.Clone()} }

// TestNoSecondKey: a search of positions without a second key is observed, and not audited.
func TestNoSecondKey(t *testing.T) {
	for _, mode := range []AuditMode{AuditCounts, AuditPairs} {
		tt := newTable(t, cluster.KeyBits(8))
		w := NewObserver(tt, audit(t, tt, mode), nil)
		if err := w.NewSearch(1); err != nil {
			t.Fatal(err)
		}
		s := alphabeta.New()
		s.SetTable(tt)
		s.Search(context.Background(), unkeyed{root(t, middle)}, search.Limits{Nodes: 20000},
			alphabeta.Settings{Observer: w.Worker}, nil)
		if c := w.Counters(); c.Hits == 0 || c.Unaudited != c.Hits || c.AllFalseHits() != 0 {
			t.Errorf("mode %d: %+v", mode, c)
		}
	}
}
