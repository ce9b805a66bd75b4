package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"trefoil/cluster"
	"trefoil/engine/registry"
	"trefoil/internal/mem"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/search/clock"
)

// Advice is the Hash that suits the moves of a time control on this machine, with the measurements
// that it is based on.
type Advice struct {
	Ordinary, Long, Longest time.Duration // length of an ordinary move, twice that, and the maximum

	Searches int           // searches measured, of about a second each
	Elapsed  time.Duration // total of these searches
	CPUTime  time.Duration // likewise; where the system does not report it, that of all workers
	Threads  int
	Nodes    uint64
	// PerNode are the new entries per node, in the short searches and in those of three times the
	// length. Longer searches are extrapolated from them, because the two are nearly equal.
	PerNode     [2]float64
	Table, Huge uint64 // bytes of the table in these searches, and how many were on huge pages
	HugeKnown   bool

	Available uint64 // bytes that a table may take
	Source    string // of Available
	Pages     string // mode of transparent huge pages
	Need      uint64 // MiB that a long move fills to maxFull
	Hash      uint64 // MiB recommended: Need, or less if that is not available
}

// maxFull is how full the table may be at the end of a search: Stockfish's documentation
// advises a Hash that keeps hashfull below 300 permille.
const maxFull = 0.3

// availablePart is the part of the available memory that is recommended if more is needed: other
// programs need some, too.
const availablePart = 0.875

// Advise measures this machine for some seconds with searches of a game that is played by
// alpha-beta, and returns the Hash that suits the clock, or the MoveTime, of the limits.
func Advise(ctx context.Context, g *registry.Game, threads int, limits search.Limits) (*Advice, error) {
	a := &Advice{Threads: threads, Pages: mem.Machine().HugePages}
	a.Available, a.Source = mem.Available()
	a.Ordinary, a.Longest = limits.MoveTime, limits.MoveTime
	a.Long = a.Ordinary
	if limits.MoveTime == 0 {
		budget, _ := clock.AlphaBeta(0, clock.Settings{MoveOverhead: clock.DefaultMoveOverhead}).Budget(&limits, limits.Clock)
		a.Ordinary, a.Longest = budget.Optimum, budget.Maximum
		a.Long = min(2*a.Ordinary, a.Longest)
	}
	search.ReserveProcessor(threads)
	if err := a.measure(ctx, g.AlphaBeta); err != nil {
		return nil, err
	}
	a.decide()
	return a, nil
}

// The searches measured: in each of some positions of the bench, after the first one, a short and a
// long search on a table of measuredMiB for each thread.
const (
	measuredPositions = 3
	measuredShort     = 400 * time.Millisecond
	measuredLong      = 3 * measuredShort
	measuredMiB       = 64
)

// measure runs the searches and counts nodes and entries.
func (a *Advice) measure(ctx context.Context, g *registry.AlphaBeta) error {
	newRoot := g.NewRoots()
	table, err := cluster.New(max(1, min(uint64(measuredMiB*a.Threads), a.Available>>21)), cluster.Auto)
	if err != nil {
		return err
	}
	defer table.Close()
	if err := table.Prefault(ctx); err != nil {
		return err
	}
	a.Table = table.Plan().Clusters * cluster.BytesPerCluster
	a.Huge, a.HugeKnown = table.HugeBytes()
	searcher := alphabeta.New()
	searcher.SetTable(table)
	searcher.SetThreads(a.Threads)
	for which, length := range []time.Duration{measuredShort, measuredLong} {
		var nodes, entries uint64
		for _, setup := range g.Setups[1 : 1+measuredPositions] {
			root, err := newRoot(setup)
			if err != nil {
				return err
			}
			searcher.NewGame()
			if err := table.Clear(ctx); err != nil {
				return err
			}
			r := a.timed(func(start time.Time) search.Result {
				return searcher.Search(ctx, root, search.Limits{MoveTime: length, Start: start}, alphabeta.Settings{}, nil)
			})
			count, err := table.Census(ctx)
			if err != nil {
				return err
			}
			nodes += r.Nodes
			entries += count.Used
			a.Searches++
		}
		a.Nodes += nodes
		a.PerNode[which] = float64(entries) / float64(max(nodes, 1))
	}
	return nil
}

// timed runs a search and adds its times.
func (a *Advice) timed(do func(start time.Time) search.Result) search.Result {
	start := time.Now()
	before, known := cpuTime()
	r := do(start)
	after, _ := cpuTime()
	elapsed := time.Since(start)
	a.Elapsed += elapsed
	cpu := elapsed * time.Duration(a.processors())
	if known {
		cpu = min(cpu, after-before)
	}
	a.CPUTime += cpu
	return r
}

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

// decide finds Need and Hash.
func (a *Advice) decide() {
	need := math.Ceil(sizeFor(a.Entries(a.Long)))
	a.Need = uint64(min(max(need, 1), cluster.MaxMiB))
	a.Hash = a.Need
	if a.Need<<20 > a.Available {
		a.Hash = max(1, uint64(availablePart*float64(a.Available))>>20)
	}
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
	moves := fmt.Sprintf("every move takes %v", brief(a.Ordinary))
	if a.Long > a.Ordinary {
		moves = fmt.Sprintf("an ordinary move takes %v, a long one %v, none more than %v", brief(a.Ordinary), brief(a.Long), brief(a.Longest))
	}
	pages := "unknown to this system"
	if a.HugeKnown {
		pages = fmt.Sprintf("%d of %d MiB", a.Huge>>20, a.Table>>20)
	}
	busy := ""
	if a.Share() < 0.9 {
		busy = fmt.Sprintf(" without other programs (they left it %.0f %% of %d processors)", 100*a.Share(), a.processors())
	}
	lines := []string{
		fmt.Sprintf("clock     %s: %s", clock, moves),
		fmt.Sprintf("measured  %d searches in %v, threads %d: %.0f nodes/s%s", a.Searches, brief(a.Elapsed), a.Threads, a.Speed(), busy),
		fmt.Sprintf("          new entries a node: %.2f in searches of %v, %.2f in searches of %v", a.PerNode[0], measuredShort, a.PerNode[1], measuredLong),
		fmt.Sprintf("          huge pages (%s): %s", a.Pages, pages),
		fmt.Sprintf("memory    %d MiB available (%s)", a.Available>>20, a.Source),
		fmt.Sprintf("reason    %v make %.3g million entries, which fill %d MiB to %.0f %%;", brief(a.Long), a.Entries(a.Long)/1e6, a.Need, 100*maxFull),
		fmt.Sprintf("          Stockfish's rule is a hashfull below %.0f permille", 1000*maxFull),
	}
	if a.Hash < a.Need {
		lines = append(lines, fmt.Sprintf("limit     %d MiB are more than available: the best is %d, %.1f %% of what is", a.Need, a.Hash, 100*availablePart))
	}
	return append(append(lines, fmt.Sprintf("advice    Hash %d", a.Hash), ""), a.table()...)
}

// table returns lines with the expected hashfull of tables of other sizes.
func (a *Advice) table() []string {
	lengths := slices.Compact([]time.Duration{a.Ordinary, a.Long, a.Longest})
	head := fmt.Sprintf("%10s", "Hash")
	for _, d := range lengths {
		head += fmt.Sprintf("  %8v", brief(d))
	}
	lines := []string{"expected hashfull in permille, by the length of a move", head}
	for _, mib := range slices.Compact([]uint64{max(1, a.Hash/4), max(1, a.Hash/2), a.Hash, min(2*a.Hash, cluster.MaxMiB)}) {
		row := fmt.Sprintf("%10d", mib)
		for _, d := range lengths {
			row += fmt.Sprintf("  %8.0f", 1000*a.Full(mib, d))
		}
		lines = append(lines, row)
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
