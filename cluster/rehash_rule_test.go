package cluster

import (
	"cmp"
	"math"
	"slices"
	"testing"
)

// TestRehashKeepsTheBest: of the entries that may belong into a cluster the three of the highest
// replacement value stay, less one ply for each halving of the probability that they do. The numbers
// of entries that are found again are those that Rehashed expects.
func TestRehashKeepsTheBest(t *testing.T) {
	skipUnderRace(t)
	for _, c := range []struct {
		index    Index
		from, to uint64
	}{{Mul32, 2, 3}, {Mul32, 1, 2}, {Mul32, 3, 2}, {Mul32, 3, 1}, {Mul32, 1, 1}, {Mul64, 2, 3}, {Mul64, 3, 2}} {
		const seed = 5
		keys := 6 * c.from * ClustersPerMiB // full
		old := filled(t, c.from, c.index, seed, keys)
		for i := uint64(0); i < keys; i += 5 {
			old.Refresh(stream(seed, i)) // one ahead of the present
		}
		entries, now := entriesOf(old, seed, keys), old.generation.Load()
		place := make([]uint64, len(entries)) // pairs of the old table
		for i, e := range entries {
			place[i] = old.IndexOf(e.key) / 2
		}
		table := rehashed(t, old, c.to)
		kept, read, _ := table.Rehashed()
		n := found(table, entries)
		t.Logf("%s, %d MiB to %d: kept %d of %d, expected %d", c.index, c.from, c.to, n, read, kept)
		if math.Abs(float64(n)-float64(kept)) > 5*math.Sqrt(float64(read)) {
			t.Errorf("%s, %d MiB to %d: kept %d of %d, expected %d", c.index, c.from, c.to, n, read, kept)
		}
		clusters := candidates(entries, place, now, c.from, c.to)
		if wrong := againstRule(table, clusters); wrong > 0 {
			t.Errorf("%s, %d MiB to %d: %d clusters are against the rule", c.index, c.from, c.to, wrong)
		}
	}
}

// rated is an entry and its value for a cluster.
type rated struct {
	known
	worth float64
}

// candidates are the entries that may belong into each cluster of a table of another size in MiB, the most
// valuable first. place has the pair of clusters that each entry had.
func candidates(entries []known, place []uint64, now, from, to uint64) [][]rated {
	const margin = 1e-9 // bounds that meet
	clusters, scale := make([][]rated, to*ClustersPerMiB), float64(to)/float64(from)
	for n, e := range entries {
		lo, hi := float64(place[n])*scale, float64(place[n]+1)*scale
		for i := math.Floor(lo + margin); i < hi-margin; i++ {
			share := (min(hi, i+1) - max(lo, i)) / (hi - lo)
			worth := inPlies(e.word, now) + math.Log2(share)
			at := uint64(i)*2 + e.key&1
			clusters[at] = append(clusters[at], rated{e, worth})
		}
	}
	for _, all := range clusters {
		slices.SortFunc(all, func(a, b rated) int { return cmp.Compare(b.worth, a.worth) })
	}
	return clusters
}

// inPlies is the replacement value of an entry as Policy defines it.
func inPlies(w, now uint64) float64 {
	generations := int(age(w, now)>>generationShift) - int(aheadOf(w, now)>>generationShift)
	return float64(int(depthOf(w)) - TablePolicy().Age*generations)
}

// againstRule counts the clusters that lack an entry that should be there, or have one too many. Any of
// equals may be there.
func againstRule(table *Table, clusters [][]rated) (wrong int) {
	const margin = 1e-6
	for at, all := range clusters {
		if equalChecks(all, table.index) {
			continue // the table takes two of them for one
		}
		least := math.Inf(-1) // value of the third
		if len(all) >= EntriesPerCluster {
			least = all[EntriesPerCluster-1].worth
		}
		n := 0
		for _, e := range all {
			has := holds(table.cluster(uint64(at)), e.key, table)
			if has {
				n++
			}
			if !has && e.worth > least+margin || has && e.worth < least-margin {
				wrong++
				break
			}
		}
		if n < min(len(all), EntriesPerCluster) {
			wrong++
		}
	}
	return wrong
}

func equalChecks(all []rated, index Index) bool {
	for i := range all {
		for j := range i {
			if checkOf(all[i].key, index) == checkOf(all[j].key, index) {
				return true
			}
		}
	}
	return false
}

// holds reports whether a cluster has an entry with the check bits of a key.
func holds(c *words, key uint64, table *Table) bool {
	_, check := table.find(key)
	for i := range uint(EntriesPerCluster) {
		if c[i] != 0 && c[i]^check < table.limit &&
			(c[3]>>(i*evalSlotBits)^evalCheckOf(check))&table.evalCheckMask == 0 {
			return true
		}
	}
	return false
}
