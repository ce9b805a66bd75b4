package syzygy

import (
	"testing"
)

// noise is a value that follows from its arguments, in runs of various lengths.
func noise(file, side int, i uint64, values uint64) uint16 {
	x := (i/3 + i/64*7 + uint64(file)*977 + uint64(side)*1009) * 0x9e3779b97f4a7c15
	return uint16(x >> 40 % values)
}

// TestRoundTrip writes tables of noise and reads every value: all kinds of leading groups, with up to four
// pieces, orders of the groups, both widths of lists, cursed wins and blessed losses.
func TestRoundTrip(t *testing.T) {
	for _, test := range []struct {
		name  string
		codes []uint8
		order uint8
	}{
		{"KQvK", []uint8{6, 5, 14}, 0},
		{"KRvK", []uint8{12, 6, 14}, 0}, // the colours of the file are not those of its name
		{"KPvK", []uint8{1, 6, 14}, 2},
		{"KNNvK", []uint8{14, 6, 2, 2}, 1},
		{"KQvKR", []uint8{6, 12, 14, 5}, 1},
		{"KPvKP", []uint8{1, 9, 6, 14}, 0},
		{"KRRvK", []uint8{6, 14, 4, 4}, 0},
		{"KBvKB", []uint8{6, 3, 11, 14}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, pieces, ok := parseName(test.name)
			if !ok {
				t.Fatal("no name")
			}
			w := tableWriter{material: m, codes: test.codes, order: test.order}
			w.material, _ = materialOfCodes(test.codes)
			w.value = func(file, side int, i uint64) uint16 { return noise(file, side, i, 5) }
			wdl, err := parse(w.write(t), m, pieces, false)
			if err != nil {
				t.Fatal(err)
			}
			lists := [4][]uint16{make([]uint16, 200), make([]uint16, 200), make([]uint16, 200), make([]uint16, 200)}
			for i := range lists {
				for j := range lists[i] {
					lists[i][j] = uint16((i*31 + j*7) % 250)
				}
			}
			d := w
			d.dtz, d.lists, d.flags = true, lists, flagMapped
			d.value = func(file, side int, i uint64) uint16 { return noise(file, side, i, 200) }
			narrow, err := parse(d.write(t), m, pieces, true)
			if err != nil {
				t.Fatal(err)
			}
			for i := range d.lists {
				for j := range d.lists[i] {
					d.lists[i][j] += 300
				}
			}
			d.flags = flagMapped | flagWide | flagWinPlies
			wide, err := parse(d.write(t), m, pieces, true)
			if err != nil {
				t.Fatal(err)
			}
			rng := newRand()
			for range 8000 {
				p := randomPosition(rng, m)
				checkNoise(t, &p, wdl, narrow, wide)
			}
		})
	}
}

// checkNoise checks what the tables have about p. The DTZ tables have one side to move.
func checkNoise(t *testing.T, p *Position, wdl, narrow, wide *table) {
	t.Helper()
	m := materialOf(p)
	side, file, index := locate(wdl, p, m)
	if v, err := wdl.value(p, m, 0); err != nil || v != int(noise(file, side, index, 5))-2 {
		t.Fatalf("%s: WDL %d %v", p.fen(), v, err)
	}
	for wdl, list := range map[WDL]int{Win: 0, Loss: 1, CursedWin: 2, BlessedLoss: 3} {
		v, err := narrow.value(p, m, wdl)
		v2, err2 := wide.value(p, m, wdl)
		if side == 1 {
			if err != errOtherSide || err2 != errOtherSide {
				t.Fatalf("%s: DTZ of the other side: %v %v", p.fen(), err, err2)
			}
			continue
		}
		plies := (list*31 + int(noise(file, 0, index, 200))*7) % 250
		want2 := plies + 300
		if wdl != Win {
			want2 *= 2
		}
		if err != nil || err2 != nil || v != 2*plies || v2 != want2 {
			t.Fatalf("%s: DTZ %d %v, %d %v, want %d, %d", p.fen(), v, err, v2, err2, 2*plies, want2)
		}
	}
}

// locate returns where t has p.
func locate(t *table, p *Position, m material) (side, file int, index uint64) {
	swapped := m != t.material
	if t.symmetric() {
		swapped = p.BlackToMove
	}
	if p.BlackToMove != swapped {
		side = 1
	}
	squares := make([]uint8, t.pieces)
	if t.pawns {
		lead := t.parts[0][0].layout.groups[0].count
		t.parts[0][0].layout.place(p, squares, lead, swapped)
		file = leadingPawn(squares[:lead])
	}
	l := &t.parts[file][side].layout
	l.place(p, squares, t.pieces, swapped)
	if t.pawns {
		leadingPawn(squares[:l.groups[0].count])
	}
	return side, file, l.index(squares)
}

// TestLosingCapture: a capture that loses as all other moves do says nothing about the distance.
func TestLosingCapture(t *testing.T) {
	codes := []uint8{6, 14, 5, 5}
	m, _ := materialOfCodes(codes)
	wdl := tableWriter{material: m, codes: codes, value: func(_, side int, _ uint64) uint16 { return uint16(4 - 4*side) }}
	dtz := tableWriter{material: m, codes: codes, dtz: true, flags: flagSide | flagLossPlies,
		value: func(_, _ int, i uint64) uint16 { return uint16(6 + i%2) }}
	tables := Open(folderWith(t, map[string][]byte{"KQQvK.rtbw": wdl.write(t), "KQQvK.rtbz": dtz.write(t),
		"KQvK.rtbw": testFile(t, "KQvK.rtbw")}))
	defer tables.Close()
	const h1, a2, e4, e5 = 7, 8, 28, 36
	p := Position{White: 1<<h1 | 1<<a2 | 1<<e4, Black: 1 << e5, Kings: 1<<h1 | 1<<e5, Queens: 1<<a2 | 1<<e4,
		BlackToMove: true}
	if d, err := tables.DTZ(&p); d > -7 || err != nil {
		t.Error(d, err)
	}
}
