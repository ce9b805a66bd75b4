package web

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"trefoil/cluster"
	"trefoil/engine/registry"
	"trefoil/ttanalysis/observe"
)

// A sampler draws the map of the table: a table of any size has at most maxPixels pixels, and each shows one pair of
// neighbouring clusters, which is one line of the cache. So a picture reads at most maxPixels lines, five times a
// second for all pages together, and without a page nothing is read.
//
//	pixel       0                 1                 2
//	pairs    │ ■ · · · · · · · │ ■ · · · · · · · │ ■ · · …
//
// The clusters 2n and 2n+1 of a pair are for the first and the second side to move.
type sampler struct {
	mu     sync.Mutex
	viewer registry.Viewer // of the current game; nil if it has none
	game   string
	at     time.Time
	latest *tableJSON // of that time
	pages  string
	paged  time.Time // when pages was asked for, which takes longer
}

const (
	mapWidth  = 64
	maxPixels = mapWidth * mapWidth
	// pictureInterval is the least time between two pictures.
	pictureInterval = 200 * time.Millisecond
	// pixelBytes is how much of tableJSON.Cells a pixel has.
	pixelBytes = 4
	// pagesInterval is how long what the system says of the memory is kept.
	pagesInterval = 5 * time.Second
)

// tableJSON is the event table.
type tableJSON struct {
	Game     string `json:"game"`
	MiB      uint64 `json:"mib"`
	Clusters uint64 `json:"clusters"`
	Index    string `json:"index"`
	Width    int    `json:"width"`
	Pixels   int    `json:"pixels"`
	Group    uint64 `json:"group"` // clusters of a pixel, rounded
	Cells    []byte `json:"cells"`
	HashFull int    `json:"hashfull"`
	Pages    string `json:"pages"`
	*liveJSON
}

// liveJSON are the counters of the search, if it is observed.
type liveJSON struct {
	Probes     uint64   `json:"probes"`
	Hits       uint64   `json:"hits"`
	Cutoffs    uint64   `json:"cutoffs"`
	Stores     uint64   `json:"stores"`
	Replaced   uint64   `json:"replaced"`
	HalfHits   *float64 `json:"halfHits,omitempty"` // shares of the probes
	DoubleHits *float64 `json:"doubleHits,omitempty"`
	FalseHits  *uint64  `json:"falseHits,omitempty"`
}

// watch sets whose table is shown.
func (s *sampler) watch(game string, v registry.Viewer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.viewer != v {
		s.viewer, s.game, s.latest, s.paged = v, game, nil, time.Time{}
	}
}

// picture returns the table as it is, or was less than pictureInterval ago; nil if there is none.
func (s *sampler) picture(now time.Time) *tableJSON {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.at) < pictureInterval {
		return s.latest
	}
	s.at, s.latest = now, nil
	if s.viewer == nil {
		return nil
	}
	s.viewer.Look(func(t *cluster.Table) { s.latest = s.draw(t, now) })
	if s.latest != nil {
		if live, ok := s.viewer.Live(); ok {
			s.latest.liveJSON = liveOf(&live)
		}
	}
	return s.latest
}

// draw draws a table.
func (s *sampler) draw(t *cluster.Table, now time.Time) *tableJSON {
	plan := t.Plan()
	pixels := pixelsOf(plan.Clusters)
	j := &tableJSON{
		Game: s.game, MiB: plan.MiB, Clusters: plan.Clusters, Index: plan.Index.String(),
		Width: mapWidth, Pixels: pixels, Group: (plan.Clusters + uint64(pixels)/2) / uint64(pixels),
		Cells: make([]byte, 0, pixels*pixelBytes), HashFull: t.Full(),
	}
	for i := range pixels {
		first := firstCluster(i, plan.Clusters)
		a, _ := t.Look(first)
		b, _ := t.Look(first + 1)
		cell := cellOf(&a, &b)
		j.Cells = append(j.Cells, cell[:]...)
	}
	if now.Sub(s.paged) >= pagesInterval {
		s.pages, s.paged = t.Memory().String(), now
	}
	j.Pages = s.pages
	return j
}

// pixelsOf is how many pixels a table has.
func pixelsOf(clusters uint64) int { return int(min(clusters/2, maxPixels)) }

// firstCluster is the number of the first of the two clusters that a pixel shows.
func firstCluster(pixel int, clusters uint64) uint64 {
	return uint64(pixel) * (clusters / 2) / uint64(pixelsOf(clusters)) * 2
}

// cellOf returns what the map shows of two clusters:
//
//	byte 0   entries in use of the first side, 0 to 3, and 16 × those of the second
//	byte 1   the mean age of the entries in use, in generations; one that hits have put ahead has age 0
//	byte 2   the greatest depth
//	byte 3   the bound of the deepest entry: 0 none, 1 upper, 2 lower, 3 exact
func cellOf(clusters ...*cluster.Content) (cell [pixelBytes]byte) {
	ages, used := 0, 0
	deepest := -1
	for side, c := range clusters {
		for _, e := range c.Entries {
			if !e.Used {
				continue
			}
			cell[0] += 1 << (4 * side)
			used++
			ages += max(e.Age, 0)
			if d := int(e.Depth); d > deepest {
				deepest, cell[2], cell[3] = d, e.Depth, byte(e.Bound)
			}
		}
	}
	if used > 0 {
		cell[1] = byte(ages / used)
	}
	return cell
}

// liveOf writes the counters of a search.
func liveOf(l *observe.Live) *liveJSON {
	c := &l.Counters
	j := &liveJSON{Probes: c.Probes, Hits: c.Hits, Cutoffs: c.Cutoffs, Stores: c.Stores, Replaced: c.Evicted + c.EvictedOlder}
	for _, p := range l.Predictions {
		switch p.Size {
		case 0.5:
			j.HalfHits = &p.Share
		case 2:
			j.DoubleHits = &p.Share
		}
	}
	if l.Audits {
		n := c.AllFalseHits()
		j.FalseHits = &n
	}
	return j
}

// same reports whether two pictures are the same.
func same(a, b *tableJSON) bool {
	return a == b || a != nil && b != nil && bytes.Equal(a.Cells, b.Cells) && a.Game == b.Game && a.HashFull == b.HashFull && a.Pages == b.Pages &&
		a.MiB == b.MiB && (a.liveJSON == nil) == (b.liveJSON == nil) && (a.liveJSON == nil || a.Probes == b.Probes)
}

// clusterJSON is a cluster, bit by bit.
type clusterJSON struct {
	Index   uint64      `json:"index"`
	Pixel   int         `json:"pixel"`
	Side    uint64      `json:"side"`
	Bytes   string      `json:"bytes"` // of the four words, as they lie in memory
	Entries []entryJSON `json:"entries"`
}

type entryJSON struct {
	Used  bool        `json:"used"`
	Bits  []fieldJSON `json:"bits"`
	Move  string      `json:"move"` // four hexadecimal digits, as the table has it
	Value int16       `json:"value"`
	Depth uint8       `json:"depth"`
	Bound string      `json:"bound"`
	PV    bool        `json:"pv"`
	Age   int         `json:"age"`
	Eval  int16       `json:"eval"`
}

type fieldJSON struct {
	Name  string `json:"name"`
	From  int    `json:"from"`
	To    int    `json:"to"`
	Value uint64 `json:"value"`
}

// showCluster answers GET /api/cluster: one by its number, or one of those that a pixel shows.
func (s *Server) showCluster(r *http.Request) (any, error) {
	m := &s.sampler
	m.mu.Lock()
	defer m.mu.Unlock()
	var answer *clusterJSON
	err := refuse(http.StatusNotFound, "there is no table: it is made at the first search")
	if m.viewer != nil {
		m.viewer.Look(func(t *cluster.Table) {
			answer, err = lookAt(t, r.URL.Query().Get("index"), r.URL.Query().Get("pixel"))
		})
	}
	return answer, err
}

// lookAt returns a cluster by its number or its pixel; of the two clusters of a pixel, the fuller one.
func lookAt(t *cluster.Table, index, pixel string) (*clusterJSON, error) {
	clusters := t.Plan().Clusters
	pixels := uint64(pixelsOf(clusters))
	var n uint64
	if pixel != "" {
		p, err := strconv.ParseUint(pixel, 10, 32)
		if err != nil || p >= pixels {
			return nil, bad("pixel %.40q is not a number from 0 to %d", pixel, pixels-1)
		}
		n = firstCluster(int(p), clusters)
		a, _ := t.Look(n)
		b, _ := t.Look(n + 1)
		if cell := cellOf(&a, &b); cell[0]>>4 > cell[0]&15 {
			n++
		}
	} else {
		var err error
		if n, err = strconv.ParseUint(index, 10, 64); err != nil || n >= clusters {
			return nil, bad("index %.40q is not a number from 0 to %d", index, clusters-1)
		}
	}
	c, _ := t.Look(n)
	j := &clusterJSON{Index: n, Pixel: int(n / 2 * pixels / (clusters / 2)), Side: n & 1}
	for _, w := range c.Words {
		for b := range 8 {
			j.Bytes += fmt.Sprintf("%02x", byte(w>>(8*b)))
		}
	}
	for i, e := range c.Entries {
		entry := entryJSON{
			Used: e.Used, Move: fmt.Sprintf("%04x", e.Move), Value: e.Value, Depth: e.Depth, Bound: [...]string{"none", "upper", "lower", "exact"}[e.Bound],
			PV: e.PV, Age: e.Age, Eval: e.Eval,
		}
		for _, f := range cluster.Fields(i) {
			entry.Bits = append(entry.Bits, fieldJSON{f.Name, f.From, f.To, f.Value(c.Words)})
		}
		j.Entries = append(j.Entries, entry)
	}
	return j, nil
}
