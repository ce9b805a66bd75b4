package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/ttanalysis"
)

// traceOf writes a trace of a search that probes and stores n positions twice.
func traceOf(t *testing.T, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := ttanalysis.WriteTrace(cluster.Writer(&b, "trace"),
		ttanalysis.TraceHeader{Game: "othello", MiB: 1, Note: "a <b>test</b>"})
	if err != nil {
		t.Fatal(err)
	}
	w.NewSearch()
	for round := range 2 {
		for i := range n {
			key := uint64(i+1) * 0x9E3779B97F4A7C15
			w.Probe(key, i%8, -10, 10, false, round > 0, round > 0)
			w.Store(key, cluster.Entry{Move: 7, Value: 20, Quality: cluster.Quality{Depth: uint8(i % 8), Bound: cluster.Lower}})
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// film sends a trace.
func (c *client) film(query string, trace []byte) (status int, answer filmJSON, problem string) {
	c.Helper()
	r, err := http.Post(c.url+"/api/film?"+query, "application/octet-stream", bytes.NewReader(trace))
	if err != nil {
		c.Fatal(err)
	}
	text := body(c.T, r)
	var refused struct{ Error string }
	if json.Unmarshal([]byte(text), &answer) != nil || json.Unmarshal([]byte(text), &refused) != nil {
		c.Fatalf("%d %.200s", r.StatusCode, text)
	}
	return r.StatusCode, answer, refused.Error
}

const usualFilm = "first=trefoil&second=crafty&mib=0.0625"

// TestFilm: a trace of another engine is replayed against two tables, and both fill up.
func TestFilm(t *testing.T) {
	c := serve(t, newFake(t))
	status, f, problem := c.film(usualFilm, traceOf(t, 3000))
	if status != http.StatusOK || f.Game != "othello" || f.Note != "a <b>test</b>" || f.MiB != 1 || f.Searches != 1 ||
		len(f.Designs) != len(ttanalysis.Presets()) || len(f.Moments) != filmFrames || len(f.Tables) != 2 {
		t.Fatalf("%d %s %+v", status, problem, f)
	}
	if last := f.Moments[filmFrames-1]; last != (momentJSON{12001, 6000}) {
		t.Errorf("the end is %+v", last)
	}
	for i, want := range []struct {
		design string
		pixels int
	}{{"trefoil", 1024}, {"crafty", 512}} {
		table := f.Tables[i]
		if table.Design != want.design || table.Pixels != want.pixels || table.MiB != 0.0625 ||
			len(table.Frames) != filmFrames {
			t.Fatalf("table %d: %+v", i, table)
		}
		last := filmFrameJSON{}
		for j, frame := range table.Frames {
			if len(frame.Cells) != pixelBytes*table.Pixels || frame.Hits < last.Hits || frame.Cutoffs < last.Cutoffs ||
				frame.Full < last.Full || frame.Full > 1 || frame.Cutoffs > frame.Hits || frame.Hits > f.Moments[j].Probes {
				t.Fatalf("table %d, frame %d: %d hits, %d cutoffs, %f full", i, j, frame.Hits, frame.Cutoffs, frame.Full)
			}
			last = frame
		}
		if last.Hits < 1000 || last.Cutoffs < 1000 || last.Full < 0.4 {
			t.Errorf("%s ends with %d hits, %d cutoffs, %f full", table.Design, last.Hits, last.Cutoffs, last.Full)
		}
	}
}

// TestHostileTraces: what is no trace is refused with what is wrong, and the server goes on.
func TestHostileTraces(t *testing.T) {
	c, good := serve(t, newFake(t)), traceOf(t, 100)
	changed := func(at int, b byte) []byte {
		d := bytes.Clone(good)
		d[at] = b
		return d
	}
	for name, test := range map[string]struct {
		query   string
		trace   []byte
		status  int
		problem string
	}{
		"empty":           {usualFilm, nil, 400, "cut short: it has 0 bytes"},
		"its first bytes": {usualFilm, good[:30], 400, "cut short"},
		"truncated":       {usualFilm, good[:len(good)-1], 400, "cut short"},
		"its end is gone": {usualFilm, good[:1000], 400, "cut short"},
		"and more":        {usualFilm, append(bytes.Clone(good), 0), 400, "cut short or damaged"},
		"another version": {usualFilm, changed(16, 9), 400, "format version is 9, expected 2"},
		"another kind":    {usualFilm, changed(8, 'x'), 400, `kind "xrace", expected a trace`},
		"a flipped byte":  {usualFilm, changed(len(good)/2, ^good[len(good)/2]), 400, "checksum"},
		"a picture":       {usualFilm, []byte("\x89PNG\r\n\x1a\n" + strings.Repeat("x", 1000)), 400, "is not a trace"},
		"an old trace":    {usualFilm, []byte("TREFTRC\n" + strings.Repeat("x", 1000)), 400, "format version 1"},
		"no design":       {"mib=1", good, 400, `first "" is not one of`},
		"unknown design":  {"first=trefoil&second=../etc&mib=1", good, 400, `second "../etc" is not one of`},
		"no size":         {"first=trefoil&second=crafty", good, 400, `mib ""`},
		"a huge table":    {"first=trefoil&second=crafty&mib=1e9", good, 400, `mib "1e9"`},
		"not a number":    {"first=trefoil&second=crafty&mib=NaN", good, 400, `mib "NaN"`},
		"a negative size": {"first=trefoil&second=crafty&mib=-1", good, 400, `mib "-1"`},
		"a tiny table":    {"first=trefoil&second=crafty&mib=1e-9", good, 400, "less than two clusters"},
	} {
		status, _, problem := c.film(test.query, test.trace)
		if status != test.status || !strings.Contains(problem, test.problem) {
			t.Errorf("%s: %d %s", name, status, problem)
		}
	}
	header := "POST /api/film?" + usualFilm + " HTTP/1.1\nHost: HOST\nContent-Type: %s\n%s\n\n"
	for name, test := range map[string]struct {
		request string
		status  int
	}{
		"too long":  {fmt.Sprintf(header, "application/octet-stream", fmt.Sprint("Content-Length: ", maxTrace+1)), 413},
		"as a form": {fmt.Sprintf(header, "text/plain", "Content-Length: 3") + "abc", 415},
	} {
		if status, answer := c.raw(test.request); status != test.status {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
	r, err := http.Post(c.url+"/api/film?"+usualFilm, "application/octet-stream", // of no known length
		io.LimitReader(endless{}, maxTrace+1))
	if err != nil {
		t.Fatal(err)
	}
	if text := body(t, r); r.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(text, "67108864 bytes") {
		t.Errorf("%d %s", r.StatusCode, text)
	}
	if status, f, problem := c.film(usualFilm, good); status != http.StatusOK || len(f.Moments) != 100 {
		t.Errorf("afterwards: %d %s", status, problem)
	}
}

// endless reads as bytes without an end.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// TestOneFilm: while a trace is taken, another one is refused.
func TestOneFilm(t *testing.T) {
	c := serve(t, newFake(t))
	c.server.filming.Lock()
	status, _, problem := c.film(usualFilm, traceOf(t, 10))
	if status != http.StatusServiceUnavailable || !strings.Contains(problem, "try again") {
		t.Errorf("%d %s", status, problem)
	}
	c.server.filming.Unlock()
	if status, f, problem := c.film(usualFilm, traceOf(t, 10)); status != http.StatusOK || len(f.Moments) != 41 {
		t.Errorf("%d %s", status, problem)
	}
	if status, f, problem := c.film(usualFilm, traceOf(t, 0)); status != http.StatusOK || len(f.Moments) != 1 {
		t.Errorf("a trace without probes: %d %s", status, problem)
	}
}
