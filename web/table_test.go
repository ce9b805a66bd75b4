package web

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"trefoil/cluster"
	"trefoil/options"
)

// table is a table for tests.
func table(t testing.TB, mib uint64) *cluster.Table {
	c, err := cluster.New(mib, cluster.Auto)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// key is one of many keys that differ.
func key(i uint64) uint64 { return (i + 1) * 0x9E3779B97F4A7C15 }

// TestMap: a pixel shows the two clusters that it should, for every size of the table.
func TestMap(t *testing.T) {
	for _, mib := range []uint64{1, 3, 16} {
		c := table(t, mib)
		for i := range uint64(20000) {
			c.Store(key(i), cluster.Entry{Move: 1, Quality: cluster.Quality{Depth: uint8(i % 20), Bound: cluster.Lower}})
		}
		s := new(sampler)
		j := s.draw(c, time.Now())
		if j.Pixels != 4096 || len(j.Cells) != 4*4096 || j.Group != mib*8 {
			t.Fatalf("%d MiB: %d pixels of %d clusters, %d bytes", mib, j.Pixels, j.Group, len(j.Cells))
		}
		used := 0
		for p := range j.Pixels {
			first := firstCluster(p, j.Clusters)
			if first%2 != 0 || first+1 >= j.Clusters {
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
		if older := s.draw(c, time.Now()); older.HashFull != 0 || !anyAge(older.Cells, 4) {
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
	s.watch("chess", e.Viewer())
	if s.picture(now) != nil {
		t.Error("a picture without a table")
	}
	if err := e.Options().Set(t.Context(), options.UCI, "Hash", "1"); err != nil {
		t.Fatal(err)
	}
	now = now.Add(pictureInterval)
	first := s.picture(now)
	if first == nil || s.picture(now.Add(pictureInterval-1)) != first || s.picture(now.Add(pictureInterval)) == first {
		t.Error("not one picture in each interval")
	}
	if err := e.Options().Set(t.Context(), options.UCI, "UCI_Variant", "connect4"); err != nil {
		t.Fatal(err)
	}
	if s.picture(now.Add(2*pictureInterval)) != nil {
		t.Error("a picture of a table that is closed")
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
	r, err := http.Get(c.url + "/api/events?table=1&session=" + page(1))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	events := c.read(r)
	if empty := events.until("table"); empty["clusters"] != 0.0 {
		t.Error(empty)
	}
	c.ok("/api/option", `{"name":"Hash","value":"3"}`)
	c.ok("/api/option", `{"name":"HashStats","value":"true"}`)
	c.ok("/api/option", `{"name":"HashAudit","value":"count"}`)
	c.ok("/api/search", `{"session":%q,"game":"chess","mode":"analyse"}`, page(1))
	pixel := -1
	for pixel < 0 {
		j := events.until("table")
		cells, err := base64.StdEncoding.DecodeString(j["cells"].(string))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(cells); i += pixelBytes {
			if cells[i] > 0 && j["hits"] != nil && j["halfHits"] != nil && j["falseHits"] != nil {
				pixel = i / pixelBytes
			}
		}
	}
	c.ok("/api/stop", `{"session":%q}`, page(1))
	events.until("best")
	status, answer := c.get("/api/cluster?pixel=" + text(pixel))
	entries, _ := answer["entries"].([]any)
	if status != http.StatusOK || len(answer["bytes"].(string)) != 64 || len(entries) != 3 || !strings.Contains(text(entries), `"used":true`) {
		t.Errorf("%d %v", status, text(answer))
	}
	if _, same := c.get("/api/cluster?index=" + text(answer["index"])); text(same) != text(answer) {
		t.Errorf("%v, %v", text(same), text(answer))
	}
	for _, bad := range []string{"pixel=4096", "pixel=-1", "index=98304", "index=x", ""} {
		if status, answer := c.get("/api/cluster?" + bad); status != http.StatusBadRequest {
			t.Errorf("%s: %d %v", bad, status, answer)
		}
	}
}

// TestOptions: what a page may change, and nothing that names a file.
func TestOptions(t *testing.T) {
	e := newEngine(t)
	c := serve(t, e)
	if notices := c.ok("/api/option", `{"name":"Hash","value":"5"}`)["notices"]; !strings.Contains(text(notices), "hash 5 MiB") {
		t.Error(notices)
	}
	c.ok("/api/option", `{"name":"EvalFile","value":"none"}`)
	c.ok("/api/option", `{"name":"EvalFile","value":"embedded"}`)
	r, err := http.Get(c.url + "/api/options")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if list := body(t, r); !strings.Contains(list, `{"name":"Hash","kind":"spin","value":"5","default":"16","min":1`) || strings.Contains(list, "File\"") && !strings.Contains(list, "EvalFile\"") {
		t.Error(list)
	}
	for request, want := range map[string]string{
		`{"name":"Hash","value":"0"}`:                    "outside 1 to",
		`{"name":"Hash","value":"33554432"}`:             "MiB",
		`{"name":"Debug Log File","value":"/tmp/x"}`:     "is not one of",
		`{"name":"Hash File","value":"/tmp/x"}`:          "is not one of",
		`{"name":"Save Hash","value":""}`:                "is not one of",
		`{"name":"EvalFile","value":"/etc/passwd"}`:      "is not embedded or none",
		`{"name":"BookFile","value":"/etc/passwd"}`:      "is not one of",
		`{"name":"Hash","value":"5","path":"/tmp"}`:      "unknown field",
		`{"name":"HashAudit","value":"something else."}`: "something else.",
	} {
		if status, answer := c.post("/api/option", request); status != http.StatusBadRequest || !strings.Contains(text(answer), want) {
			t.Errorf("%s: %d %v", request, status, answer)
		}
	}
}

// BenchmarkPicture is what a picture costs, of which there are at most five a second.
func BenchmarkPicture(b *testing.B) {
	for _, mib := range []uint64{16, 256, 2048} {
		c := table(b, mib)
		for i := range c.Capacity() / 64 {
			c.Store(key(i*64), cluster.Entry{Move: 1, Quality: cluster.Quality{Depth: 3, Bound: cluster.Lower}})
		}
		b.Run(text(mib)+"MiB", func(b *testing.B) {
			s := new(sampler)
			for b.Loop() {
				appendEvent(nil, "table", s.draw(c, time.Unix(1000, 0)))
			}
		})
	}
}
