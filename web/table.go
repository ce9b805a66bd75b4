package web

import (
	"bytes"
	"fmt"
	"math/bits"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"trefoil/engine/registry"
	"trefoil/ttanalysis/observe"
	"trefoil/web/board"
)

// A sampler draws maps of the tables: a table of any size has at most maxPixels pixels, and each shows a
// place of the table: a pair of neighbouring clusters, a few slots, or a bucket. So a picture reads at most
// maxPixels places, five times a second for all pages together, and without a page nothing is read.
//
//	pixel       0                 1                 2
//	places   │ ■ · · · · · · · │ ■ · · · · · · · │ ■ · · …
type sampler struct {
	mu       sync.Mutex
	viewer   registry.Viewer // of the current game; nil if it has none
	game     *game
	pictures map[string]*picture // by the kind that was asked for
}

// picture is the latest of one kind of table.
type picture struct {
	at    time.Time
	table *tableJSON // of that time; nil if there was none
	pages string
	paged time.Time // when pages was asked for, which takes longer
}

const (
	mapWidth  = 64
	maxPixels = mapWidth * mapWidth
	// pictureInterval is the least time between two pictures.
	pictureInterval = 200 * time.Millisecond
	// pixelBytes is how much of tableJSON.Cells a pixel has.
	pixelBytes = 4
	// pagesInterval is how long what the system says of the memory of a table is kept.
	pagesInterval = 5 * time.Second
)

// tableJSON is the event table. Its sizes are 0 if there is no table, as before the first search.
type tableJSON struct {
	Kind    string   `json:"kind"`
	Kinds   []string `json:"kinds"` // those that there are
	Game    string   `json:"game"`
	MiB     uint64   `json:"mib"`
	Entries uint64   `json:"entries"` // that there is room for
	Places  uint64   `json:"places"`
	Step    uint64   `json:"step"`            // places of a pixel, rounded
	InUse   uint64   `json:"inUse,omitempty"` // places, of a table that has more to grow into
	Index   string   `json:"index,omitempty"`
	Width   int      `json:"width"`
	Pixels  int      `json:"pixels"`
	Cells   []byte   `json:"cells"` // pixelBytes for each pixel: the method cell of the view of the kind
	// HashFull is permille: in a cluster table of entries stored or hit in this search, in a window table stored in it.
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
	Replaced   uint64   `json:"replaced"`           // entries of other positions
	HalfHits   *float64 `json:"halfHits,omitempty"` // shares of the probes
	DoubleHits *float64 `json:"doubleHits,omitempty"`
	FalseHits  *uint64  `json:"falseHits,omitempty"`
}

// tableView is what a map shows of a kind of table. Its methods may be called while a search uses the table.
type tableView interface {
	kind() string
	// describe sets what a picture says of the table as a whole.
	describe(j *tableJSON)
	memory() string
	// places is how many places there are now. The pixels show a sample of the places.
	places() uint64
	// cell returns the bytes of a pixel that shows a place.
	cell(place uint64) [pixelBytes]byte
	// Clusters, slots and buckets have numbers. A place has as many numbers as indexes returns. index returns
	// the number that a click on a place shows. content decodes the cluster, slot or bucket with a number.
	indexes() uint64
	index(place uint64) uint64
	content(index uint64, g *game) *placeJSON
}

// placeJSON is a cluster, a few slots or a bucket, bit by bit.
type placeJSON struct {
	Kind    string      `json:"kind"`
	Index   uint64      `json:"index"` // of the cluster, the first slot, the bucket
	Pixel   int         `json:"pixel"`
	Side    *uint64     `json:"side,omitempty"` // to move, in a cluster
	Bytes   string      `json:"bytes"`          // as they lie in memory
	Entries []entryJSON `json:"entries"`
	Found   *int        `json:"found,omitempty"` // the entry of the position that was asked for, -1 if it has none
}

// entryJSON is an entry.
type entryJSON struct {
	Used    bool        `json:"used"`
	Bits    []fieldJSON `json:"bits"`
	Content any         `json:"content"` // what it says: a clusterEntry, a windowEntry or a remainderEntry
}

// fieldJSON is a field of an entry. Bit 0 is the lowest bit of byte 0, bit 64 the lowest of byte 8.
type fieldJSON struct {
	Name  string `json:"name"`
	From  int    `json:"from"`
	To    int    `json:"to"`
	Value any    `json:"value"` // a number, or hexadecimal digits if numbers of JSON are not exact
}

// viewsOf are the views of the tables that there are.
func viewsOf(t *registry.Tables) (views []tableView) {
	if t.Cluster != nil {
		views = append(views, clusterView{t.Cluster})
	}
	if t.Window != nil {
		views = append(views, windowView{t.Window})
	}
	if t.Exact != nil {
		views = append(views, remainderView{t.Exact})
	}
	return views
}

// watch sets whose tables are shown.
func (s *sampler) watch(game *game, v registry.Viewer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.viewer != v {
		s.viewer, s.game, s.pictures = v, game, nil
	}
}

// look calls f with the view of the table of a kind, or of the first table if the game has no such table,
// and with all kinds. f is not called if there is no table. The lock is held.
func (s *sampler) look(kind string, f func(v tableView, kinds []string)) {
	if s.viewer == nil {
		return
	}
	s.viewer.Look(func(t registry.Tables) {
		views := viewsOf(&t)
		if len(views) == 0 {
			return
		}
		var kinds []string
		for _, v := range views {
			kinds = append(kinds, v.kind())
		}
		f(views[max(0, slices.Index(kinds, kind))], kinds)
	})
}

// picture returns a table as it is, or was less than pictureInterval ago; nil if there is none. Kind is the one wanted.
func (s *sampler) picture(kind string, now time.Time) *tableJSON {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(tableKinds, kind) {
		kind = ""
	}
	p := s.pictures[kind]
	if p == nil {
		p = new(picture)
		if s.pictures == nil {
			s.pictures = map[string]*picture{}
		}
		s.pictures[kind] = p
	}
	if now.Sub(p.at) < pictureInterval {
		return p.table
	}
	last := p.table
	p.at, p.table = now, nil
	s.look(kind, func(v tableView, kinds []string) {
		t := draw(v)
		t.Kinds, t.Game = kinds, s.game.Name
		same := last != nil && last.Kind == t.Kind && last.Game == t.Game && last.MiB == t.MiB
		if !same || now.Sub(p.paged) >= pagesInterval {
			p.pages, p.paged = v.memory(), now
		}
		t.Pages = p.pages
		p.table = t
	})
	if c, ok := s.viewer.(registry.ClusterHasher); ok && p.table != nil && p.table.Kind == board.ClusterTable {
		if live, ok := c.Live(); ok {
			p.table.liveJSON = liveOf(&live)
		}
	}
	return p.table
}

// draw draws a table.
func draw(v tableView) *tableJSON {
	places := v.places()
	pixels := pixelsOf(places)
	j := &tableJSON{Kind: v.kind(), Places: places, Width: mapWidth, Pixels: pixels,
		Cells: make([]byte, 0, pixels*pixelBytes)}
	j.Step = (places + uint64(pixels)/2) / uint64(pixels)
	v.describe(j)
	for i := range pixels {
		cell := v.cell(placeOf(i, places))
		j.Cells = append(j.Cells, cell[:]...)
	}
	return j
}

// pixelsOf is how many pixels a table of that many places has.
func pixelsOf(places uint64) int { return int(min(places, maxPixels)) }

// placeOf is the place that a pixel shows.
func placeOf(pixel int, places uint64) uint64 {
	return uint64(pixel) * places / uint64(pixelsOf(places))
}

// pixelOf is the pixel to which a place belongs: the last one that shows no later place.
func pixelOf(place, places uint64) int {
	return int(((place+1)*uint64(pixelsOf(places)) - 1) / places)
}

// liveOf writes the counters of a search.
func liveOf(l *observe.Live) *liveJSON {
	c, n := &l.Counters, l.Scale
	j := &liveJSON{Probes: n * c.Probes, Hits: n * c.Hits, Cutoffs: n * c.Cutoffs, Stores: n * c.Stores,
		Replaced: n * (c.Evicted + c.EvictedOlder)}
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
	return a == b || a != nil && b != nil && bytes.Equal(a.Cells, b.Cells) && a.Kind == b.Kind &&
		slices.Equal(a.Kinds, b.Kinds) &&
		a.Game == b.Game && a.HashFull == b.HashFull && a.Pages == b.Pages && a.MiB == b.MiB && a.Places == b.Places &&
		(a.liveJSON == nil) == (b.liveJSON == nil) && (a.liveJSON == nil || a.Probes == b.Probes)
}

// errNoTable is the answer where there is no table.
var errNoTable = refuse(http.StatusNotFound, "there is no table: it is made at the first search")

// showPlace answers GET /api/cluster: the cluster, the slots or the bucket with a number, or what a pixel
// shows.
func (s *Server) showPlace(r *http.Request) (any, error) {
	m, query := &s.sampler, r.URL.Query()
	kind := query.Get("kind")
	if kind != "" && !slices.Contains(tableKinds, kind) {
		return nil, bad("kind %.40q is not one of %q", kind, tableKinds)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var answer *placeJSON
	err := errNoTable
	m.look(kind, func(v tableView, kinds []string) {
		if kind != "" && v.kind() != kind {
			err = refuse(http.StatusNotFound, "there is no table of kind %q now: there are %q", kind, kinds)
			return
		}
		places := v.places()
		var index uint64
		if pixel := query.Get("pixel"); pixel != "" {
			index, err = number("pixel", pixel, uint64(pixelsOf(places)))
			index = v.index(placeOf(int(index), places))
		} else {
			index, err = number("index", query.Get("index"), places*v.indexes())
		}
		if err == nil {
			answer = contentOf(v, index, m.game)
		}
	})
	return answer, err
}

// number reads a number below a bound.
func number(name, text string, bound uint64) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n >= bound {
		return 0, bad("%s %.40q is not a number from 0 to %d", name, text, max(bound, 1)-1)
	}
	return n, nil
}

// contentOf decodes what has a number.
func contentOf(v tableView, index uint64, g *game) *placeJSON {
	j := v.content(index, g)
	j.Kind, j.Pixel = v.kind(), pixelOf(index/v.indexes(), v.places())
	return j
}

// findPosition answers POST /api/cluster: the cluster of a position.
func (s *Server) findPosition(_ *http.Request, p *position) (any, error) {
	var answer *placeJSON
	err := s.lookUp(p, func(v clusterView, keyed board.Keyed, g *game) { answer = v.find(keyed, g) })
	if err == nil && answer == nil {
		err = errNoTable
	}
	return answer, err
}

// lookUp calls f with a position and the cluster table of its game, if there is one.
func (s *Server) lookUp(p *position, f func(clusterView, board.Keyed, *game)) error {
	g, view, err := p.view(s.games)
	if err != nil {
		return err
	}
	m := &s.sampler
	m.mu.Lock()
	defer m.mu.Unlock()
	keyed, ok := view.Position.(board.Keyed)
	if !ok {
		return bad("game %s has no table of moves", g.Name)
	}
	if m.viewer != nil && m.game == g {
		m.look(board.ClusterTable, func(v tableView, _ []string) {
			if c, ok := v.(clusterView); ok {
				f(c, keyed, g)
			}
		})
	}
	return nil
}

// fieldOf returns a field of words.
func fieldOf(name string, from, to int, words []uint64) fieldJSON {
	const exact = 53 // bits of a number in JavaScript
	value := words[from/64] >> (from % 64) & (1<<(to-from+1) - 1)
	if to-from+1 > exact {
		return fieldJSON{name, from, to, fmt.Sprintf("%016x", value)}
	}
	return fieldJSON{name, from, to, value}
}

// bytesOf writes words as they lie in memory.
func bytesOf(words []uint64) (text string) {
	for _, w := range words {
		text += fmt.Sprintf("%016x", bits.ReverseBytes64(w))
	}
	return text
}
