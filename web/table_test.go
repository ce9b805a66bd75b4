package web

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"trefoil/cluster"
	"trefoil/engine"
	"trefoil/engine/registry"
	"trefoil/game/connect4"
	"trefoil/internal/newtable"
	"trefoil/options"
	"trefoil/remainder"
	"trefoil/search/exact"
	"trefoil/window"
)

// table is a table for tests.
func table(t testing.TB, mib uint64) *cluster.Table {
	return newtable.Cluster(t, mib, cluster.Auto)
}

// key is one of many keys that differ.
func key(i uint64) uint64 { return (i + 1) * 0x9E3779B97F4A7C15 }

// TestCells: a pixel of a table has the entries of both clusters, their mean age, and the deepest one; the
// cluster that is shown for it is the fuller one.
func TestCells(t *testing.T) {
	c := table(t, 1)
	for i := range uint64(60_000) {
		if i%20_000 == 0 {
			c.NewSearch()
		}
		c.Store(key(i), cluster.Entry{Move: 1,
			Quality: cluster.Quality{Depth: uint8(i % 20), Bound: cluster.Bound(1 + i%3)}})
	}
	v := clusterView{c}
	for place := range v.places() {
		var used [2]int
		ages, depth, bound := 0, -1, byte(0)
		for side := range used {
			look, _ := c.Look(2*place + uint64(side))
			for _, e := range look.Entries {
				if !e.Used {
					continue
				}
				used[side]++
				ages += e.Age
				if int(e.Depth) > depth {
					depth, bound = int(e.Depth), byte(e.Bound)
				}
			}
		}
		want, fuller := [4]byte{}, 2*place
		if n := used[0] + used[1]; n > 0 {
			want = [4]byte{byte(used[0] + 16*used[1]), byte(ages / n), byte(depth), bound}
		}
		if used[1] > used[0] {
			fuller++
		}
		if cell, index := v.cell(place), v.index(place); cell != want || index != fuller {
			t.Fatalf("place %d: %v, index %d; want %v, %d", place, cell, index, want, fuller)
		}
	}
}

// TestMap: a pixel shows the two clusters that it should, for every size of the table.
func TestMap(t *testing.T) {
	for _, mib := range []uint64{1, 3, 16} {
		c := table(t, mib)
		for i := range uint64(20000) {
			c.Store(key(i),
				cluster.Entry{Move: 1, Quality: cluster.Quality{Depth: uint8(i % 20), Bound: cluster.Lower}})
		}
		j := draw(clusterView{c})
		if j.Pixels != 4096 || len(j.Cells) != 4*4096 || j.Step != mib*4 || j.Entries != mib*32768*3 {
			t.Fatalf("%d MiB: %d pixels, every %d of %d places, %d entries, %d bytes", mib, j.Pixels, j.Step,
				j.Places, j.Entries, len(j.Cells))
		}
		used := 0
		for p := range j.Pixels {
			first := 2 * placeOf(p, j.Places)
			if first+1 >= c.Plan().Clusters || pixelOf(first/2, j.Places) != p {
				t.Fatalf("%d MiB: pixel %d shows cluster %d", mib, p, first)
			}
			a, _ := c.Look(first)
			n, depth := 0, 0
			for _, e := range a.Entries {
				if e.Used {
					n, depth = n+1, max(depth, int(e.Depth))
				}
			}
			cell := j.Cells[4*p : 4*p+4]
			if int(cell[0]&15) != n || int(cell[2]) < depth || n > 0 && cell[3] != byte(cluster.Lower) || cell[1] != 0 {
				t.Fatalf("%d MiB: pixel %d: %v, cluster %+v", mib, p, cell, a)
			}
			used += n
		}
		if used == 0 {
			t.Errorf("%d MiB: no entries", mib)
		}
		c.NewSearch()
		if older := draw(clusterView{c}); older.HashFull != 0 || !anyAge(older.Cells, 4) {
			t.Errorf("%d MiB: the entries have not aged: full %d", mib, older.HashFull)
		}
	}
}

// anyAge reports whether a pixel has that age.
func anyAge(cells []byte, age byte) bool {
	for i := 0; i < len(cells); i += pixelBytes {
		if cells[i+1] == age {
			return true
		}
	}
	return false
}

// TestPictureRate: however many pages ask, there are at most five pictures a second.
func TestPictureRate(t *testing.T) {
	e := newEngine(t)
	s, now := new(sampler), time.Unix(1000, 0)
	s.watch(gamesOf(e, engine.Games()).find("chess"), e.Viewer())
	if s.picture("1", now) != nil {
		t.Error("a picture without a table")
	}
	if err := e.Options().Set(t.Context(), options.UCI, "Hash", "1"); err != nil {
		t.Fatal(err)
	}
	now = now.Add(pictureInterval)
	first := s.picture("1", now)
	if first == nil || s.picture("2", now.Add(pictureInterval-1)) != first ||
		s.picture("1", now.Add(pictureInterval)) == first {
		t.Error("not one picture in each interval")
	}
	if err := e.Options().Set(t.Context(), options.UCI, "UCI_Variant", "connect4"); err != nil {
		t.Fatal(err)
	}
	if s.picture("1", now.Add(2*pictureInterval)) != nil {
		t.Error("a picture of a table that is closed")
	}
}

// TestPicturePages: what the system says of the memory is kept for a while, but not for another table.
func TestPicturePages(t *testing.T) {
	e := newEngine(t)
	s, now := new(sampler), time.Unix(1000, 0)
	s.watch(gamesOf(e, engine.Games()).find("chess"), e.Viewer())
	for _, mib := range []string{"1", "2"} {
		if err := e.Options().Set(t.Context(), options.UCI, "Hash", mib); err != nil {
			t.Fatal(err)
		}
		now = now.Add(pictureInterval)
		if p := s.picture("", now); p == nil || p.Pages == "kept" {
			t.Fatalf("Hash %s: no picture, or what was kept of the last table", mib)
		}
		s.pictures[""].pages = "kept"
		now = now.Add(pictureInterval)
		if p := s.picture("", now); p.Pages != "kept" {
			t.Errorf("Hash %s: asked again after %v: %q", mib, pictureInterval, p.Pages)
		}
	}
	if p := s.picture("", now.Add(pagesInterval)); p.Pages == "kept" {
		t.Errorf("not asked again after %v", pagesInterval)
	}
}

// pixel returns a pixel with an entry of the first picture that is wanted and has one.
func (s *reader) pixel(wanted func(picture map[string]any) bool) int {
	s.c.Helper()
	for {
		picture := s.until("table")
		cells, err := base64.StdEncoding.DecodeString(picture["cells"].(string))
		if err != nil {
			s.c.Fatal(err)
		}
		for i := 0; i < len(cells) && wanted(picture); i += pixelBytes {
			if cells[i] > 0 {
				return i / pixelBytes
			}
		}
	}
}

// TestTable: with a real engine the map changes while a search runs, counters are told if they are asked for, and a
// click on a pixel shows its cluster.
func TestTable(t *testing.T) {
	e := newEngine(t)
	c := serve(t, e)
	if status, _ := c.get("/api/cluster?pixel=0"); status != http.StatusNotFound {
		t.Errorf("a cluster without a table: %d", status)
	}
	events := c.events(1, "table=1", "stats=1")
	if empty := events.until("table"); empty["places"] != 0.0 {
		t.Error(empty)
	}
	c.ok("/api/option", `{"name":"Hash","value":"3"}`)
	c.ok("/api/option", `{"name":"HashAudit","value":"count"}`)
	c.ok("/api/search", `{"session":%q,"game":"chess","mode":"analyse"}`, page(1))
	pixel := events.pixel(func(j map[string]any) bool {
		return j["hits"] != nil && j["halfHits"] != nil && j["doubleHits"] != nil && j["falseHits"] != nil
	})
	c.ok("/api/stop", `{"session":%q}`, page(1))
	events.until("best")
	status, answer := c.get("/api/cluster?pixel=" + text(pixel))
	entries, _ := answer["entries"].([]any)
	if status != http.StatusOK || len(answer["bytes"].(string)) != 64 || len(entries) != 3 ||
		!strings.Contains(text(entries), `"used":true`) {
		t.Errorf("%d %v", status, text(answer))
	}
	if _, same := c.get("/api/cluster?index=" + text(answer["index"])); text(same) != text(answer) {
		t.Errorf("%v, %v", text(same), text(answer))
	}
	found := c.ok("/api/cluster", `{"game":"chess","moves":[]}`)
	n, _ := found["found"].(float64)
	entry, _ := found["entries"].([]any)[max(0, int(n))].(map[string]any)
	content, _ := entry["content"].(map[string]any)
	if n < 0 || found["side"] != 0.0 || content["text"] == nil || content["move"] == "" {
		t.Errorf("the root: %v", text(found))
	}
	if status, answer := c.post("/api/cluster", `{"game":"shogi"}`); status != http.StatusNotFound {
		t.Errorf("a position of another game: %d %v", status, text(answer))
	}
	for _, bad := range []string{"pixel=4096", "pixel=-1", "index=98304", "index=x", ""} {
		if status, answer := c.get("/api/cluster?" + bad); status != http.StatusBadRequest {
			t.Errorf("%s: %d %v", bad, status, answer)
		}
	}
}

// TestPixels: a pixel shows a place of its own, for every number of places.
func TestPixels(t *testing.T) {
	for _, places := range []uint64{1, 521, 4095, 4096, 4097, 127100, 1 << 31} {
		for p := range pixelsOf(places) {
			if place := placeOf(p, places); place >= places || pixelOf(place, places) != p {
				t.Fatalf("%d places: pixel %d shows place %d, of pixel %d", places, p, place, pixelOf(place, places))
			}
		}
	}
}

// TestKinds: the tables of proof search and of Connect Four have maps, and their entries are decoded.
func TestKinds(t *testing.T) {
	for _, k := range []struct{ kind, request, entry string }{
		{"window", `"game":"ultimate","mode":"values"`, "phi"},
		{"cluster", `"game":"ultimate","mode":"analyse"`, "depth"},
		{"remainder", `"game":"connect4","moves":["4"],"mode":"analyse","noBook":true`, "lower"},
		{"window", `"game":"chess","mode":"mate"`, "phi"},
	} {
		c := serve(t, newEngine(t))
		events := c.events(1, "table="+k.kind)
		c.ok("/api/search", `{"session":%q,%s}`, page(1), k.request)
		pixel := events.pixel(func(j map[string]any) bool { return j["kind"] == k.kind })
		c.ok("/api/stop", `{"session":%q}`, page(1))
		status, answer := c.get("/api/cluster?kind=" + k.kind + "&pixel=" + text(pixel))
		entries := text(answer["entries"])
		if status != http.StatusOK || answer["kind"] != k.kind || !strings.Contains(entries, `"`+k.entry+`"`) ||
			!strings.Contains(entries, `"bits"`) {
			t.Errorf("%s: %d %v", k.kind, status, text(answer))
		}
		if status, again := c.get("/api/cluster?kind=" + k.kind + "&index=" +
			text(answer["index"])); status != http.StatusOK || again["kind"] != k.kind {
			t.Errorf("%s: %d %v", k.kind, status, text(again))
		}
	}
}

// TestPlaceOfNoTable: a kind that is unknown, or that has no table, is named.
func TestPlaceOfNoTable(t *testing.T) {
	c := serve(t, newEngine(t))
	events := c.events(1)
	c.ok("/api/search", `{"session":%q,"game":"chess","mode":"hint","nodes":1}`, page(1))
	events.until("best")
	for kind, want := range map[string]int{"": http.StatusOK, "cluster": http.StatusOK,
		"window": http.StatusNotFound, "x": http.StatusBadRequest} {
		status, answer := c.get("/api/cluster?index=0&kind=" + kind)
		if status != want || want != http.StatusOK && !strings.Contains(text(answer["error"]), kind) {
			t.Errorf("kind %q: %d %v, want %d", kind, status, answer, want)
		}
	}
}

// plies is registry.ExactTable whose sides are the plies of the positions.
type plies struct{ *exact.Solver }

func (p plies) Position(key remainder.Key) ([]string, int) {
	return nil, p.Board().PositionOf(key.High, key.Low).Ply()
}

// bare is registry.ExactTable of a table without positions.
type bare struct {
	registry.ExactTable
	table *remainder.Table
}

func (b bare) Table() *remainder.Table           { return b.table }
func (bare) Bounds(uint64) (lower, upper, w int) { return 0, 0, 0 }

// TestSolvedPlace: an entry of Connect Four shows the position that was stored, and the bounds of its score. A
// pixel sums up the entries of its place.
func TestSolvedPlace(t *testing.T) {
	s, err := exact.New(exact.Options{Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p, err := connect4.Standard.Parse("44444222666")
	if err != nil {
		t.Fatal(err)
	}
	s.Solve(t.Context(), p, exact.Limits{}, nil)
	v := remainderView{plies{s}}
	for place := range v.places() {
		var want [4]byte
		for _, entry := range v.content(place, nil).Entries {
			if !entry.Used {
				continue
			}
			e := entry.Content.(*remainderEntry)
			want[0]++
			if e.Lower == e.Upper {
				want[1]++
			}
			want[2] = max(want[2], byte(e.Work))
			if e.Lower > 0 {
				want[3]++
			} else if e.Upper < 0 {
				want[3] += 16
			}
		}
		if cell := v.cell(place); cell != want {
			t.Fatalf("place %d: %v, want %v", place, cell, want)
		}
	}
	seen := 0
	for place := range v.places() {
		for _, e := range v.content(place, nil).Entries {
			if !e.Used {
				continue
			}
			seen++
			e := e.Content.(*remainderEntry)
			key, _ := strconv.ParseUint(e.Key, 16, 64)
			r := s.Solve(t.Context(), s.Board().PositionOf(0, key), exact.Limits{}, nil)
			if e.Mover < p.Ply() || r.Score < e.Lower || r.Score > e.Upper || e.Lower > e.Upper || e.Work > 40 {
				t.Fatalf("%+v, score %d", e, r.Score)
			}
			if seen == 50 {
				return
			}
		}
	}
	t.Errorf("%d entries", seen)
}

// TestOptions: what a page may change, and nothing that names a file.
func TestOptions(t *testing.T) {
	e := newEngine(t)
	c := serve(t, e)
	if notices := c.ok("/api/option",
		`{"name":"Hash","value":"5"}`)["notices"]; !strings.Contains(text(notices), "hash 5 MiB") {
		t.Error(notices)
	}
	c.ok("/api/option", `{"name":"EvalFile","value":"none"}`)
	c.ok("/api/option", `{"name":"EvalFile","value":"embedded"}`)
	if _, list := c.fetch("/api/options"); !strings.Contains(list,
		`{"name":"Hash","kind":"spin","value":"5","default":"16","min":1`) ||
		strings.Contains(list, "File\"") && !strings.Contains(list, "EvalFile\"") {
		t.Error(list)
	}
	c.refuses("/api/option", map[string]string{
		`{"name":"Hash","value":"0"}`:                    "outside 1 to",
		`{"name":"Hash","value":"33554432"}`:             "MiB",
		`{"name":"Debug Log File","value":"/tmp/x"}`:     "is not one of",
		`{"name":"Hash File","value":"/tmp/x"}`:          "Threads",
		`{"name":"Save Hash","value":""}`:                "is not one of",
		`{"name":"EvalFile","value":"/etc/passwd"}`:      "is not embedded or none",
		`{"name":"BookFile","value":"/etc/passwd"}`:      "is not one of",
		`{"name":"Hash","value":"5","path":"/tmp"}`:      "unknown field",
		`{"name":"HashAudit","value":"something else."}`: "something else.",
	})
}

// BenchmarkPicture is what a picture of each kind of table costs. There are at most five pictures a second.
func BenchmarkPicture(b *testing.B) {
	measure := func(v tableView, size string) {
		b.Run(v.kind()+" "+size, func(b *testing.B) {
			for b.Loop() {
				appendEvent(nil, "table", draw(v))
			}
		})
	}
	for _, mib := range []uint64{16, 2048} {
		size := text(mib) + "MiB"
		c := table(b, mib)
		for i := range c.Capacity() / 64 {
			c.Store(key(i*64), cluster.Entry{Move: 1, Quality: cluster.Quality{Depth: 3, Bound: cluster.Lower}})
		}
		measure(clusterView{c}, size)
		w := newtable.Window(b, mib)
		for h, i := w.Handle(), uint64(0); i < w.Slots()/64; i++ {
			h.Store(key(i*64), window.Entry{Phi: 1, Delta: 2, Work: 3})
		}
		measure(windowView{w}, size)
		shape, err := remainder.Plan(mib<<20, 4, 1<<49)
		if err != nil {
			b.Fatal(err)
		}
		r, err := remainder.New(shape, 1<<49)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = r.Close() })
		for i := range shape.Buckets / 16 {
			r.Store(remainder.Key{Low: key(i) >> 15}, 1)
		}
		measure(remainderView{bare{table: r}}, size)
	}
}
