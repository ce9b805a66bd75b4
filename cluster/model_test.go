package cluster

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// model is the documented behaviour on Go maps and slices: every cluster has three entries, found by
// their 21 check bits.
type model struct {
	Policy
	clusters map[uint64]*[3]modelEntry
	now      int // generation
}

type modelEntry struct {
	used  bool
	check uint64
	since int // generation; more than now if it is ahead
	Entry
}

// ahead returns how many generations an entry is ahead of the present, less than 0 if it is behind, as
// far as the generation of an entry can tell.
func (m *model) ahead(e modelEntry) int {
	n, oldest := m.Generations, m.Generations-1-m.Ahead
	return ((e.since-m.now+oldest)%n+n)%n - oldest
}

// read is what a probe finds.
func (m *model) read(e modelEntry) Found { return Found{e.Entry, m.ahead(e) == m.Ahead} }

func checkOf(key uint64, index Index) uint64 {
	if index == Mul64 {
		return key >> 1 & (1<<21 - 1)
	}
	return key >> 43
}

func (m *model) find(at, check uint64) *modelEntry {
	if entries := m.clusters[at]; entries != nil {
		for i := range entries {
			if e := &entries[i]; e.used && e.check == check {
				return e
			}
		}
	}
	return nil
}

// set gives an entry a generation. The one that becomes a word of zero is lost.
func (e *modelEntry) set(generation int) {
	e.since = generation
	e.used = generation%generations != 0 || e.check>>5 != 0 || e.Entry != (Entry{Eval: e.Eval})
}

func (m *model) refresh(at, check uint64) {
	if e := m.find(at, check); e != nil {
		e.set(m.now + min(max(m.ahead(*e), 0)+1, m.Ahead))
	}
}

func (m *model) store(at, check uint64, e Entry) {
	plus := func(pv bool) int {
		if pv {
			return m.KeepPV
		}
		return 0
	}
	e.Depth = min(e.Depth, 127)
	fresh := modelEntry{check: check, Entry: e}
	if old := m.find(at, check); old != nil {
		if e.Move == 0 {
			fresh.Move = old.Move
		}
		if e.Bound != Exact && m.ahead(*old) > -m.Search && int(e.Depth)+plus(e.PV)+m.Keep <= int(old.Depth) {
			old.Move = fresh.Move
			return
		}
		ahead := max(m.ahead(*old), 0)
		if e.Depth > old.Depth {
			ahead = max(ahead-m.Deeper, 0)
		}
		fresh.set(m.now + ahead)
		*old = fresh
		return
	}
	if m.clusters[at] == nil {
		m.clusters[at] = new([3]modelEntry)
	}
	entries := m.clusters[at]
	for i := range entries {
		if !entries[i].used {
			fresh.set(m.now)
			entries[i] = fresh
			return
		}
	}
	fresh.set(m.now)
	if check%256 == 0 {
		defer func() { m.now++ }() // perGeneration is 1
	}
	// Of equals the two highest check bits pick one.
	pick := int(check >> 19)
	victim, least := -1, 0
	for i := range 4 {
		i ^= pick
		if i == 3 {
			continue
		}
		if w := int(entries[i].Depth) + m.Age*m.ahead(entries[i]); victim < 0 || w < least {
			victim, least = i, w
		}
	}
	entries[victim] = fresh
}

// keyOf draws keys that collide: few clusters, few check bits, and values that look like an empty
// entry.
func keyOf(index Index) *rapid.Generator[uint64] {
	few := rapid.Custom(func(t *rapid.T) uint64 {
		side := rapid.Uint64Range(0, 1).Draw(t, "side")
		high := rapid.SampledFrom([]uint64{0, 1, 2, 0x1F, 0x20, 0x21, 0x1FFFFF, 0x1FFFE0, 0xFFFF}).Draw(t, "check")
		place := rapid.Uint64Range(0, 1).Draw(t, "place")
		if index == Mul64 {
			return place<<63 | high<<1 | side
		}
		return high<<43 | place<<32 | place<<1 | side
	})
	return rapid.OneOf(few, rapid.SampledFrom([]uint64{0, 1, ^uint64(0), ^uint64(1)}), rapid.Uint64())
}

func anyEntry() *rapid.Generator[Entry] {
	return rapid.Custom(func(t *rapid.T) Entry {
		return Entry{
			Move:  rapid.OneOf(rapid.Just(uint16(0)), rapid.Uint16()).Draw(t, "move"),
			Value: rapid.Int16().Draw(t, "value"),
			Eval:  rapid.Int16().Draw(t, "eval"),
			Quality: Quality{
				Depth: rapid.OneOf(rapid.Uint8Max(8), rapid.Uint8()).Draw(t, "depth"),
				Bound: Bound(rapid.IntRange(int(None), int(Exact)).Draw(t, "bound")),
				PV:    rapid.Bool().Draw(t, "pv"),
			},
		}
	})
}

// TestAgainstModel: after any sequence of operations the table agrees with the model.
func TestAgainstModel(t *testing.T) {
	for _, index := range []Index{Mul32, Mul64, Pow2} {
		rapid.Check(t, likeTheModel(shrunk(t, 4, index)))
	}
}

func FuzzAgainstModel(f *testing.F) {
	for i := range byte(8) {
		seed := make([]byte, 1<<16) // enough for the draws of a sequence
		rand.NewChaCha8([32]byte{i}).Read(seed)
		f.Add(seed)
	}
	f.Fuzz(rapid.MakeFuzz(likeTheModel(shrunk(f, 4, Mul32))))
}

// likeTheModel compares the table with the model after every operation.
func likeTheModel(table *Table) func(*rapid.T) {
	return func(t *rapid.T) {
		clear(table.region.Words())
		table.aging.reset(0)
		table.perGeneration = 1
		m := model{TablePolicy(), map[uint64]*[3]modelEntry{}, 0}
		keys, values := keyOf(table.index), anyEntry()
		t.Repeat(map[string]func(*rapid.T){
			"store": func(t *rapid.T) {
				k, e := keys.Draw(t, "key"), values.Draw(t, "entry")
				table.Store(k, e)
				m.store(table.IndexOf(k), checkOf(k, table.index), e)
			},
			"new search": func(t *rapid.T) {
				for range rapid.SampledFrom([]int{1, 1, 1, 14, 15}).Draw(t, "searches") {
					table.NewSearch()
					m.now += m.Search
				}
			},
			"probe": func(t *rapid.T) { compare(t, table, &m, keys.Draw(t, "key")) },
			"refresh": func(t *rapid.T) {
				key := keys.Draw(t, "key")
				table.Refresh(key)
				m.refresh(table.IndexOf(key), checkOf(key, table.index))
			},
			"": func(t *rapid.T) {
				for at, entries := range m.clusters {
					for _, e := range entries {
						compare(t, table, &m, keyAt(at, e.check, table.index))
					}
				}
			},
		})
	}
}

// keyAt is some key with that check in that cluster of four.
func keyAt(at, check uint64, index Index) uint64 {
	switch index {
	case Mul32:
		return check<<43 | at>>1<<32 | at&1
	case Mul64:
		return at>>1<<63 | check<<1 | at&1
	default:
		return check<<43 | at
	}
}

func compare(t *rapid.T, table *Table, m *model, key uint64) {
	got, ok := table.Probe(key)
	want := m.find(table.IndexOf(key), checkOf(key, table.index))
	if ok != (want != nil) || ok && got != m.read(*want) {
		t.Fatalf("key %#x in cluster %d: got %v %v, want %v", key, table.IndexOf(key), got, ok, want)
	}
}

// TestFewerCheckBits: KeyBits drops the lowest check bits first.
func TestFewerCheckBits(t *testing.T) {
	for n := 8; n <= maxCheckBits; n++ {
		for _, index := range []Index{Mul32, Mul64} {
			table := shrunk(t, 2, index, KeyBits(n))
			key := stream(8, uint64(n))
			table.Store(key, Entry{Move: 1})
			for bit := range maxCheckBits {
				other := key ^ 1<<(63-bit)
				if index == Mul64 {
					other = key ^ 1<<(maxCheckBits-bit)
				}
				if table.IndexOf(other) != table.IndexOf(key) {
					continue // the highest bits choose the cluster of mul64
				}
				if _, ok := table.Probe(other); ok != (bit >= n) {
					t.Errorf("%s, %d check bits: a key that differs in bit %d of them: hit %v", index, n, bit+1, ok)
				}
			}
		}
	}
}
