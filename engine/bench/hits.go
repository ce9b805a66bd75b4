package bench

import (
	"math"
	"slices"

	"trefoil/cluster"
	"trefoil/game"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/observe"
)

// hitSizes are the sizes of tables whose hits are measured, as multiples of the size that the
// entries of a search fill to maxFull.
var hitSizes = [...]float64{0.0625, 0.125, 0.25, 0.5, 1, 2, 4}

// minGain is the gain in hits by twice the memory that a table must have to be too small.
const minGain = 0.01

// hitMeter measures the hits of tables of hitSizes in searches with one large table. A nil hitMeter
// measures nothing.
type hitMeter struct {
	observer *observe.Observer
	shadow   *ttanalysis.Shadow
	probes   uint64
	hits     [len(hitSizes)]float64
}

// newHitMeter returns a hitMeter for searches that would fill a table of mib MiB to maxFull. table is
// the one that they have.
func newHitMeter(table *cluster.Table, mib float64) (*hitMeter, error) {
	bytes := table.Plan().Clusters * cluster.BytesPerCluster
	var sizes []float64
	for _, size := range hitSizes {
		sizes = append(sizes, max(size*mib*(1<<20), minSampledBytes)/float64(bytes))
	}
	shadow, err := ttanalysis.NewShadow(table.Plan().Index, cluster.MaxKeyBits, bytes, sizes)
	if err != nil {
		return nil, err
	}
	m := &hitMeter{observer: observe.NewObserver(table, nil, nil), shadow: shadow}
	m.observer.SetShadow(shadow)
	return m, nil
}

// minSampledBytes is the smallest size that is measured: 64 sampled clusters where 1 in 64 is sampled.
const minSampledBytes = 64 * 64 * cluster.BytesPerCluster

// settings returns the settings of the next search.
func (m *hitMeter) settings(threads int) alphabeta.Settings {
	if m == nil {
		return alphabeta.Settings{}
	}
	_ = m.observer.NewSearch(threads) // fails only with a trace
	return alphabeta.Settings{Observer: m.observer.Worker}
}

// cleared must be called when the table has been cleared.
func (m *hitMeter) cleared() {
	if m != nil {
		m.shadow.Clear()
	}
}

// add adds the hits of the last search.
func (m *hitMeter) add() {
	c := m.observer.Counters()
	predictions := m.shadow.Predict(c.Probes, c.Hits)
	if predictions != nil {
		m.probes += c.Probes
	}
	for i, p := range predictions {
		m.hits[i] += p.Share * float64(c.Probes)
	}
}

// rates returns the shares of probes that hit, by hitSizes; a larger table has no fewer.
func (m *hitMeter) rates() (rates [len(hitSizes)]float64) {
	most := 0.0
	for i, n := range m.hits {
		most = max(most, n/float64(max(1, m.probes)))
		rates[i] = most
	}
	return rates
}

// enough returns the size, in the units of hitSizes, from which on twice the memory gains less than
// minGain. It is between the sizes that were measured, the last one if they all gain more, and 1
// without hits.
func enough(rates [len(hitSizes)]float64) float64 {
	if rates[0] <= 0 {
		return 1
	}
	before := 0.0
	for i := range len(hitSizes) - 1 {
		gain := max(rates[i+1]/rates[i]-1, 1e-6)
		switch {
		case gain >= minGain:
			before = gain
		case i == 0:
			return hitSizes[0]
		default: // gains fall about exponentially with the logarithm of the size
			return hitSizes[i-1] * math.Exp2(math.Log(before/minGain)/math.Log(before/gain))
		}
	}
	return hitSizes[len(hitSizes)-1]
}

// rateAt returns the share of probes that hit in a table of a size in the units of hitSizes, and whether it
// is known: not below the smallest size measured. Above the largest size measured it is the share at the
// largest.
func rateAt(rates [len(hitSizes)]float64, size float64) (rate float64, measured bool) {
	at, exact := slices.BinarySearch(hitSizes[:], size)
	switch {
	case exact:
		return rates[at], true
	case at == 0:
		return 0, false
	case at == len(hitSizes):
		return rates[at-1], true
	}
	part := math.Log2(size / hitSizes[at-1]) // of the way from one size to the next, twice as large
	return rates[at-1] + part*(rates[at]-rates[at-1]), true
}

// replied makes the move that a search of pos found, and the reply that it expects, and reports
// whether there are both.
func replied(pos alphabeta.Position, r search.Result) bool {
	for _, text := range []string{r.Best, r.Ponder} {
		var moves game.List
		pos.Moves(game.All, &moves)
		at := slices.IndexFunc(moves.All(), func(m game.Move) bool { return pos.Text(m) == text })
		if at < 0 {
			return false
		}
		pos.Make(moves.All()[at])
	}
	return true
}
