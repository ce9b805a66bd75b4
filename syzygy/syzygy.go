// Package syzygy looks up endgames of chess in Syzygy tables, with up to seven pieces. It imports nothing
// of an engine: a Position is a struct of bitboards, and any program may use it.
//
//	tables := syzygy.Open("/tables/3-4-5" + string(filepath.ListSeparator) + "/tables/6")
//	defer tables.Close()
//	if wdl, err := tables.WDL(&position); err == nil { … }
//
// There are two kinds of files. A WDL file (.rtbw) has the result of every position for both sides to move.
// A DTZ file (.rtbz) has the distance to the next capture or pawn move, for one side to move.
//
// Both assume that the last move was a capture or a pawn move: with a rule-50 counter above 0, a win may
// come too late. The exact statements are at WDL and DTZ.
//
// Files are mapped into memory when they are first needed, and never written. No file is trusted: its
// structure is checked, and a file that is damaged, or cannot be read any more, is an error that
// names it and not used again. But the checksum at its end is not read, so a wrong bit among compressed results can
// give a wrong result. WDL and DTZ may be called by any number of goroutines.
package syzygy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Tables are the tables of some folders.
type Tables struct {
	wdl, dtz  map[material]*file
	files     []*file
	maxPieces int

	mu       sync.Mutex
	problems []error
}

// file is a file of a table, which is mapped when it is first needed.
type file struct {
	path     string
	material material
	pieces   int
	dtz      bool

	once   sync.Once
	table  *table // nil if the file cannot be used
	unmap  func() error
	broken atomic.Bool // found to be damaged
}

// The errors of WDL and DTZ, which a search that goes on without tables need not tell apart.
var (
	// ErrNoTable says that the material of a position has no file, or that the position has more than
	// MaxPieces pieces or a right to castle.
	ErrNoTable = errors.New("syzygy: no table for this position")
	// ErrDamaged says that a file cannot be used; Problems says which.
	ErrDamaged = errors.New("syzygy: a table cannot be used")
	// ErrPosition says that a position is impossible.
	ErrPosition = errors.New("syzygy: impossible position")
)

// Open finds the tables in folders, whose names are separated as in PATH. A table that is in more than one
// folder is used from the first. Problems lists what is wrong with the folders. An empty path has no
// tables.
func Open(path string) *Tables {
	t := &Tables{wdl: map[material]*file{}, dtz: map[material]*file{}}
	for _, folder := range filepath.SplitList(path) {
		if folder == "" {
			continue
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.problem(err)
		}
		for _, e := range entries {
			t.add(filepath.Join(folder, e.Name()))
		}
	}
	return t
}

// add adds a file if its name is the name of a table.
func (t *Tables) add(path string) {
	extension := filepath.Ext(path)
	name := strings.TrimSuffix(filepath.Base(path), extension)
	m, pieces, ok := parseName(name)
	if !ok || extension != ".rtbw" && extension != ".rtbz" {
		return
	}
	f := &file{path: path, material: m, pieces: pieces, dtz: extension == ".rtbz"}
	of := t.wdl
	if f.dtz {
		of = t.dtz
	}
	if of[m] != nil {
		return
	}
	of[m], of[m.mirrored()] = f, f
	t.files = append(t.files, f)
	if !f.dtz {
		t.maxPieces = max(t.maxPieces, pieces)
	}
}

// MaxPieces is the number of pieces of the largest WDL table, 0 if there is none.
func (t *Tables) MaxPieces() int { return t.maxPieces }

// Count returns the numbers of WDL and of DTZ tables.
func (t *Tables) Count() (wdl, dtz int) {
	for _, f := range t.files {
		if f.dtz {
			dtz++
		} else {
			wdl++
		}
	}
	return wdl, dtz
}

// Missing returns the names of the absent files that the WDL tables need: files for the material after a
// capture or a promotion, and their own DTZ files.
func (t *Tables) Missing() (names []string) {
	need := func(of map[material]*file, m material, extension string) {
		if name := m.name() + extension; m != 0 && of[m] == nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, f := range t.files {
		if f.dtz {
			continue
		}
		need(t.dtz, f.material, ".rtbz")
		f.material.successors(func(m material) {
			need(t.wdl, m, ".rtbw")
			need(t.dtz, m, ".rtbz")
		})
	}
	slices.Sort(names)
	return names
}

// Problems returns what has been found wrong with folders and files since the last call, each once. The
// errors name them.
func (t *Tables) Problems() []error {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.problems
	t.problems = nil
	return p
}

func (t *Tables) problem(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.problems = append(t.problems, err)
}

// Close unmaps the files. WDL and DTZ are not called at the same time or later.
func (t *Tables) Close() error {
	var errs []error
	for _, f := range t.files {
		f.once.Do(func() {}) // so that it is not mapped later
		if f.unmap != nil {
			errs = append(errs, f.unmap())
		}
		f.table, f.unmap = nil, nil
	}
	t.files, t.wdl, t.dtz, t.maxPieces = nil, nil, nil, 0
	return errors.Join(errs...)
}

// probe returns the value of a position in the table of its material, as the file has it.
func (t *Tables) probe(of map[material]*file, p *Position, wdl WDL) (value int, err error) {
	m := materialOf(p)
	f := of[m]
	if f == nil {
		return 0, ErrNoTable
	}
	f.once.Do(func() { t.load(f) })
	if f.table == nil || f.broken.Load() {
		return 0, ErrDamaged
	}
	err = guard(func() (err error) {
		value, err = f.table.value(p, m, wdl)
		return err
	})
	if err != nil && err != errOtherSide {
		if f.broken.CompareAndSwap(false, true) {
			t.problem(fmt.Errorf("%s: %w; it is not used", f.path, err))
		}
		return 0, ErrDamaged
	}
	return value, err
}

// load maps a file and reads its description.
func (t *Tables) load(f *file) {
	data, unmap, err := mapFile(f.path)
	if err == nil {
		f.unmap = unmap
		err = guard(func() (err error) {
			f.table, err = parse(data, f.material, f.pieces, f.dtz)
			return err
		})
		if err != nil {
			f.table = nil
			err = fmt.Errorf("%s: %w", f.path, err)
		}
	}
	if err != nil {
		t.problem(fmt.Errorf("%w; it is not used", err))
	}
}
