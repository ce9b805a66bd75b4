package syzygy

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"trefoil/internal/filetest"
)

// folderWith returns a folder with these files.
func folderWith(t testing.TB, files map[string][]byte) string {
	t.Helper()
	folder := t.TempDir()
	for name, data := range files {
		filetest.Write(t, filepath.Join(folder, name), data)
	}
	return folder
}

func testFile(t testing.TB, name string) []byte {
	t.Helper()
	return filetest.Read(t, filepath.Join("testdata", name))
}

// rooks is a position of KRvK.
var rooks = Position{White: 1<<4 | 1, Black: 1 << 60, Kings: 1<<4 | 1<<60, Rooks: 1}

// TestProblems checks that what is wrong with files and folders is said once, by name.
func TestProblems(t *testing.T) {
	good := testFile(t, "KRvK.rtbw")
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "0 bytes"},
		{"cut short", good[:len(good)-64], "damaged"},
		{"cut anywhere", good[:len(good)-1], "not a multiple of 64"},
		{"text", []byte(strings.Repeat("No table", 10)), "begins with"},
		{"DTZ", testFile(t, "KRvK.rtbz"), "begins with"},
		{"of other pieces", testFile(t, "KQvK.rtbw"), "damaged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tables := Open(folderWith(t, map[string][]byte{"KRvK.rtbw": test.data}))
			defer tables.Close()
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					p := rooks
					if _, err := tables.WDL(&p); err != ErrDamaged {
						t.Error(err)
					}
				})
			}
			all.Wait()
			problems := tables.Problems()
			if len(problems) != 1 || !strings.Contains(problems[0].Error(), "KRvK.rtbw") ||
				!strings.Contains(problems[0].Error(), test.want) {
				t.Error(problems)
			}
			if again := tables.Problems(); again != nil {
				t.Error(again)
			}
		})
	}
	tables := Open(filepath.Join(t.TempDir(), "nowhere") + string(filepath.ListSeparator) + "testdata")
	defer tables.Close()
	if problems := tables.Problems(); len(problems) != 1 || !strings.Contains(problems[0].Error(), "nowhere") {
		t.Error(problems)
	}
	if v, err := tables.WDL(&rooks); v != Win || err != nil {
		t.Error(v, err)
	}
}

// TestFolder checks a folder in place of a table.
func TestFolder(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "KRvK.rtbw"), 0o777); err != nil {
		t.Fatal(err)
	}
	tables := Open(folder)
	defer tables.Close()
	if _, err := tables.WDL(&rooks); err != ErrDamaged || len(tables.Problems()) != 1 {
		t.Error(err)
	}
}

// TestCutWhileMapped cuts a file short that is in use.
func TestCutWhileMapped(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system keeps mapped files from being cut")
	}
	folder := folderWith(t, map[string][]byte{"KRvK.rtbw": testFile(t, "KRvK.rtbw")})
	tables := Open(folder)
	defer tables.Close()
	p := rooks
	p.BlackToMove = true // with White to move the table has only one value
	if v, err := tables.WDL(&p); v != Loss || err != nil {
		t.Fatal(v, err)
	}
	if err := os.Truncate(filepath.Join(folder, "KRvK.rtbw"), 0); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := tables.WDL(&p); err != ErrDamaged {
			t.Error(err)
		}
	}
	if problems := tables.Problems(); len(problems) != 1 || !errors.Is(problems[0], errUnreadable) {
		t.Error(problems)
	}
}

// TestMissing lists absent files.
func TestMissing(t *testing.T) {
	tables := Open(folderWith(t, map[string][]byte{
		"KRPvK.rtbw": nil, "KRvK.rtbw": nil, "KRvK.rtbz": nil, "KPvK.rtbw": nil, "notes.txt": nil, "KKvK.rtbw": nil, "KvKR.rtbw": nil,
	}))
	defer tables.Close()
	got := strings.Join(tables.Missing(), " ")
	want := "KBvK.rtbw KBvK.rtbz KNvK.rtbw KNvK.rtbz KPvK.rtbz KQRvK.rtbw KQRvK.rtbz KQvK.rtbw KQvK.rtbz KRBvK.rtbw KRBvK.rtbz KRNvK.rtbw KRNvK.rtbz KRPvK.rtbz KRRvK.rtbw KRRvK.rtbz"
	if got != want {
		t.Errorf("missing %s\nwant    %s", got, want)
	}
	if wdl, dtz := tables.Count(); wdl != 3 || dtz != 1 || tables.MaxPieces() != 4 {
		t.Error(wdl, dtz, tables.MaxPieces())
	}
}

// TestRefused checks positions that no table has.
func TestRefused(t *testing.T) {
	tables := Open("testdata")
	defer tables.Close()
	change := func(f func(*Position)) *Position {
		p := rooks
		f(&p)
		return &p
	}
	for want, positions := range map[error][]*Position{
		ErrNoTable: {
			change(func(p *Position) { p.Castling = true }),
			change(func(p *Position) { p.Rooks |= 2; p.White |= 2 }),
			change(func(p *Position) { p.Pawns = 0xff00; p.White |= 0xff00 }),
		},
		ErrPosition: {
			{}, change(func(p *Position) { p.Kings = 1 << 4 }), change(func(p *Position) { p.White |= 1 << 60 }),
			change(func(p *Position) { p.Rooks, p.Pawns = 0, 1 }), change(func(p *Position) { p.EnPassant = 20 }),
			change(func(p *Position) { p.EnPassant = 200 }), change(func(p *Position) { p.Rooks <<= 56; p.White = 1<<4 | 1<<56 }),
			change(func(p *Position) { p.Bishops = p.Rooks }),
		},
	} {
		for i, p := range positions {
			if _, err := tables.WDL(p); err != want {
				t.Errorf("%v, position %d: WDL %v", want, i, err)
			}
			if _, err := tables.DTZ(p); err != want {
				t.Errorf("%v, position %d: DTZ %v", want, i, err)
			}
		}
	}
}

// probeAll probes random positions of a table that may be damaged in any way. Only its errors and values within
// their bounds are right.
func probeAll(t *testing.T, m material, wdl, dtz []byte) {
	pieces := 3
	rng := newRand()
	tables := &Tables{wdl: map[material]*file{}, dtz: map[material]*file{}}
	for _, isDTZ := range []bool{false, true} {
		f := &file{path: "test", material: m, pieces: pieces, dtz: isDTZ}
		of, data := tables.wdl, wdl
		if isDTZ {
			of, data = tables.dtz, dtz
		}
		f.once.Do(func() {
			if table, err := parse(data, m, pieces, isDTZ); err == nil {
				f.table = table
			}
		})
		of[m], of[m.mirrored()] = f, f
	}
	for range 300 {
		p := randomPosition(rng, m)
		if v, err := tables.WDL(&p); err == nil && (v < Loss || v > Win) {
			t.Errorf("%s: WDL %d", p.fen(), v)
		}
		if d, err := tables.DTZ(&p); err == nil && (d > 1<<18 || d < -1<<18) {
			t.Errorf("%s: DTZ %d", p.fen(), d)
		}
	}
}

// damaged returns a copy of data with some bytes changed, most of them near the beginning.
func damaged(rng *rand.Rand, data []byte) []byte {
	data = append([]byte(nil), data...)
	for range 1 + rng.IntN(4) {
		at := rng.IntN(len(data))
		if rng.IntN(4) > 0 {
			at = rng.IntN(min(len(data), 200))
		}
		data[at] = byte(rng.Uint32())
	}
	return data
}

// TestDamaged probes tables with changed bytes.
func TestDamaged(t *testing.T) {
	rng := newRand()
	for _, e := range endgames {
		m, _, _ := parseName(e.name)
		wdl, dtz := testFile(t, e.name+".rtbw"), testFile(t, e.name+".rtbz")
		for range 40 {
			probeAll(t, m, damaged(rng, wdl), damaged(rng, dtz))
		}
	}
}

// FuzzTable probes arbitrary tables.
func FuzzTable(f *testing.F) {
	for i, e := range endgames {
		f.Add(uint8(i), testFile(f, e.name+".rtbw"), testFile(f, e.name+".rtbz"))
	}
	f.Fuzz(func(t *testing.T, endgame uint8, wdl, dtz []byte) {
		m, _, _ := parseName(endgames[int(endgame)%len(endgames)].name)
		probeAll(t, m, wdl, dtz)
	})
}
