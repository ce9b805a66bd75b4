package syzygy

import "testing"

// endgames are the endgames of testdata. tools/syzygygen writes their tables:
//
//	go run ./tools/syzygygen -o syzygy/testdata KQvK KRvK KBvK KNvK KPvK
var endgames = []struct {
	name    string
	codes   []uint8
	order   uint8
	dtzSide int // of the table that TestPythonChessCursed writes
}{
	{"KBvK", []uint8{6, 14, 3}, 0, 0},
	{"KNvK", []uint8{6, 14, 2}, 0, 0},
	{"KRvK", []uint8{6, 14, 4}, 0, 0},
	{"KQvK", []uint8{6, 14, 5}, 0, 1},
	{"KPvK", []uint8{1, 6, 14}, 2, 0},
}

// TestTestdata checks positions of three pieces against their successors: WDL and DTZ are what the best move
// gives.
func TestTestdata(t *testing.T) {
	tables := Open("testdata")
	defer tables.Close()
	count := map[WDL]int{}
	for _, e := range endgames {
		m, _, _ := parseName(e.name)
		n := 0
		everyPosition(m, func(p Position) {
			if n++; n%37 != 0 {
				return
			}
			count[checkByMoves(t, tables, &p)]++
		})
	}
	if count[Win] == 0 || count[Loss] == 0 || count[Draw] == 0 {
		t.Error(count)
	}
	for _, err := range tables.Problems() {
		t.Error(err)
	}
	if names := tables.Missing(); names != nil {
		t.Error(names)
	}
}

// checkByMoves checks the values of p against those after its moves.
func checkByMoves(t *testing.T, tables *Tables, p *Position) WDL {
	t.Helper()
	wdl, err := tables.WDL(p)
	dtz, err2 := tables.DTZ(p)
	if err != nil || err2 != nil {
		t.Fatal(p.fen(), err, err2)
	}
	var l moveList
	p.pseudoLegal(&l, false)
	best, wins, loses, any := Loss, 999, 0, false
	for _, m := range l.all() {
		next, ok := p.legal(m)
		if !ok {
			continue
		}
		any = true
		v, err := tables.WDL(&next)
		if err != nil {
			t.Fatal(next.fen(), err)
		}
		best = max(best, -v)
		d, err := tables.distanceAfter(p, m, &next)
		if err != nil {
			t.Fatal(next.fen(), err)
		}
		if d > 0 {
			wins = min(wins, d)
		}
		loses = min(loses, d)
	}
	want := 0
	switch {
	case !any && p.inCheck():
		want = -1
	case !any:
		best = Draw
	case best > Draw:
		want = wins
	case best < Draw:
		want = loses
	}
	// A table that counts moves may be off by one.
	if wdl != best || dtz-want > 1 || dtz-want < -1 {
		t.Errorf("%s: WDL %d, DTZ %d; by its moves %d, %d", p.fen(), wdl, dtz, best, want)
	}
	return wdl
}

// TestAgainstMoves is TestTestdata for random positions of the tables that TREFOIL_SYZYGY names.
func TestAgainstMoves(t *testing.T) {
	tables := openTestTables(t)
	rng := newRand()
	for _, f := range tables.files {
		if !f.dtz && tables.dtz[f.material] != nil {
			for range 2000 {
				p := randomPosition(rng, f.material)
				checkByMoves(t, tables, &p)
			}
		}
	}
}
