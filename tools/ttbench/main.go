// Command ttbench times the transposition table of alpha-beta on a key stream that a program in any
// language can reproduce, so that tables of other engines can be measured in the same interleaved
// run.
//
//	go run ./tools/ttbench [-cpuprofile FILE] MIB [INDEX]
//
// It fills the table, prints "ready", and then answers every line
// "CELL COUNT WORK" with three numbers: nanoseconds per operation with the table,
// the same loop without it, and hits per operation. The caller decides what runs
// when; a cell continues where its last run ended, so that no run finds its keys in the cache.
//
// # Key stream
//
// key(s, i) is the finaliser of splitmix64 applied to s + i·0x9E3779B97F4A7C15.
// Seeds: fill 0x1111, hit 0x2222, miss 0x3333, new 0x4444, node 0x5555. Entries:
// 3 × clusters is the capacity; 2 × capacity keys of fill are stored at depth
// key>>8&7, then, in a new search, capacity/8 keys of hit at depth 40.
//
// # Cells
//
//	hit, miss, store  independent operations; a store includes the choice of the entry
//	pair              a probe that misses, and in 7 of 10 cases a store
//	hit+ … pair+      the same with a prefetch 24 keys ahead
//	node              like a search: prefetch, WORK rounds of arithmetic, probe
//	                  (every second key of hit, the others new), 8 rounds that
//	                  depend on the entry, a store in 7 of 10 cases
//
// # Profile
//
// default.pgo in this folder is what -cpuprofile wrote of all cells at 1 MiB. With it the compiler
// inlines Probe and Store into the loops, as it does in the search of the engine.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"time"

	"trefoil/cluster"
	"trefoil/tools/internal/program"
)

const (
	fillSeed, hitSeed, missSeed, newSeed, nodeSeed = 0x1111, 0x2222, 0x3333, 0x4444, 0x5555

	pairSeed = missSeed + 77
	ahead    = 24
	deep     = 40
	fresh    = 1 << 40 // where the new keys of node begin
)

func key(s, i uint64) uint64 {
	x := s + i*0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

func entry(k uint64, depth uint8) cluster.Entry {
	return cluster.Entry{
		Move: uint16(k>>32 | 1), Value: int16(k >> 16), Eval: int16(k >> 20),
		Quality: cluster.Quality{Depth: depth, Bound: cluster.Bound(1 + (k>>5)%3)},
	}
}

func fold(e cluster.Entry) uint64 {
	v := uint64(e.Move) + uint64(e.Value) + uint64(e.Eval) + uint64(e.Depth) + uint64(e.Bound)
	if e.PV {
		v++
	}
	return v
}

// chains are four dependent chains of arithmetic that stand for the work of a search.
type chains struct{ a, b, c, d uint64 }

func (l *chains) work(n int) {
	a, b, c, d := l.a, l.b, l.c, l.d
	for range n {
		a = (a ^ a>>12) * 0x9E3779B97F4A7C15
		b = (b ^ b>>25) + a
		c = (c ^ c<<7) + b
		d = (d ^ c>>9) * 5
	}
	l.a, l.b, l.c, l.d = a, b, c, d
}

type bench struct {
	t    *cluster.Table
	hits uint64            // number of keys of hit
	at   map[string]uint64 // where each cell continues
	sink uint64            // keeps the loops from being optimised away
}

func main() {
	profile := flag.String("cpuprofile", "", "`file` for a CPU profile")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: ttbench [-cpuprofile FILE] MIB [INDEX]")
	}
	flag.Parse()
	if flag.NArg() < 1 || flag.NArg() > 2 {
		flag.Usage()
		os.Exit(1)
	}
	mib, err := strconv.ParseUint(flag.Arg(0), 10, 64)
	if err != nil {
		fail(fmt.Sprintf("MIB %q is not a whole number", flag.Arg(0)))
	}
	index := cluster.Auto
	if flag.NArg() > 1 {
		if index, err = cluster.ParseIndex(flag.Arg(1)); err != nil {
			fail(err)
		}
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			fail(err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			fail(err)
		}
		defer pprof.StopCPUProfile()
	}
	t, err := cluster.New(mib, index)
	if err != nil {
		fail(err)
	}
	runtime.LockOSThread()
	b := &bench{t: t, at: map[string]uint64{}}
	b.fill()
	fmt.Fprintf(os.Stderr, "%d MiB, %s, %v\n", mib, t.Plan().Index, t.Memory())
	fmt.Println("ready")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var cell string
		var n uint64
		var work int
		if _, err := fmt.Sscan(in.Text(), &cell, &n, &work); err != nil || n == 0 {
			fail(fmt.Sprintf("invalid line %q: want CELL COUNT WORK", in.Text()))
		}
		with, without, hits := b.run(cell, n, work)
		fmt.Printf("%.3f %.3f %.4f\n", with, without, hits)
	}
	fmt.Fprintln(os.Stderr, b.sink)
}

func fail(what any) {
	fmt.Fprintln(os.Stderr, "ttbench:", what)
	os.Exit(1)
}

func (b *bench) fill() {
	capacity := b.t.Capacity()
	for i := range 2 * capacity {
		b.t.Prefetch(key(fillSeed, i+ahead))
		k := key(fillSeed, i)
		b.t.Store(k, entry(k, uint8(k>>8&7)))
	}
	b.t.NewSearch()
	b.hits = capacity / 8
	for i := range b.hits {
		b.t.Prefetch(key(hitSeed, i+ahead))
		k := key(hitSeed, i)
		b.t.Store(k, entry(k, deep))
	}
}

// run times a cell without and with the table.
func (b *bench) run(cell string, n uint64, work int) (with, without, hits float64) {
	name := cell
	near := cell[len(cell)-1] == '+'
	if near {
		name = cell[:len(cell)-1]
	}
	i := b.at[name]
	timed := func(f func() uint64) (ns float64, hits uint64) {
		var used time.Duration
		stop := program.OnThread(&used)
		hits = f()
		stop()
		return float64(used) / float64(n), hits
	}
	var found uint64
	if name == "node" {
		without, _ = timed(func() uint64 { return b.nodeBase(i, i+n, work) })
		with, found = timed(func() uint64 { return b.node(i, i+n, work) })
		b.at[name] += n
		return with, without, float64(found) / float64(n)
	}
	s := map[string]uint64{"hit": hitSeed, "miss": missSeed, "store": newSeed, "pair": pairSeed}[name]
	if s == 0 {
		fail("unknown cell " + cell)
	}
	loop := map[string]func(s, i, end uint64) uint64{
		"hit": b.hit, "hit+": b.hitNear, "miss": b.miss, "miss+": b.missNear,
		"store": b.store, "store+": b.storeNear, "pair": b.pair, "pair+": b.pairNear,
	}[cell]
	without, _ = timed(func() uint64 { return b.base(s, i, i+n, near, name == "hit") })
	with, found = timed(func() uint64 { return loop(s, i, i+n) })
	b.at[name] += n
	return with, without, float64(found) / float64(n)
}
