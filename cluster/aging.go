package cluster

import "sync/atomic"

// aging counts the generations of a table. They are shifted to their position in a word, and not
// reduced modulo the number of generations.
type aging struct {
	generation atomic.Uint64
	begun      atomic.Uint64 // the generation in which the present search began
	copied     atomic.Uint64 // the generation of the copies, plus 1; 0: there are none

	evictions     atomic.Uint64 // of the sample
	perGeneration uint64        // evictions of the sample in a generation
}

const (
	perSearch = searchGenerations << generationShift
	maxAhead  = aheadGenerations << generationShift

	// evictionSample masks the lowest eight check bits. A store that evicts is counted if these bits of its
	// key are zero: one in 256.
	evictionSample = 0xFF << (64 - maxCheckBits)
)

// A new search adds more generations than an entry can be ahead, so in a table of one process no entry of
// the previous search is taken for an entry of the present one.
const _ = uint(perSearch - maxAhead - 1)

// init begins the first generation of a table of capacity entries.
func (a *aging) init(capacity uint64) {
	a.perGeneration = max(1, capacity*turnoverPercent/100/256)
	a.reset(0)
}

// reset begins a search in a generation, 0 to 63.
func (a *aging) reset(generation uint64) {
	a.generation.Store(generation << generationShift)
	a.begun.Store(generation << generationShift)
	a.copied.Store(0)
	a.evictions.Store(0)
}

// inheritAging continues in the generation of another table.
func (t *Table) inheritAging(old *aging) {
	if t.shared != nil {
		t.setGeneration(int(old.generation.Load() & generationMask >> generationShift))
		return
	}
	t.generation.Store(old.generation.Load())
	t.begun.Store(old.begun.Load())
}

// NewSearch begins a search: all entries become Policy.Search generations older, in a shared table (see Shared)
// that number divided by the number of its processes, but at least one.
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

// A new copy (see rehash) is youngestCopy generations old. When it is older than oldestCopy, entries may
// have its generation, and it becomes one.
const (
	youngestCopy = 5 * searchGenerations
	oldestCopy   = generations - 1 - aheadGenerations
)

// copies is the generation of the copies in a table, reduced and shifted as in a word.
type copies uint64

// noCopies is a generation that no word has.
const noCopies copies = 1

// copiesOf is the generation of copies of an age, 0 if there are none.
func copiesOf(generation uint64, age int) copies {
	if age == 0 {
		return noCopies
	}
	return copies((generation - uint64(age)<<generationShift) & generationMask)
}

// copies returns the generation of the copies that the table has.
func (a *aging) copies() copies { return copiesOf(a.generation.Load(), a.ageOfCopies()) }

// ageOfCopies is the age of the copies in generations, 0 if there are none.
func (a *aging) ageOfCopies() int {
	copied := a.copied.Load()
	age := (a.generation.Load() - (copied - 1)) >> generationShift
	if copied == 0 || age > oldestCopy {
		return 0
	}
	return int(age)
}

// setAgeOfCopies says how old the copies are that the table has or is about to get.
func (a *aging) setAgeOfCopies(age int) {
	a.copied.Store(0)
	if age > 0 {
		a.copied.Store(a.generation.Load() - uint64(age)<<generationShift + 1)
	}
}

// has reports whether a word that is not empty is a copy.
func (c copies) has(w uint64) bool { return w&generationMask == uint64(c) }

// mark makes a copy of a word. Where copies count as entries, the word stays an entry.
func (c copies) mark(w uint64) uint64 {
	if c == noCopies {
		return w
	}
	return w&^generationMask | uint64(c)
}

// avoid makes a word one generation younger if it would count as a copy.
func (c copies) avoid(w uint64) uint64 {
	if c.has(w) {
		return w&^generationMask | (w+1<<generationShift)&generationMask
	}
	return w
}
