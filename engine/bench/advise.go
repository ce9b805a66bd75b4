package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"trefoil/cluster"
	"trefoil/engine/registry"
	"trefoil/internal/cli"
	"trefoil/internal/mem"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/search/clock"
	"trefoil/ttanalysis"
)

// Advice is the Hash that suits the moves of a time control on this machine, with the measurements
// that it is based on.
type Advice struct {
	Limit, Longest time.Duration // of an ordinary move, and of a move whose value falls

	Searches int           // searches measured
	Elapsed  time.Duration // total of these searches
	CPUTime  time.Duration // likewise; where the system does not report it, that of all workers
	Threads  int
	Nodes    uint64
	// PerNode has the new entries per node in the short searches and in the searches of twice the nodes. The
	// two are nearly equal, so longer searches are extrapolated from them.
	PerNode [2]float64
	// HitRates are the shares of probes that hit in the search of the next move, in tables of
	// hitSizes times the size that one search fills to maxFull.
	HitRates    [len(hitSizes)]float64
	Table, Huge uint64 // bytes of the table in these searches, and how many were on huge pages
	HugeKnown   bool

	Available uint64  // bytes that a table may take
	Source    string  // of Available
	Pages     string  // mode of transparent huge pages
	Filled    float64 // MiB that a move of the limit fills to maxFull
	Need      uint64  // MiB from which on twice the memory gains less than minGain
	Hash      uint64  // MiB recommended: Need, or availablePart of Available if that is less
}

// maxFull is how full a table is that is large enough by the advice in Stockfish's documentation, a
// hashfull below 300 permille. Hits are measured for sizes around that.
const maxFull = 0.3

// availablePart is the part of the available memory that is recommended at most: other programs need some,
// too.
const availablePart = 0.875

// Advise measures this machine for some seconds with searches of a game that is played by
// alpha-beta, and returns the Hash that suits the clock, or the MoveTime, of the limits.
func Advise(ctx context.Context, g *registry.Game, threads int, limits search.Limits) (*Advice, error) {
	a := &Advice{Threads: threads, Pages: mem.Machine().HugePages}
	a.Available, a.Source = mem.Available()
	a.Limit, a.Longest = limits.MoveTime, limits.MoveTime
	if limits.MoveTime == 0 {
		settings := clock.Settings{MoveOverhead: clock.DefaultMoveOverhead, Uneven: g.AlphaBeta.Uneven}
		budget, _ := clock.AlphaBeta(0, settings).Budget(&limits, limits.Clock)
		a.Limit, a.Longest = budget.Limit, budget.Maximum
	}
	search.ReserveProcessor(threads)
	if err := a.measure(ctx, g.AlphaBeta); err != nil {
		return nil, err
	}
	a.decide()
	return a, nil
}

// The searches measured, in up to measuredPositions positions of the bench after the first: a search of
// measuredNodes for each processor and a search of measuredLonger times as many, both from an empty table. Then,
// as in a game, follows a search of the next move, with the same table and as many nodes. The table has measuredMiB
// for each thread. Their lengths are nodes, not times, so that other programs do not shorten them.
const (
	measuredPositions = 6
	measuredNodes     = 200_000
	measuredLonger    = 2
	measuredMiB       = 64
)

// measure runs the searches and counts nodes, entries and hits.
func (a *Advice) measure(ctx context.Context, g *registry.AlphaBeta) error {
	table, err := cluster.New(max(1, min(uint64(measuredMiB*a.Threads), a.Available>>21)), cluster.Auto)
	if err != nil {
		return err
	}
	defer table.Close()
	if err := table.Prefault(ctx); err != nil {
		return err
	}
	a.Table = table.Plan().Clusters * cluster.BytesPerCluster
	memory := table.Memory()
	a.Huge, a.HugeKnown = memory.Huge(), memory.Known
	searcher := alphabeta.New()
	searcher.SetTable(table)
	searcher.SetThreads(a.Threads)
	newRoot := g.NewRoots()
	setups := g.Setups[1:min(len(g.Setups), 1+measuredPositions)]
	if len(setups) == 0 {
		return errors.New("its bench has no position but the first, so nothing can be measured")
	}
	limits := search.Limits{Nodes: a.measuredNodes()}
	if a.PerNode[0], err = a.fromEmpty(ctx, searcher, table, newRoot, setups, limits, nil); err != nil {
		return err
	}
	limits.Nodes *= measuredLonger
	meter, err := newHitMeter(table, sizeFor(a.PerNode[0]*float64(limits.Nodes)))
	if err != nil {
		return err
	}
	a.PerNode[1], err = a.fromEmpty(ctx, searcher, table, newRoot, setups, limits, meter)
	a.HitRates = meter.rates()
	return err
}

// fromEmpty searches positions, each from an empty table, and returns the entries per node. If there is a
// meter, a search of the next move follows each search, and the meter gets its hits.
func (a *Advice) fromEmpty(ctx context.Context, s *alphabeta.Searcher, table *cluster.Table,
	newRoot func(string) (alphabeta.Position, error),
	setups []string, limits search.Limits, meter *hitMeter,
) (perNode float64, err error) {
	var nodes, entries uint64
	for _, setup := range setups {
		root, err := newRoot(setup)
		if err != nil {
			return 0, err
		}
		s.NewGame()
		if err := table.Clear(ctx); err != nil {
			return 0, err
		}
		meter.cleared()
		r := a.timed(ctx, s, root, limits, meter.settings(a.Threads))
		count, err := table.Census(ctx)
		if err != nil {
			return 0, err
		}
		nodes += r.Nodes
		entries += count.Used
		if meter != nil && replied(root, r) {
			a.timed(ctx, s, root, limits, meter.settings(a.Threads))
			meter.add()
		}
	}
	return float64(entries) / float64(max(nodes, 1)), ctx.Err()
}

// timed searches a position and adds nodes and times.
func (a *Advice) timed(ctx context.Context, s *alphabeta.Searcher, root alphabeta.Position, limits search.Limits,
	settings alphabeta.Settings) search.Result {
	start := time.Now()
	before, known := cpuTime()
	limits.Start = start
	r := s.Search(ctx, root, limits, settings, nil)
	after, _ := cpuTime()
	elapsed := time.Since(start)
	a.Searches++
	a.Nodes += r.Nodes
	a.Elapsed += elapsed
	cpu := elapsed * time.Duration(a.processors())
	if known {
		cpu = min(cpu, after-before)
	}
	a.CPUTime += cpu
	return r
}

// measuredNodes is the length of the short searches.
func (a *Advice) measuredNodes() uint64 { return measuredNodes * uint64(a.processors()) }

// processors is the number of processors that the workers can use.
func (a *Advice) processors() int { return min(a.Threads, runtime.NumCPU()) }

// Share returns CPUTime as a part of what the workers could use: below 1 if other programs were
// running.
func (a *Advice) Share() float64 {
	return a.CPUTime.Seconds() / (max(a.Elapsed.Seconds(), 1e-3) * float64(a.processors()))
}

// Speed returns the nodes per second if no other programs run.
func (a *Advice) Speed() float64 {
	return float64(a.Nodes) / max(a.CPUTime.Seconds(), 1e-3) * float64(a.processors())
}

// Entries returns how many entries a search of that length makes.
func (a *Advice) Entries(length time.Duration) float64 {
	return length.Seconds() * a.Speed() * max(a.PerNode[0], a.PerNode[1])
}

// decide finds Filled, Need and Hash.
func (a *Advice) decide() {
	a.Filled = sizeFor(a.Entries(a.Limit))
	need := math.Ceil(a.Filled * enough(a.HitRates))
	a.Need = uint64(min(max(need, 1), cluster.MaxMiB))
	a.Hash = min(a.Need, max(1, uint64(availablePart*float64(a.Available))>>20))
}

// Full returns which part of a Hash in MiB a search of that length fills.
func (a *Advice) Full(mib uint64, length time.Duration) float64 {
	return full(float64(mib), a.Entries(length))
}

// full returns which part of a table of mib MiB is in use after that number of entries has been
// stored at random: a third of the mean of min(n, 3), for n of a Poisson distribution.
func full(mib, entries float64) float64 {
	mean := entries / (mib * cluster.ClustersPerMiB)
	p0 := math.Exp(-mean)
	p1, p2 := p0*mean, p0*mean*mean/2
	return (p1 + 2*p2 + 3*(1-p0-p1-p2)) / 3
}

// sizeFor returns how many MiB that number of entries fills to maxFull.
func sizeFor(entries float64) float64 {
	low, high := 0.0, entries/cluster.ClustersPerMiB*3 // which they fill to a ninth
	for range 60 {
		if mid := (low + high) / 2; full(mid, entries) > maxFull {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// Lines returns the advice as text. clock is the time control as it was written.
func (a *Advice) Lines(clock string) []string {
	moves := fmt.Sprintf("every move takes %v", brief(a.Limit))
	if a.Longest > a.Limit {
		moves = fmt.Sprintf("an ordinary move takes at most %v, no move more than %v", brief(a.Limit), brief(a.Longest))
	}
	pages := "unknown to this system"
	if a.HugeKnown {
		pages = fmt.Sprintf("%d of %d MiB", a.Huge>>20, a.Table>>20)
	}
	busy := ""
	if a.Share() < 0.9 {
		busy = fmt.Sprintf(" without other programs, which left it %.0f %% of %s", 100*a.Share(),
			cli.Count(a.processors(), "processor"))
	}
	lines := []string{
		fmt.Sprintf("clock     %s: %s", clock, moves),
		fmt.Sprintf("measured  %d searches in %v, threads %d: %.0f nodes/s%s", a.Searches, brief(a.Elapsed), a.Threads,
			a.Speed(), busy),
		fmt.Sprintf("          new entries per node: %.2f in searches of %d nodes, %.2f in longer ones", a.PerNode[0],
			a.measuredNodes(), a.PerNode[1]),
		fmt.Sprintf("          huge pages (%s): %s", a.Pages, pages),
		fmt.Sprintf("memory    %d MiB available (%s)", a.Available>>20, a.Source),
		fmt.Sprintf("reason    a search of %v makes %s million entries; from %d MiB on, twice the memory gains less "+
			"than %.0f %% of hits;", brief(a.Limit), ttanalysis.ExpectedCount(a.Entries(a.Limit)/1e6), a.Need, 100*minGain),
		fmt.Sprintf("          Stockfish's rule, a hashfull below %.0f permille, gives %.0f MiB", 1000*maxFull,
			math.Ceil(a.Filled)),
	}
	if a.Hash < a.Need {
		lines = append(lines, fmt.Sprintf("limit     %d MiB are more than %.1f %% of what is available; with Hash %d:",
			a.Need, 100*availablePart, a.Hash),
			fmt.Sprintf("          hits %s %% of probes instead of %s", a.hits(a.Hash), a.hits(a.Need)))
	}
	return append(append(lines, fmt.Sprintf("advice    Hash %d", a.Hash), ""), a.table()...)
}

// hits returns the share of probes that a move of the limit hits with a Hash in MiB as text.
func (a *Advice) hits(mib uint64) string {
	rate, measured := rateAt(a.HitRates, float64(mib)/a.Filled)
	switch {
	case a.HitRates[0] <= 0:
		return "-"
	case !measured:
		return fmt.Sprintf("<%.1f", 100*a.HitRates[0])
	}
	return fmt.Sprintf("%.1f", 100*rate)
}

// table returns lines with the expected hashfull and hits of tables of other sizes.
func (a *Advice) table() []string {
	lengths := slices.Compact([]time.Duration{a.Limit, a.Longest})
	head := fmt.Sprintf("%10s", "Hash")
	for _, d := range lengths {
		head += fmt.Sprintf("  %8v", brief(d))
	}
	head += fmt.Sprintf("  %8s", "hits, %")
	lines := []string{fmt.Sprintf("expected hashfull in permille by the time of a move, and hits in %% of probes at %v",
		brief(a.Limit)), head}
	for _, mib := range slices.Compact([]uint64{max(1, a.Hash/4), max(1, a.Hash/2), a.Hash, min(2*a.Hash, cluster.MaxMiB),
		min(4*a.Hash, cluster.MaxMiB)}) {
		row := fmt.Sprintf("%10d", mib)
		for _, d := range lengths {
			row += fmt.Sprintf("  %8.0f", 1000*a.Full(mib, d))
		}
		lines = append(lines, row+fmt.Sprintf("  %8s", a.hits(mib)))
	}
	return lines
}

// brief rounds a duration to two or three digits.
func brief(d time.Duration) time.Duration {
	switch {
	case d >= 100*time.Second:
		return d.Round(time.Second)
	case d >= time.Second:
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}
