package web

import (
	"math/bits"
	"testing"

	"trefoil/engine"
	"trefoil/internal/newtable"
	"trefoil/window"
)

// TestWindowCells: a pixel sums up the slots of its place in the table of proof search.
func TestWindowCells(t *testing.T) {
	table := newtable.Window(t, 1)
	v, h := windowView{table}, table.Handle()
	for i := range uint64(40_000) {
		if i%10_000 == 0 {
			table.NewSearch()
		}
		phi, delta := uint32(i%3), uint32((i+2)%3) // open, disproved or proved
		h.Store(key(i), window.Entry{Phi: phi, Delta: delta, Work: i})
	}
	chess := New(newFake(t), engine.Games()).games.find("chess")
	used := 0
	for place := range v.places() {
		content := contentOf(v, v.index(place)+place%window.SlotsPerWindow, chess)
		var want [4]byte
		ages, work := 0, uint64(0)
		for _, entry := range content.Entries {
			if !entry.Used {
				continue
			}
			e := entry.Content.(*windowEntry)
			want[0]++
			ages, work = ages+e.Age, max(work, e.Work)
			want[3] += map[string]byte{"open": 0, "proved": 1, "disproved": 16}[e.Result]
		}
		if want[0] > 0 {
			want[1], want[2] = byte(ages/int(want[0])), byte(bits.Len64(work))
		}
		if cell := v.cell(place); cell != want || content.Pixel != pixelOf(place, v.places()) ||
			content.Index != place*window.SlotsPerWindow {
			t.Fatalf("place %d: %v, want %v, pixel %d", place, cell, want, content.Pixel)
		}
		used += int(want[0])
	}
	j := draw(v)
	if j.MiB != 1 || used < 30_000 || j.Entries != table.Slots() || j.HashFull != table.Full() || j.HashFull == 0 {
		t.Errorf("%d MiB, %d of %d entries, full %d", j.MiB, used, j.Entries, j.HashFull)
	}
}
