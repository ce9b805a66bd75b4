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

// Advice is which Hash a move of some length needs on this machine, and what was measured to
// tell.
type Advice struct {
	Ordinary, Long, Longest time.Duration // moves: of the usual length, twice that, at most

	Searches int           // that were measured, of a second each or so
	Spent    time.Duration // on them
	Worked   time.Duration // by processors; as much as they could if the system does not tell
	Threads  int
	Nodes    uint64
	// PerNode are the new entries per node of short searches, and of searches three times as
	// long. As they are nearly equal, they also hold for longer searches.
	PerNode     [2]float64
	Table, Huge uint64 // bytes of the table that was measured with, and those on huge pages
	HugeKnown   bool

	Room    uint64 // bytes that a table may take
	Explain string // where Room comes from
	Pages   string // what the system does about huge pages
	Need    uint64 // MiB that keep a long move at mostFull
	Hash    uint64 // MiB to set: Need, or the best that there is room for
}

// mostFull is how full the table may be at the end of a search: Stockfish's documentation
// advises a Hash that keeps hashfull below 300 permille.
const mostFull = 0.3

// roomPart is the part of the available memory that a table may take if there is less than it
// needs: other programs need some too.
const roomPart = 0.875

// Advise measures this machine for some seconds with searches of a game that is played by
// alpha-beta, and returns which Hash suits the clock, or the MoveTime, of the limits.
func Advise(ctx context.Context, g *registry.Game, threads int, limits search.Limits) (*Advice, error) {
	a := &Advice{Threads: threads, Pages: mem.Machine().HugePages}
	a.Room, a.Explain = mem.Available()
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

// What is measured: this number of positions of the bench, without the first, each with a
// short and a long search on a table of this many MiB per thread.
const (
	measuredPositions = 3
	measuredShort     = 400 * time.Millisecond
	measuredLong      = 3 * measuredShort
	measuredMiB       = 64
)

// measure searches, and counts nodes and entries.
func (a *Advice) measure(ctx context.Context, g *registry.AlphaBeta) error {
	newRoot := g.NewRoots()
	table, err := cluster.New(max(1, min(uint64(measuredMiB*a.Threads), a.Room>>21)), cluster.Auto)
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

// timed does a search, and counts the time and the work.
func (a *Advice) timed(do func(start time.Time) search.Result) search.Result {
	start := time.Now()
	before, known := cpuTime()
	r := do(start)
	after, _ := cpuTime()
	spent := time.Since(start)
	a.Spent += spent
	most := spent * time.Duration(a.processors())
	if known {
		most = min(most, after-before)
	}
	a.Worked += most
	return r
}

// processors is how many the workers can have.
func (a *Advice) processors() int { return min(a.Threads, runtime.NumCPU()) }

// Share is how much of its processors the search was given: less than all if other programs
// were at work.
func (a *Advice) Share() float64 {
	return a.Worked.Seconds() / (max(a.Spent.Seconds(), 1e-3) * float64(a.processors()))
}

// Speed is nodes per second with all of the processors.
func (a *Advice) Speed() float64 {
	return float64(a.Nodes) / max(a.Worked.Seconds(), 1e-3) * float64(a.processors())
}

// Entries is how many entries a search of that length makes.
func (a *Advice) Entries(length time.Duration) float64 {
	return length.Seconds() * a.Speed() * max(a.PerNode[0], a.PerNode[1])
}

// decide finds Need and Hash.
func (a *Advice) decide() {
	need := math.Ceil(sizeFor(a.Entries(a.Long)))
	a.Need = uint64(min(max(need, 1), cluster.MaxMiB))
	a.Hash = a.Need
	if a.Need<<20 > a.Room {
		a.Hash = max(1, uint64(roomPart*float64(a.Room))>>20)
	}
}

// Full is which part of a Hash in MiB a search of that length fills.
func (a *Advice) Full(mib uint64, length time.Duration) float64 {
	return full(float64(mib), a.Entries(length))
}

// full returns the part of a table of mib MiB that is in use after that many entries have been stored
// at random: of each cluster, the mean of min(n, 3) of a Poisson distribution, divided by 3.
func full(mib, entries float64) float64 {
	mean := entries / (mib * cluster.ClustersPerMiB)
	p0 := math.Exp(-mean)
	p1, p2 := p0*mean, p0*mean*mean/2
	return (p1 + 2*p2 + 3*(1-p0-p1-p2)) / 3
}

// sizeFor returns how many MiB that many entries fill to mostFull.
func sizeFor(entries float64) float64 {
	low, high := 0.0, entries/cluster.ClustersPerMiB*3 // which they fill to a ninth
	for range 60 {
		if mid := (low + high) / 2; full(mid, entries) > mostFull {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// Lines are the advice for people. clock names what it is for.
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
		busy = fmt.Sprintf(" if other programs were not at work (it had %.0f %% of %d processors)", 100*a.Share(), a.processors())
	}
	lines := []string{
		fmt.Sprintf("clock     %s: %s", clock, moves),
		fmt.Sprintf("measured  %d searches in %v, threads %d: %.0f nodes/s%s", a.Searches, brief(a.Spent), a.Threads, a.Speed(), busy),
		fmt.Sprintf("          new entries a node: %.2f in searches of %v, %.2f in searches of %v", a.PerNode[0], measuredShort, a.PerNode[1], measuredLong),
		fmt.Sprintf("          huge pages (%s): %s", a.Pages, pages),
		fmt.Sprintf("memory    room for %d MiB (%s)", a.Room>>20, a.Explain),
		fmt.Sprintf("reason    %v make %.3g million entries, which fill %d MiB to %.0f %%;", brief(a.Long), a.Entries(a.Long)/1e6, a.Need, 100*mostFull),
		fmt.Sprintf("          Stockfish's rule is a hashfull below %.0f permille", 1000*mostFull),
	}
	if a.Hash < a.Need {
		lines = append(lines, fmt.Sprintf("short     there is no room for %d MiB: the best is %d, %.1f %% of what there is", a.Need, a.Hash, 100*roomPart))
	}
	return append(append(lines, fmt.Sprintf("advice    Hash %d", a.Hash), ""), a.table()...)
}

// table returns how full tables of other sizes would be.
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

// brief is a duration in two or three digits.
func brief(d time.Duration) time.Duration {
	switch {
	case d >= 100*time.Second:
		return d.Round(time.Second)
	case d >= time.Second:
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}
