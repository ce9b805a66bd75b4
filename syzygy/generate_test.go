package syzygy

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "solve the endgames of testdata again and write their tables")

// endgames of testdata, each after those that it can become. Their DTZ tables have the side dtzSide to move.
var endgames = []struct {
	name    string
	codes   []uint8
	dtzSide int
}{
	{"KBvK", []uint8{6, 14, 3}, 0},
	{"KNvK", []uint8{2, 6, 14}, 0},
	{"KRvK", []uint8{4, 6, 14}, 0},
	{"KQvK", []uint8{6, 5, 14}, 1},
	{"KPvK", []uint8{1, 14, 6}, 0},
}

// TestGenerate writes the tables of testdata:
//
//	go test ./syzygy -run TestGenerate -update
func TestGenerate(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	for _, e := range endgames {
		m, _, _ := parseName(e.name)
		s := solve(t, m, e.codes)
		wdl := tableWriter{material: m, codes: e.codes, span: 10, blockBits: 6}
		wdl.value = func(file, side int, i uint64) uint16 { return uint16(s.fill(file, side, i).wdl + 2) }
		dtz := tableWriter{material: m, codes: e.codes, dtz: true, span: 10, blockBits: 6, flags: flagWinPlies | flagLossPlies | uint8(e.dtzSide)}
		dtz.value = func(file, _ int, i uint64) uint16 {
			return uint16(max(s.fill(file, e.dtzSide, i).distance, 1) - 1)
		}
		for extension, w := range map[string]*tableWriter{".rtbw": &wdl, ".rtbz": &dtz} {
			if err := os.WriteFile(filepath.Join("testdata", e.name+extension), w.write(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// solution is the results of an endgame, by file of the leading pawn, side to move and index.
type solution struct {
	parts [4][2][]solved
}

// solved is the result of a position, if it is a position.
type solved struct {
	position        Position
	exists, decided bool
	wdl             WDL
	distance        int // plies to the next capture, pawn move or mate; 0 for a mate
}

// fill is a result, for an index without a position that of the one before it.
func (s *solution) fill(file, side int, i uint64) solved {
	part := s.parts[file][side]
	for i > 0 && !part[i].exists {
		i--
	}
	return part[i]
}

// solve finds the results of an endgame of three pieces by retrograde analysis, for each rank of the pawn
// from the last on.
func solve(t *testing.T, m material, codes []uint8) *solution {
	s := new(solution)
	tb := &table{material: m, pieces: 3, pawns: m.count(Pawn, false) > 0, sides: 2}
	for file := range tb.files() {
		kind, lead, second, ways := tb.leading(file)
		for side := range 2 {
			p := &tb.parts[file][side]
			p.layout, _ = newLayout(codes, kind, lead, second, 0, 1, ways)
			s.parts[file][side] = make([]solved, p.layout.size)
		}
	}
	find := func(p *Position) *solved {
		var squares [3]uint8
		file, side := 0, 0
		if p.BlackToMove {
			side = 1
		}
		if tb.pawns {
			tb.parts[0][0].layout.place(p, squares[:], 1, false)
			file = leadingPawn(squares[:1])
		}
		l := &tb.parts[file][side].layout
		l.place(p, squares[:], 3, false)
		return &s.parts[file][side][l.index(squares[:])]
	}
	everyPosition(m, func(p Position) {
		if e := find(&p); !e.exists {
			e.exists, e.position = true, p
		}
	})
	smaller := Open("testdata")
	defer smaller.Close()
	for rank := 6; rank >= 0; rank-- {
		var open []*solved
		for file := range s.parts {
			for side := range s.parts[file] {
				for i := range s.parts[file][side] {
					e := &s.parts[file][side][i]
					if e.exists && (e.position.Pawns == 0 || e.position.Pawns>>(8*rank)&0xff != 0) {
						open = append(open, e)
					}
				}
			}
		}
		for n, idle := 0, 0; idle < 3; n++ { // from 2 on, no distance is left out
			before := len(open)
			if open = decide(t, open, n, find, smaller); len(open) < before {
				idle = 0
			} else {
				idle++
			}
		}
		for _, e := range open {
			e.decided = true // a draw
		}
	}
	return s
}

// decide decides the positions whose distance is n, and returns the others.
func decide(t *testing.T, open []*solved, n int, find func(*Position) *solved, smaller *Tables) (rest []*solved) {
	if len(open) == 0 {
		return nil
	}
	result := func(p *Position) (r solved) { // the side that has just moved wants a loss
		if materialOf(p) == 0 {
			return solved{decided: true}
		}
		if materialOf(p) == materialOf(&open[0].position) {
			return *find(p)
		}
		wdl, err := smaller.WDL(p)
		if err != nil {
			t.Fatal(err)
		}
		return solved{decided: true, wdl: wdl}
	}
	type change struct {
		e   *solved
		wdl WDL
	}
	var changes []change
	for _, e := range open {
		p := &e.position
		var l moveList
		p.pseudoLegal(&l, false)
		wins, loses, moves, last := false, true, 0, 0
		for _, m := range l.all() {
			next, ok := p.legal(m)
			if !ok {
				continue
			}
			moves++
			r := result(&next)
			distance := r.distance + 1
			if p.isZeroing(m) {
				distance = 1
			}
			wins = wins || r.decided && r.wdl == Loss && distance == n
			loses = loses && r.decided && r.wdl == Win
			last = max(last, distance)
		}
		switch {
		case wins:
			changes = append(changes, change{e, Win})
		case moves == 0 && !p.inCheck():
			e.decided = true // stalemate
		case loses && last == n:
			changes = append(changes, change{e, Loss})
		default:
			rest = append(rest, e)
		}
	}
	for _, c := range changes {
		c.e.decided, c.e.wdl, c.e.distance = true, c.wdl, n
	}
	return rest
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
			if n++; n%19 != 0 {
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

// TestWriter checks that the tables of testdata are as the writer writes them.
func TestWriter(t *testing.T) {
	for _, e := range endgames {
		m, pieces, _ := parseName(e.name)
		for _, dtz := range []bool{false, true} {
			path := filepath.Join("testdata", e.name+map[bool]string{false: ".rtbw", true: ".rtbz"}[dtz])
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			read, err := parse(data, m, pieces, dtz)
			if err != nil {
				t.Fatal(path, err)
			}
			w := tableWriter{material: m, codes: e.codes, dtz: dtz, span: 10, blockBits: 6}
			if dtz {
				w.flags = read.parts[0][0].flags &^ flagConstant
			}
			w.value = func(file, side int, i uint64) uint16 {
				v, err := read.parts[file][side].pairs.at(i)
				if err != nil {
					t.Fatal(path, err)
				}
				return v
			}
			if !bytes.Equal(w.write(), data) {
				t.Error(path, "is another file when it is written again")
			}
		}
	}
}
