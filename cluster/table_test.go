package cluster

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"trefoil/internal/mem"
	"trefoil/internal/tabletest"
)

var long = flag.Bool("long", false, "run the tests that take minutes, with the figures of docs/results")

// mix is the finaliser of splitmix64: a bijection that looks random.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// stream is splitmix64: key i of a seed.
func stream(seed, i uint64) uint64 { return mix(seed + i*0x9E3779B97F4A7C15) }

// entryOf is an entry that is a function of the key and has a move.
func entryOf(key uint64) Entry {
	r := mix(key ^ 0x5851F42D4C957F2D)
	return Entry{Move: uint16(r) | 1, Value: int16(r >> 16), Eval: int16(r >> 32), Quality: Quality{
		Depth: uint8(r >> 48 & 31), Bound: Bound(r >> 56 & 3), PV: r>>60&1 != 0,
	}}
}

func mustNew(t testing.TB, mib uint64, index Index, opts ...Option) *Table {
	t.Helper()
	table, err := New(mib, index, opts...)
	tabletest.CloseAtEnd(t, table, err)
	return table
}

// shrunk is a table that uses only its first clusters, a small even number.
func shrunk(t testing.TB, clusters uint64, index Index, opts ...Option) *Table {
	t.Helper()
	table := mustNew(t, 1, index, opts...)
	table.factor = factor(Plan{Clusters: clusters, Index: table.index})
	return table
}

func TestNewRefuses(t *testing.T) {
	machine := mem.Machine()
	beyond := min(machine.Total>>20*2, MaxMiB)
	for _, c := range []struct {
		mib   uint64
		index Index
		words []string
	}{
		{0, Auto, []string{"0 MiB", "1 to 33554432"}},
		{MaxMiB + 1, Auto, []string{"33554433", "1 to 33554432"}},
		{math.MaxUint64, Auto, []string{"18446744073709551615"}},
		{16, Pow2 + 1, []string{"index 4"}},
		{beyond, Mul64, []string{"refused", "available"}},
		{MaxMiB, Auto, []string{"33554432", "refused"}},
	} {
		if c.mib == 0 && beyond == 0 {
			continue // the machine does not report its memory
		}
		table, err := New(c.mib, c.index)
		if err == nil {
			table.Close()
			t.Errorf("%d MiB, %s: no error", c.mib, c.index)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%d MiB, %s: %q lacks %q", c.mib, c.index, err, w)
			}
		}
	}
}

func TestKeyBitsRefused(t *testing.T) {
	for _, bits := range []int{-1, 0, MinKeyBits - 1, MaxKeyBits + 1} {
		if _, err := New(1, Auto, KeyBits(bits)); err == nil ||
			!strings.Contains(err.Error(), fmt.Sprintf("hash with %d key bits refused: 8 to 21", bits)) {
			t.Errorf("%d key bits: %v", bits, err)
		}
	}
	for _, bits := range []int{MinKeyBits, MaxKeyBits} {
		if table := mustNew(t, 1, Auto, KeyBits(bits)); table.KeyBits() != bits {
			t.Errorf("%d key bits, want %d", table.KeyBits(), bits)
		}
	}
}

// TestBytes: the plan of a table that has less than its size.
func TestBytes(t *testing.T) {
	for kib, want := range map[uint64]uint64{1: mem.Least >> 10, 300: 300, 5 << 10: 3 << 10, 0: 3 << 10} {
		table := mustNew(t, 3, Auto, Memory(MemoryOptions{Bytes: kib << 10}))
		if p := table.Plan(); p.MiB != 3 || p.Clusters*BytesPerCluster != want<<10 || p.Allocated != want>>10 {
			t.Errorf("%d KiB of 3 MiB: %+v", kib, p)
		}
	}
}

// TestClearResets: a cleared table is like a new one, to the last word and its generation.
func TestClearResets(t *testing.T) {
	table := filled(t, 3, Auto, 1, 1e5)
	if err := table.Clear(context.Background()); err != nil {
		t.Error(err)
	}
	for i, w := range table.region.Words() {
		if w != 0 {
			t.Fatalf("word %d is %#x after Clear", i, w)
		}
	}
	if g := table.generation.Load(); g != 0 {
		t.Errorf("generation %d after Clear", g>>generationShift)
	}
}

// TestClearTouchesLittle: only clusters that were written are cleared, as long as they are few.
func TestClearTouchesLittle(t *testing.T) {
	table, ended := mustNew(t, 2, Auto), tabletest.Ended(t)
	listed := uint64(len(table.written.list))
	const mark = 5 // a word that no store has written
	for _, keys := range []uint64{0, 1, listed, listed + 1, 10 * listed} {
		used := map[uint64]bool{}
		for i := uint64(0); uint64(len(used)) < keys; i++ {
			table.Store(stream(3, i), entryOf(i))
			used[table.IndexOf(stream(3, i))] = true
		}
		unused := uint64(0)
		for used[unused] {
			unused++
		}
		table.cluster(unused)[3] = mark
		if err := table.Clear(ended); (err == nil) != (keys == 0) {
			t.Errorf("%d keys, stopped: %v", keys, err)
		}
		if err := table.Clear(context.Background()); err != nil || table.written.any() {
			t.Errorf("%d keys: %v", keys, err)
		}
		want := uint64(0)
		if keys <= listed {
			want = mark
		}
		if got := table.cluster(unused)[3]; got != want {
			t.Errorf("%d keys: another word is %d, want %d", keys, got, want)
		}
		table.cluster(unused)[3] = 0
		if i := slices.IndexFunc(table.region.Words(), func(w uint64) bool { return w != 0 }); i >= 0 {
			t.Errorf("%d keys: word %d is not cleared", keys, i)
		}
	}
}

// TestClearAfterAnEmptyLookingKey: a key whose check bits are all zero looks like an empty entry, and
// Store takes another path for it, which must record that it writes too.
func TestClearAfterAnEmptyLookingKey(t *testing.T) {
	table := mustNew(t, 1, Mul32)
	table.Store(0, Entry{Move: 1})
	if _, ok := table.Probe(0); !ok {
		t.Fatal("stored entry of key 0 not found")
	}
	if err := table.Clear(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, ok := table.Probe(0); ok {
		t.Error("hit after Clear")
	}
}

// TestPrefaultLimitsUse: while Prefault runs, only the touched part is used; after it, or when it is
// stopped, the whole table is.
func TestPrefaultLimitsUse(t *testing.T) {
	table := mustNew(t, 16, Mul32)
	low, high := uint64(0), uint64(1<<33-2) // of the first and the last cluster
	for _, k := range []uint64{low, high} {
		table.Store(k, entryOf(k))
	}
	probe := func(when string, wantLow, wantHigh bool) {
		t.Helper()
		_, okLow := table.Probe(low)
		_, okHigh := table.Probe(high)
		if okLow != wantLow || okHigh != wantHigh {
			t.Errorf("%s: first cluster %v, last %v", when, okLow, okHigh)
		}
	}
	probe("before", true, true)
	table.ready.Store(uintptr(table.base))
	probe("nothing touched", false, false)
	table.Store(low, Entry{})
	table.ready.Store(uintptr(table.base) + 4<<20)
	probe("the first piece touched", true, false)
	if e, _ := table.Probe(low); e.Entry != entryOf(low) {
		t.Errorf("a store into what is not ready changed it to %v", e)
	}
	table.Prefault(tabletest.Ended(t))
	probe("stopped", true, true)
	table.Prefault(context.Background())
	probe("done", true, true)
}

func TestFull(t *testing.T) {
	table := mustNew(t, 1, Auto)
	if f := table.Full(); f != 0 {
		t.Errorf("an empty table is %d permille full", f)
	}
	for i := range uint64(4 * 3 * ClustersPerMiB) {
		table.Store(stream(1, i), Entry{})
	}
	if f := table.Full(); f < 990 || f > 1000 {
		t.Errorf("stored four times its size, a table is %d permille full", f)
	}
	table.NewSearch()
	if f := table.Full(); f != 0 {
		t.Errorf("a new search begins at %d permille", f)
	}
	for i := range uint64(3 * ClustersPerMiB / 2) {
		table.Store(stream(2, i), Entry{})
	}
	// Half the size, at random: mean of min(3, Poisson(1.5)) / 3 = 0.447.
	if f := table.Full(); f < 400 || f > 500 {
		t.Errorf("stored half its size, a table is %d permille full", f)
	}
}

// TestRefreshedCounts: an entry that hits have put as far ahead of the present as they can is of this
// search, and of the one before when the next begins.
func TestRefreshedCounts(t *testing.T) {
	table := shrunk(t, 2, Mul32)
	for search := range 3 * generations {
		clear(table.region.Words())
		table.Store(0, Entry{Move: 1, Quality: Quality{Bound: Exact}})
		for range 5 {
			table.Refresh(0)
		}
		c, err := table.Census(context.Background())
		if err != nil || c.Used != 1 || c.Current != 1 {
			t.Errorf("search %d: %+v, %v", search, c, err)
		}
		table.NewSearch()
		if c, err = table.Census(context.Background()); err != nil || c.Used != 1 || c.Current != 0 {
			t.Errorf("search %d, when the next has begun: %+v, %v", search, c, err)
		}
	}
}

// TestEvictionsBeginGenerations: a search that evicts five entries for every two that the table holds begins a
// generation, and all that it has stored counts as its own.
func TestEvictionsBeginGenerations(t *testing.T) {
	for _, bytes := range []uint64{mem.Least, 1 << 20} {
		evictionsBeginGenerations(t, mustNew(t, 1, Auto, Memory(MemoryOptions{Bytes: bytes})))
	}
}

func evictionsBeginGenerations(t *testing.T, table *Table) {
	t.Helper()
	evicted := uint64(0)
	for i := range 20 * table.Capacity() {
		if table.Store(stream(9, i), Entry{Quality: Quality{Depth: 1}}).Outcome() == Evicted {
			evicted++
		}
	}
	// One eviction in 256 is counted, which varies by 2 % here.
	got, want := float64(table.generation.Load()>>generationShift), float64(evicted)/float64(table.Capacity())/2.5
	if math.Abs(got-want) > 1 {
		t.Errorf("%d entries: %.0f generations, want %.1f", table.Capacity(), got, want)
	}
	if f := table.Full(); f < 990 {
		t.Errorf("%d entries: %d permille are of this search", table.Capacity(), f)
	}
}

// TestNeighbouringKeys: keys that differ in nothing but the lowest check bit of a word are two keys.
func TestNeighbouringKeys(t *testing.T) {
	const key, neighbour = 7 << moveShift, 1<<keyShift | 7<<moveShift
	table := shrunk(t, 2, Mul32)
	table.Store(key, Entry{Move: 7}) // its word is the key
	words := slices.Clone(table.region.Words())
	if e, ok := table.Probe(neighbour); ok {
		t.Errorf("hit: %+v", e)
	}
	if at, ok := table.Locate(neighbour); ok {
		t.Errorf("located at %d", at)
	}
	if table.Refresh(neighbour); !slices.Equal(table.region.Words(), words) {
		t.Error("Refresh of a key changed its neighbour")
	}
	if outcome := table.Store(neighbour, Entry{Move: 8}).Outcome(); outcome != Filled {
		t.Errorf("outcome %d", outcome)
	}
	if e, ok := table.Probe(key); !ok || e.Move != 7 {
		t.Errorf("%+v, %v", e, ok)
	}
}

// TestEvictedZeros: an entry of zeros that another position replaces is evicted, although nothing but its
// check bits distinguishes it from an empty one.
func TestEvictedZeros(t *testing.T) {
	table := shrunk(t, 2, Mul32)
	for i, want := range []Outcome{Filled, Filled, Filled, Evicted} {
		if got := table.Store(uint64(i+1)<<keyShift, Entry{}).Outcome(); got != want {
			t.Errorf("store %d: outcome %d, want %d", i+1, got, want)
		}
	}
}

// TestFilledMeanwhile: if other goroutines fill a cluster before a store takes the entry that was empty,
// the last one is replaced.
func TestFilledMeanwhile(t *testing.T) {
	table := shrunk(t, 2, Mul32)
	for i := range uint64(EntriesPerCluster) {
		table.Store(i<<keyShift, entryOf(i))
	}
	const key = 9 << keyShift
	_, check := table.find(key)
	table.storeEmpty(table.cluster(0), check&keyMask|5<<moveShift, evalCheckOf(check))
	for i, want := range map[uint64]uint16{0: entryOf(0).Move, 1: entryOf(1).Move, 9: 5} {
		if e, ok := table.Probe(i << keyShift); !ok || e.Move != want {
			t.Errorf("key %d: %+v, %v, want move %d", i, e, ok, want)
		}
	}
}

func TestGenerationsGoRound(t *testing.T) {
	table := mustNew(t, 1, Auto)
	for i := range uint64(100) {
		table.NewSearch()
		table.Store(stream(3, i), entryOf(i))
		if e, ok := table.Probe(stream(3, i)); !ok || e.Entry != entryOf(i) {
			t.Fatalf("search %d: %v, %v", i, e, ok)
		}
	}
}

// TestAgesGoRound: ages are right wherever the generations begin anew. Of an entry of the last search and one of this,
// the former stays if it is deeper by more than a search weighs, and goes if by less.
func TestAgesGoRound(t *testing.T) {
	table := shrunk(t, 2, Mul32)
	check := uint64(0)
	store := func(depth uint8) (result StoreResult) {
		check++ // no key of the sample of evictions
		return table.Store(check<<43, Entry{Move: 1, Quality: Quality{Depth: depth, Bound: Exact}})
	}
	const present = 10
	weight := TablePolicy().Search * TablePolicy().Age
	for search := range 3 * generations {
		for last, want := range map[int]int{present + weight + 1: present, present + weight - 1: present + weight - 1} {
			clear(table.region.Words())
			store(uint8(last))
			table.NewSearch()
			store(present)
			store(MaxDepth)
			if got := store(1).Depth(); got != want {
				t.Fatalf("search %d: of depths %d and %d, %d was replaced", search, last, present, got)
			}
		}
	}
}

func TestNoAllocations(t *testing.T) {
	table := mustNew(t, 1, Auto)
	i := uint64(0)
	if n := testing.AllocsPerRun(1000, func() {
		i++
		k := stream(4, i)
		table.Prefetch(k)
		table.Store(k, entryOf(k))
		table.Store(k, Entry{})
		if _, ok := table.Probe(k); !ok {
			t.Error("miss")
		}
		table.NewSearch()
		table.Full()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// sparse makes New reserve address space only: no memory is charged until it is touched, and
// the size is not compared with the machine's memory. So tables larger than the machine can be
// tested; New fails on systems without sparse memory.
func sparse() Option { return func(c *config) { c.sparse = true } }

// TestMoreThan32Bits: more than 2^32 clusters, on address space that is reserved and touched at a few
// places.
func TestMoreThan32Bits(t *testing.T) {
	if os.Getenv("TREFOIL_NO_SPARSE") != "" {
		t.Skip("TREFOIL_NO_SPARSE is set")
	}
	const mib = 300_001
	table, err := New(mib, Auto, sparse())
	if err != nil {
		t.Skip("this system forbids sparse memory: ", err)
	}
	defer table.Close()
	if p := table.Plan(); p.Index != Mul64 || p.Warning == "" || p.Clusters != mib*ClustersPerMiB {
		t.Errorf("plan %+v", p)
	}
	const n = 5000
	above, top := 0, uint64(0)
	for i := range uint64(n) {
		k := stream(5, i)
		if x := table.IndexOf(k); x > math.MaxUint32 {
			above++
			top = max(top, x)
		}
		table.Prefetch(k)
		table.Store(k, entryOf(k))
	}
	for i := range uint64(n) {
		k := stream(5, i)
		if e, ok := table.Probe(k); !ok || e.Entry != entryOf(k) {
			t.Fatalf("cluster %d: %v, %v", table.IndexOf(k), e, ok)
		}
	}
	// 56 % of the clusters have numbers of more than 32 bits.
	if share := float64(above) / n; share < 0.5 || share > 0.62 || top < table.Plan().Clusters/10*9 {
		t.Errorf("%.3f of the keys above 2^32, the highest %d of %d", share, top, table.Plan().Clusters)
	}
	first, last := uint64(0), ^uint64(0)
	table.Store(first, entryOf(first))
	table.Store(last, entryOf(last))
	for _, k := range []uint64{first, last} {
		if e, ok := table.Probe(k); !ok || e.Entry != entryOf(k) {
			t.Errorf("key %#x in cluster %d: %v, %v", k, table.IndexOf(k), e, ok)
		}
	}
	t.Logf("%d of %d keys above cluster 2^32, the highest in %d", above, n, top)
}
