package bench

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"trefoil/cluster"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/internal/newtable"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

type rates = [len(hitSizes)]float64

// The size at which twice the memory gains 1 % is found between the sizes measured.
func TestEnough(t *testing.T) {
	for _, c := range []struct {
		rates rates
		want  float64
	}{
		{rates{}, 1}, // nothing measured
		{rates{0.15, 0.2, 0.24, 0.26, 0.2626, 0.263, 0.263}, 0.5},      // just 1 % at 0.5
		{rates{0.15, 0.2, 0.24, 0.26, 0.2704, 0.27108, 0.2711}, 0.707}, // 4 % at 0.5, 0.25 % at 1
		{rates{0.3, 0.3001, 0.3001, 0.3001, 0.3001, 0.3001, 0.3001}, 0.0625},
		{rates{0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2}, 4},
	} {
		if got := enough(c.rates); math.Abs(got-c.want) > 0.001 {
			t.Errorf("%v: %.4f, want %.4f", c.rates, got, c.want)
		}
	}
}

func TestRateAt(t *testing.T) {
	r := rates{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}
	for size, want := range map[float64]float64{0.125: 0.1, 0.25: 0.2, 4: 0.6, 400: 0.6, math.Sqrt2: 0.45, 0.05: -1} {
		if rate, measured := rateAt(r, size); measured != (want >= 0) || measured && math.Abs(rate-want) > 1e-9 {
			t.Errorf("%g: %v, %v, want %v", size, rate, measured, want)
		}
	}
}

// The advice follows from the hits that were measured, and shows them.
func TestAdviceByHits(t *testing.T) {
	a := Advice{
		Limit: 4 * time.Second, Longest: 4 * time.Second, Threads: 1,
		Nodes: 5e6, Elapsed: 5 * time.Second, CPUTime: 5 * time.Second, PerNode: [2]float64{0.4, 0.5}, Available: 1 << 30,
		HitRates: rates{0.15, 0.2, 0.24, 0.26, 0.2626, 0.263, 0.263},
	}
	a.decide()
	if a.Hash != 34 || math.Ceil(a.Filled) != 67 {
		t.Errorf("%+v", a)
	}
	said := strings.Join(strings.Fields(strings.Join(a.Lines("move 4"), " ")), " ")
	for _, want := range []string{
		"from 34 MiB on, twice the memory gains less than 1 % of hits;", "gives 67 MiB", "and hits in % of probes at 4s",
		"8 992 19.7 17 847 24.1 34 546 26.0 68 294 26.3",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}

// If memory is short the advice says how many hits that costs.
func TestAdviceLimited(t *testing.T) {
	for available, want := range map[uint64]string{
		10 << 20: "34 MiB are more than 87.5 % of what is available; with Hash 8:\n          hits 19.7 % of probes instead of 26.0\n",
		2 << 20:  "with Hash 1:\n          hits <15.0 % of probes instead of 26.0\n",
	} {
		a := Advice{
			Limit: 4 * time.Second, Threads: 1, Nodes: 5e6, Elapsed: 5 * time.Second, CPUTime: 5 * time.Second, PerNode: [2]float64{0.4, 0.5},
			Available: available, HitRates: rates{0.15, 0.2, 0.24, 0.26, 0.2626, 0.263, 0.263},
		}
		a.decide()
		if said := strings.Join(a.Lines("move 4"), "\n"); !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}

// The hits in a position do not depend on the positions that were measured before.
func TestHitsOfOnePosition(t *testing.T) {
	newRoot := func(setup string) (alphabeta.Position, error) {
		p, err := chess.ParseFEN(setup)
		return position{p}, err
	}
	table := newtable.Cluster(t, 1, cluster.Auto)
	searcher := alphabeta.New()
	searcher.SetTable(table)
	searcher.SetThreads(1)
	var once rates
	for n := 1; n <= 2; n++ {
		meter, err := newHitMeter(table, 0.25)
		if err != nil {
			t.Fatal(err)
		}
		a := Advice{Threads: 1}
		setups := slices.Repeat([]string{"8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 2 47"}, n)
		if _, err := a.fromEmpty(t.Context(), searcher, table, newRoot, setups, search.Limits{Nodes: 10000},
			meter); err != nil {
			t.Fatal(err)
		}
		switch got := meter.rates(); {
		case n == 1:
			once = got
		case slices.ContainsFunc(got[:], func(r float64) bool { return r == 0 }) || got != once:
			t.Errorf("%v, once %v", got, once)
		}
	}
}

// position is a chess position that is not evaluated.
type position struct{ *chess.Position }

func (position) Eval() int                   { return 0 }
func (p position) Clone() alphabeta.Position { return position{p.Copy()} }

// The best move and the reply are played if there are both.
func TestReplied(t *testing.T) {
	for want, r := range map[bool]search.Result{true: {Best: "e2e4", Ponder: "e7e5"}, false: {Best: "e2e4"}} {
		p := gametest.Chess(t, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
		if got := replied(position{p}, r); got != want ||
			want && p.FEN() != "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2" {
			t.Errorf("%+v: %v, %s", r, got, p.FEN())
		}
	}
}
