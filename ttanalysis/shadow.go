package ttanalysis

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

	"trefoil/cluster"
)

// A Shadow predicts, while searches run, how many hits tables of other sizes would have had. It is a
// shadow directory: tables of the same design, one for each size, that receive the probes and stores
// of the searches. The searches do not use their answers.
//
// It samples: only keys that select the first 1 in 2^n of the clusters are passed on, to tables that are
// smaller by the same factor (spatially hashed sampling: Waldspurger, Park, Garthwaite and Ahmad,
// "Efficient MRC Construction with SHARDS", FAST 2015). Whole clusters are sampled, so replacement in a
// sampled cluster is as in a table that sees all keys.
//
// Its methods take keys and entries, as the table of a search does; they know nothing of traces. Probe and
// Store may be called by any number of workers at once. They share the tables under one mutex, because workers
// hit what others have stored. Predict may be called at any time, the other methods between searches.
type Shadow struct {
	index  cluster.Index
	shift  int       // n
	mask   uint64    // the key bits that are 0 in a sampled key
	sizes  []float64 // multiples of the size of the observed table
	mutex  sync.Mutex
	tables []Table                // of the size of the observed table, and then of sizes
	probes uint64                 // sampled
	hits   [shadowGroups][]uint64 // of groups of sampled clusters, by table
}

// shadowGroups is the number of groups that the sampled clusters are divided into. The differences
// between groups show how exact a prediction is.
const shadowGroups = 32

// The clusters sampled of a table: 1 in 64, but at least minSampled, because few clusters have few
// probes, and at most maxSampled, which limits the memory for hashStatsSizes to 12 MiB.
const (
	sampledShift = 6
	minSampled   = 2048
	maxSampled   = 32768
)

// The clusters sampled by a sparse shadow: 1 in 512, but at least minSparse.
const (
	sparseShift = 9
	minSparse   = 512
)

// NewShadow returns the shadow of an empty cluster.Table with an index, a number of check bits and a size in
// bytes. It predicts the hits of tables of sizes, which are multiples of that size. It refuses a shadow that
// does not fit into memory.
func NewShadow(index cluster.Index, keyBits int, bytes uint64, sizes []float64) (*Shadow, error) {
	return newShadow(index, keyBits, bytes, sizes, minSampled, sampledShift)
}

// newShadow samples 1 in 2^shift of the clusters, but at least least.
func newShadow(index cluster.Index, keyBits int, bytes uint64, sizes []float64, least uint64, shift int) (*Shadow,
	error) {
	s := &Shadow{index: index, sizes: sizes}
	d := DefaultDesign()
	d.Index, d.KeyBits = index, keyBits
	clusters := d.clusters(bytes)
	for clusters>>(s.shift+1) >= least && (s.shift < shift || clusters>>s.shift > maxSampled) {
		s.shift++
	}
	s.mask = firstBits(index, s.shift)
	d.Index = cluster.Mul32 // see rescale
	for _, size := range slices.Concat([]float64{1}, sizes) {
		t, err := d.New(uint64(float64(clusters>>s.shift)*size) * uint64(d.Bytes))
		if err != nil {
			return nil, fmt.Errorf("shadow of the hash: %w", err)
		}
		s.tables = append(s.tables, t)
	}
	s.ResetCounts()
	return s, nil
}

// ShadowOf returns the shadow of a table, which predicts the hits with half, twice and four times its size.
func ShadowOf(t *cluster.Table) (*Shadow, error) { return shadowOf(t, minSampled, sampledShift) }

// SparseShadowOf returns a shadow of fewer clusters, which takes less time; its predictions are less exact.
func SparseShadowOf(t *cluster.Table) (*Shadow, error) { return shadowOf(t, minSparse, sparseShift) }

func shadowOf(t *cluster.Table, least uint64, shift int) (*Shadow, error) {
	bytes := t.Plan().Clusters * cluster.BytesPerCluster
	return newShadow(t.Plan().Index, t.KeyBits(), bytes, hashStatsSizes, least, shift)
}

// MaxShadowBytes is the most memory that ShadowOf takes.
const MaxShadowBytes = 12 << 20

// ResetCounts restarts the counts. The entries stay.
func (s *Shadow) ResetCounts() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.probes = 0
	for i := range s.hits {
		s.hits[i] = make([]uint64, len(s.tables))
	}
}

// Clear must be called when the table is cleared.
func (s *Shadow) Clear() {
	for _, t := range s.tables {
		t.Clear()
	}
}

// NewSearch must be called before each search.
func (s *Shadow) NewSearch() {
	for _, t := range s.tables {
		t.NewSearch()
	}
}

// Samples reports whether a key is sampled. Probes and stores of other keys need not be passed on.
func (s *Shadow) Samples(key uint64) bool { return key&s.mask == 0 }

// Unsampled returns a mask of at most n key bits: a key with any of these bits set is not sampled. With fewer bits
// than decide it, some keys without any of them are not sampled either.
func (s *Shadow) Unsampled(n int) uint64 { return firstBits(s.index, min(n, s.shift)) }

// firstBits returns a mask of the first n of the key bits that select a cluster.
func firstBits(index cluster.Index, n int) uint64 {
	mask := uint64(1)<<n - 1
	switch index {
	case cluster.Mul64:
		return mask << (64 - n)
	case cluster.Pow2:
		return mask << 1
	default:
		return mask << (33 - n)
	}
}

// rescale returns the key that selects, by Mul32, the cluster of a sampled key among the sampled ones: bits
// 1 to 32 are the bits that select the cluster of the table, without the first n, which are 0.
func (s *Shadow) rescale(key uint64) uint64 {
	selecting, others := uint32(key>>1), key>>33
	switch s.index {
	case cluster.Mul64:
		selecting, others = uint32(key>>32), key&math.MaxUint32>>1
	case cluster.Pow2:
		selecting = bits.Reverse32(selecting)
	}
	return others<<33 | uint64(selecting<<s.shift)<<1 | key&1
}

// Probe must be called for each probe of the table.
func (s *Shadow) Probe(key uint64) {
	if !s.Samples(key) {
		return
	}
	probe := ProbeRecord(s.rescale(key), 0, 0, 0, false, false, false) // any hit refreshes an entry
	group := probe.Key >> 28 % shadowGroups                            // the first of the bits that select the cluster
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.probes++
	for i, t := range s.tables {
		if found, hit := t.Probe(probe); hit && found.Key == probe.Key {
			s.hits[group][i]++
		}
	}
}

// Store must be called for each store into the table.
func (s *Shadow) Store(key uint64, e cluster.Entry) {
	if !s.Samples(key) {
		return
	}
	stored := StoreRecord(s.rescale(key), e)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, t := range s.tables {
		t.Store(stored)
	}
}

// A Prediction is the share of probes that would have been hits with a table of another size.
type Prediction struct {
	Size   float64 // as a multiple of the size of the table
	Share  float64
	Margin float64 // two standard errors of Share
}

// Predict returns the prediction for each size after searches in which the table itself had that
// many probes and hits; nil if no probe was sampled.
//
// It adds to the hits of the table the difference, within the sample, between that size and the
// table's own. So it does not matter whether a key that is probed very often is in the sample: it hits
// in tables of both sizes.
func (s *Shadow) Predict(probes, hits uint64) []Prediction {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.probes == 0 || probes == 0 {
		return nil
	}
	scale := math.Ldexp(1, s.shift) / float64(probes)
	all := make([]Prediction, len(s.sizes))
	for i, size := range s.sizes {
		sum, squares := 0.0, 0.0
		for _, group := range s.hits {
			d := float64(group[1+i]) - float64(group[0])
			sum += d
			squares += d * d
		}
		const none = 3 // upper bound of a Poisson mean whose count was 0, at 95 %
		deviation := math.Sqrt(max(0, squares-sum*sum/shadowGroups) * shadowGroups / (shadowGroups - 1))
		all[i] = Prediction{
			Size:   size,
			Share:  min(max(0, share(hits, probes)+scale*sum), 1),
			Margin: max(2*scale*deviation, none/float64(s.probes)),
		}
	}
	return all
}

// hashStatsSizes are the sizes for which HashStats reports the hits.
var hashStatsSizes = []float64{0.5, 2, 4}

// ShadowSizes are the sizes that the shadows of ShadowOf predict for, as multiples of the size of the table.
func ShadowSizes() []float64 { return slices.Clone(hashStatsSizes) }

// MemoryLine returns the predictions of a shadow of ShadowOf as a line of text.
func (s *Shadow) MemoryLine(c *Counters) string {
	p := s.Predict(c.Probes, c.Hits)
	if p == nil {
		return "memory: no probe was sampled"
	}
	return fmt.Sprintf("memory: half %.1f %%, this %.1f %%, twice %.1f %%, four times %.1f %% of these probes hit "+
		"(± %.1f, from 1 cluster in %d)",
		100*p[0].Share, 100*share(c.Hits, c.Probes), 100*p[1].Share, 100*p[2].Share,
		100*max(p[0].Margin, p[1].Margin, p[2].Margin), 1<<s.shift)
}
