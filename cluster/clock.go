package cluster

import "sync/atomic"

// A clock counts the generations of a table. They are shifted to their position in a word, and not
// reduced modulo the number of generations.
type clock struct {
	generation atomic.Uint64
	begun      atomic.Uint64 // the generation in which the present search began

	evictions     atomic.Uint64 // of the sample
	perGeneration uint64        // evictions of the sample in a generation
}

const (
	perSearch = 4 << generationShift // generations that a new search adds
	maxAhead  = 3 << generationShift // that an entry may be ahead of the present

	// evictionSample masks the lowest eight check bits. A store that evicts is counted if these bits of its
	// key are zero: one in 256.
	evictionSample = 0xFF << (64 - maxCheckBits)
)

// A new search adds more generations than an entry can be ahead, so in a table of one process no entry of
// the previous search is taken for an entry of the present one.
const _ = uint(perSearch - maxAhead - 1)

// init starts the clock of a table of capacity entries.
func (c *clock) init(capacity uint64) {
	c.perGeneration = max(1, capacity*5/2/256)
	c.reset(0)
}

// reset begins a search in a generation, 0 to 63.
func (c *clock) reset(generation uint64) {
	c.generation.Store(generation << generationShift)
	c.begun.Store(generation << generationShift)
	c.evictions.Store(0)
}

// inheritClock continues the clock of another table.
func (t *Table) inheritClock(old *clock) {
	if t.shared != nil {
		t.setGeneration(int(old.generation.Load() & generationMask >> generationShift))
		return
	}
	t.generation.Store(old.generation.Load())
	t.begun.Store(old.begun.Load())
}

// NewSearch begins a search: all entries become four generations older, in a shared table (see Shared)
// four divided by the number of its processes, but at least one.
func (t *Table) NewSearch() {
	if t.shared != nil {
		t.newSearch()
		return
	}
	t.begun.Store(t.generation.Add(perSearch))
}

// countEviction counts an eviction of the sample; after every perGeneration of them a generation begins.
func (t *Table) countEviction() {
	if t.evictions.Add(1)%t.perGeneration != 0 {
		return
	}
	if t.shared == nil {
		t.generation.Add(1 << generationShift)
		return
	}
	t.shared.generations.Add(1)
	t.adopt()
}

// oldest returns the oldest generation that an entry can have. Modulo 64 it follows the generation now +
// maxAhead.
func oldest(now uint64) uint64 { return now + maxAhead + 1<<generationShift }

// sinceOldest returns how many generations an entry is younger than the oldest entry possible.
func sinceOldest(w, now uint64) uint64 {
	return (w - oldest(now)) & generationMask
}

// present is sinceOldest of an entry of the present generation.
const present = generationMask - maxAhead

// aheadOf returns how many generations an entry is ahead of the present, 0 if it is not.
func aheadOf(w, now uint64) uint64 { return max(sinceOldest(w, now), present) - present }

// age returns how many generations an entry is behind the present, 0 if it is not.
func age(w, now uint64) uint64 { return present - min(sinceOldest(w, now), present) }

// A searchSpan is the generations that the entries of a search can have: from begun to maxAhead after
// the present.
type searchSpan struct{ begun, length uint64 }

// search returns the span of the present search: all generations if it has had more than 60.
func (t *Table) search() searchSpan {
	begun := t.begun.Load()
	return searchSpan{begun, min(t.generation.Load()-begun+maxAhead, generationMask)}
}

// has reports whether an entry is of the search.
func (s searchSpan) has(w uint64) bool { return (w-s.begun)&generationMask <= s.length }
