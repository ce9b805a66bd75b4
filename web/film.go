package web

import (
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"trefoil/ttanalysis"
)

const (
	// maxTrace is the longest trace that is taken, in bytes.
	maxTrace = 64 << 20
	// maxFilmMiB is the largest table of a film.
	maxFilmMiB = 64
	// filmFrames is how many moments of the replay a film shows.
	filmFrames = 100
	// filmPixels is how many pixels the map of a table has at most. Each shows a pair of clusters.
	filmPixels = mapWidth * mapWidth / 2
)

// filmJSON is a trace, and what tables of two designs had after each part of it.
type filmJSON struct {
	Game     string          `json:"game"`
	Note     string          `json:"note"`
	MiB      uint64          `json:"mib"` // of the recorded table
	Searches uint64          `json:"searches"`
	Designs  []designJSON    `json:"designs"` // that can be chosen
	Width    int             `json:"width"`   // of the maps
	Moments  []momentJSON    `json:"moments"`
	Tables   []filmTableJSON `json:"tables"`
}

type designJSON struct {
	Name string `json:"name"`
	Help string `json:"help"`
}

// momentJSON says how much of the trace was replayed.
type momentJSON struct {
	Records uint64 `json:"records"`
	Probes  uint64 `json:"probes"`
}

// filmTableJSON is a table of a film.
type filmTableJSON struct {
	Design string          `json:"design"`
	MiB    float64         `json:"mib"`
	Pixels int             `json:"pixels"`
	Frames []filmFrameJSON `json:"frames"`
}

// filmFrameJSON is a table at a moment. Hits and cutoffs are of all probes until then.
type filmFrameJSON struct {
	Hits    uint64  `json:"hits"`
	Cutoffs uint64  `json:"cutoffs"`
	Full    float64 `json:"full"`  // the share of the entries on the map that are in use
	Cells   []byte  `json:"cells"` // of the map, as of the map of a cluster table; a search ages entries by 4
}

// film answers POST /api/film. A trace takes memory and seconds of processor time, so there is one at a time.
func (s *Server) film(r *http.Request) (any, error) {
	if !s.filming.TryLock() {
		return nil, refuse(http.StatusServiceUnavailable, "another trace is being replayed: try again")
	}
	defer s.filming.Unlock()
	designs, runs, err := filmRuns(r.URL.Query())
	if err != nil {
		return nil, err
	}
	body, err := bodyOf(r, "application/octet-stream", maxTrace)
	if err != nil {
		return nil, err
	}
	if r.ContentLength > maxTrace { // its end need not be awaited
		return nil, unread(&http.MaxBytesError{Limit: maxTrace})
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, unread(err)
	}
	trace, err := ttanalysis.DecodeTrace(data, "trace")
	if err != nil {
		return nil, err
	}
	film := &filmJSON{Game: trace.Game, Note: trace.Note, MiB: trace.MiB, Width: mapWidth, Moments: []momentJSON{}}
	for _, p := range ttanalysis.Presets() {
		film.Designs = append(film.Designs, designJSON{p.Name, p.Help})
	}
	for i, d := range designs {
		film.Tables = append(film.Tables, filmTableJSON{Design: d.Name, MiB: float64(runs[i].Bytes) / (1 << 20),
			Frames: []filmFrameJSON{}})
	}
	recorded, err := ttanalysis.Film(r.Context(), trace, runs, filmFrames, func(done uint64, tables []ttanalysis.Table) {
		film.Moments = append(film.Moments, momentJSON{done, runs[0].Probes})
		for i, run := range runs {
			f := filmFrameJSON{Hits: run.Hits, Cutoffs: run.Cutoffs}
			f.look(tables[i].(ttanalysis.ClusterTable), &designs[i].Design)
			t := &film.Tables[i]
			t.Pixels, t.Frames = len(f.Cells)/pixelBytes, append(t.Frames, f)
		}
	})
	film.Searches = recorded.Searches
	return film, err
}

// filmRuns reads the designs and the size of the tables of a film.
func filmRuns(query url.Values) (designs [2]ttanalysis.Preset, runs []*ttanalysis.Run, err error) {
	mib, err := strconv.ParseFloat(query.Get("mib"), 64)
	if err != nil || !(mib > 0 && mib <= maxFilmMiB) {
		return designs, nil, bad("mib %.40q is not a number of MiB above 0, up to %d", query.Get("mib"), maxFilmMiB)
	}
	presets := ttanalysis.Presets()
	for i, parameter := range []string{"first", "second"} {
		name := query.Get(parameter)
		at := slices.IndexFunc(presets, func(p ttanalysis.Preset) bool { return p.Name == name })
		if at < 0 {
			names := make([]string, len(presets))
			for i, p := range presets {
				names[i] = p.Name
			}
			return designs, nil, bad("%s %.40q is not one of %q", parameter, name, names)
		}
		designs[i] = presets[at]
		run := &ttanalysis.Run{Design: designs[i].Design, Bytes: uint64(mib * (1 << 20)), Repeats: true}
		if err := run.Design.Check(run.Bytes); err != nil {
			return designs, nil, err
		}
		runs = append(runs, run)
	}
	return designs, runs, nil
}

// look draws the map of a table. Its ages are in generations, of which designs have different numbers in a search.
func (f *filmFrameJSON) look(t ttanalysis.ClusterTable, d *ttanalysis.ClusterDesign) {
	const perSearch = 4 // of the table of this program, for which the colours are made
	places, used := t.Clusters()/2, 0
	pixels := min(places, filmPixels)
	for i := range pixels {
		place := i * places / pixels
		cell := cellOf(t.Look(2*place), t.Look(2*place+1))
		cell[1] = byte(min(int(cell[1])*perSearch/d.Search, math.MaxUint8))
		used += int(cell[0]&15) + int(cell[0]>>4)
		f.Cells = append(f.Cells, cell[:]...)
	}
	f.Full = float64(used) / float64(2*int(pixels)*d.Entries)
}
