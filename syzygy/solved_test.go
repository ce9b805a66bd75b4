package syzygy_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"trefoil/syzygy"
	"trefoil/tools/referee/retrograde"
	"trefoil/tools/referee/syzygyfile"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

// TestSolved looks up every legal position of some materials, in tables that syzygyfile writes. It compares results
// and distances with the results and distances of retrograde, which has rules of its own. The tables of testdata are
// the same.
func TestSolved(t *testing.T) {
	materials := []string{"KQvK", "KRvK", "KBvK", "KNvK", "KPvK"}
	if *long {
		materials = append(materials, "KBBvK", "KQvKR")
	}
	folder := t.TempDir()
	solver := retrograde.NewSolver(retrograde.ToZeroing)
	var solved []*retrograde.Table
	for _, name := range materials {
		table, err := solver.Solve(name)
		if err != nil {
			t.Fatal(err)
		}
		solved = append(solved, table)
		write(t, syzygyfile.WDL, table, folder, name+".rtbw")
		write(t, syzygyfile.DTZ, table, folder, name+".rtbz")
	}
	tables := syzygy.Open(folder)
	for _, table := range solved {
		compare(t, tables, table)
	}
	for _, err := range tables.Problems() {
		t.Error(err)
	}
	if err := tables.Close(); err != nil {
		t.Error(err)
	}
}

// write writes a table. One of three pieces has the bytes of the file in testdata.
func write(t *testing.T, content func(*retrograde.Table) ([]byte, error), table *retrograde.Table,
	folder, name string) {
	t.Helper()
	data, err := content(table)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil && !bytes.Equal(data, want) || err != nil && len(table.Name()) == len("KQvK") {
		t.Errorf("testdata/%s has other bytes: error %v", name, err)
	}
}

func compare(t *testing.T, tables *syzygy.Tables, table *retrograde.Table) {
	t.Helper()
	for p, want := range table.All() {
		if want.WDL == retrograde.Loss && want.DTZ == 0 {
			want.DTZ = -1 // mate
		}
		q := position(&p)
		wdl, err := tables.WDL(&q)
		if err != nil {
			t.Fatal(err)
		}
		dtz, err := tables.DTZ(&q)
		if err != nil {
			t.Fatal(err)
		}
		if int(wdl) != int(want.WDL) || dtz != want.DTZ {
			t.Fatalf("%s: %d, DTZ %d, want %d, DTZ %d", p.FEN(), wdl, dtz, want.WDL, want.DTZ)
		}
	}
}

func position(p *retrograde.Position) (q syzygy.Position) {
	q.BlackToMove = p.Side() == retrograde.Black
	for kind, board := range map[rune]*uint64{
		'P': &q.Pawns, 'N': &q.Knights, 'B': &q.Bishops, 'R': &q.Rooks, 'Q': &q.Queens, 'K': &q.Kings,
	} {
		for _, s := range p.Squares(kind) {
			*board |= 1 << s
			q.White |= 1 << s
		}
		for _, s := range p.Squares(kind | 32) {
			*board |= 1 << s
			q.Black |= 1 << s
		}
	}
	return q
}
