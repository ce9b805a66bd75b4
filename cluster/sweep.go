package cluster

import (
	"encoding/binary"
	"math"

	"trefoil/internal/mem"
)

// A ratio is the ratio of the sizes of two tables, in lowest terms. On a scale on which a pair of the old
// table has the length new, a pair of the new table has the length old:
//
//	old pair i   i × new to (i+1) × new
//	new pair i   i × old to (i+1) × old
type ratio struct{ old, new uint64 }

// ratioOf returns the ratio of two numbers of clusters. The size of a large table is a whole number of MiB
// or of quarters of a MiB, so no product of a term with the number of a pair overflows.
func ratioOf(from, to uint64) ratio {
	a, b := from, to
	for b > 0 {
		a, b = b, a%b
	}
	return ratio{from / a, to / a}
}

// targets are the pairs of the new table that overlap a pair of the old one.
func (r ratio) targets(pair uint64) (first, last uint64) {
	return pair * r.new / r.old, ((pair+1)*r.new - 1) / r.old
}

// sources are the pairs of the old table that overlap a pair of the new one.
func (r ratio) sources(target uint64) (first, last uint64) {
	return target * r.old / r.new, ((target+1)*r.old - 1) / r.new
}

// share is the part of an old pair that a new one covers.
func (r ratio) share(pair, target uint64) float64 {
	overlap := min((pair+1)*r.new, (target+1)*r.old) - max(pair*r.new, target*r.old)
	return float64(overlap) / float64(r.new)
}

// home is the target that covers most of a pair, the first of equals, and the part that it covers.
func (r ratio) home(pair uint64) (home uint64, share float64) {
	first, last := r.targets(pair)
	for i := first; i <= min(last, first+2); i++ { // all between the first and the last cover equal parts
		if s := r.share(pair, i); s > share {
			home, share = i, s
		}
	}
	return home, share
}

// A sweep fills the clusters of one side to move, of pairs from a first to before end, in ascending
// order.
type sweep struct {
	table  *Table
	copies copies // of that table
	side   uint64
	at     uint64 // the pair being filled; all before it are complete
	end    uint64
	best   [EntriesPerCluster]candidate // for that pair; empty ones last

	read uint64  // entries
	kept float64 // sum of the shares of the entries written
}

// A candidate is an entry for a cluster.
type candidate struct {
	word  uint64 // 0: none
	eval  uint64 // its eval slot
	copy  bool
	share float64 // 0 for a copy of a copy
	worth float64
}

// sweeps returns a sweep for each side to move.
func (t *Table) sweeps(from, end uint64) [2]sweep {
	s := sweep{table: t, copies: t.copies(), at: from, end: end}
	other := s
	other.side = 1
	return [2]sweep{s, other}
}

// add reads the cluster of a pair of an old table of that ratio and with those copies. The clusters of a
// table have to be added in ascending order. count says whether its entries count as read.
func (s *sweep) add(r ratio, pair uint64, c *words, from copies, count bool) {
	oldest := oldest(s.table.generation.Load())
	first, last := r.targets(pair)
	home, most := r.home(pair)
	s.advance(first)
	for i := s.at; i <= last && i < s.end; i++ {
		s.advance(i)
		share, less := r.share(pair, i), 0.0
		if share < 1 {
			less = plyValue * math.Log2(share)
		}
		for slot, w := range c[:EntriesPerCluster] {
			eval := c[3] >> (uint(slot) * evalSlotBits) & evalSlotMask
			switch {
			case w == 0:
			case !from.has(w):
				w = s.copies.avoid(w)
				s.insert(candidate{w, eval, i != home, share, float64(replacementValue(w, oldest)) + less})
			case 2*share >= most:
				w = s.copies.mark(w)
				s.insert(candidate{w, eval, true, 0, float64(replacementValue(w, oldest)) + less})
			}
		}
	}
	for _, w := range c[:EntriesPerCluster] {
		if w != 0 && count && !from.has(w) {
			s.read++
		}
	}
}

// insert adds a candidate to the best of the cluster if it is worth more than the least of them. Of two
// entries of the same position the better one stays.
func (s *sweep) insert(c candidate) {
	least := &s.best[0]
	for i := range s.best {
		b := &s.best[i]
		switch {
		case b.word == 0:
			*b = c
			return
		case s.table.matches(b.word^c.word, b.eval, c.word, c.eval):
			share, isCopy := b.share+c.share, b.copy && c.copy
			if c.worth > b.worth {
				*b = c
			}
			b.share, b.copy = share, isCopy
			return
		case b.worth < least.worth:
			least = b
		}
	}
	if c.worth > least.worth {
		*least = c
	}
}

// advance writes all clusters before the cluster of a pair.
func (s *sweep) advance(pair uint64) {
	for ; s.at < pair; s.at++ {
		s.write()
	}
}

// write writes the cluster being filled.
func (s *sweep) write() {
	c := s.table.cluster(2*s.at + s.side)
	evals := uint64(0)
	for i, b := range s.best {
		evals |= b.eval << (uint(i) * evalSlotBits)
		if b.copy {
			b.word = s.copies.mark(b.word)
		}
		mem.StoreWord(&c[i], b.word)
		s.kept += b.share
	}
	mem.StoreWord(&c[3], evals)
	s.best = [EntriesPerCluster]candidate{}
}

// finish completes two sweeps.
func (t *Table) finish(sides *[2]sweep) {
	sides[0].advance(sides[0].end)
	sides[1].advance(sides[1].end)
	t.rehash.count.Lock()
	defer t.rehash.count.Unlock()
	t.rehash.kept += sides[0].kept + sides[1].kept
	t.rehash.read += sides[0].read + sides[1].read
}

// pairs is how many pairs of clusters the table has.
func (t *Table) pairs() uint64 { return t.plan.Clusters / 2 }

// A blockRehash fills a table with the entries of another one, block by block.
type blockRehash struct {
	ratio
	from  copies
	sides [2]sweep
}

// rehashBlocks begins to fill the table with the entries of a table with that many clusters and those copies.
func (t *Table) rehashBlocks(clusters uint64, from copies) *blockRehash {
	return &blockRehash{ratioOf(clusters, t.plan.Clusters), from, t.sweeps(0, t.pairs())}
}

// add reads the next block, which begins at byte at of the other table. It reports whether there was an
// entry in it or before it.
func (r *blockRehash) add(b []byte, at uint64) bool {
	for i := uint64(0); i < uint64(len(b)); i += BytesPerCluster {
		var c words
		for j := range c {
			c[j] = binary.LittleEndian.Uint64(b[i+8*uint64(j):])
		}
		n := (at + i) / BytesPerCluster
		r.sides[n&1].add(r.ratio, n>>1, &c, r.from, true)
	}
	return r.sides[0].read+r.sides[1].read > 0
}

// finish writes what is left.
func (r *blockRehash) finish() {
	t := r.sides[0].table
	t.finish(&r.sides)
	t.rehash.count.Lock()
	defer t.rehash.count.Unlock()
	t.rehash.done = true
}
