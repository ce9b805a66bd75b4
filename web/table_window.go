package web

import (
	"fmt"
	"math/bits"

	"trefoil/web/board"
	"trefoil/window"
)

// windowView shows the table of proof search. Its places are as many neighbouring slots as a window has.
type windowView struct{ t *window.Table }

// windowEntry is a slot.
type windowEntry struct {
	Key       string `json:"key"`
	Phi       uint32 `json:"phi"`
	Delta     uint32 `json:"delta"`
	Result    string `json:"result"` // proved, disproved or open
	Work      uint64 `json:"work"`
	Age       int    `json:"age"` // in searches
	Plies     uint16 `json:"plies"`
	IndexByte byte   `json:"indexByte"`
	Raw       string `json:"raw"`  // the move, four hexadecimal digits
	Move      string `json:"move"` // as the protocol writes it
}

func (v windowView) kind() string   { return board.WindowTable }
func (v windowView) memory() string { return v.t.Memory().String() }

func (v windowView) describe(j *tableJSON) {
	j.MiB, j.Entries, j.HashFull = v.t.MiB(), v.t.Slots(), v.t.Full()
}

func (v windowView) places() uint64            { return v.t.InUse() / window.SlotsPerWindow }
func (v windowView) indexes() uint64           { return window.SlotsPerWindow }
func (v windowView) index(place uint64) uint64 { return place * window.SlotsPerWindow }

// cell returns
//
//	byte 0   slots in use, 0 to 4
//	byte 1   their mean age, in searches
//	byte 2   the length in bits of the greatest work
//	byte 3   slots that are proved, and 16 × those that are disproved
func (v windowView) cell(place uint64) (cell [pixelBytes]byte) {
	ages := 0
	work := uint64(0)
	for i := range uint64(window.SlotsPerWindow) {
		e, _ := v.t.Look(v.index(place) + i)
		if !e.Used {
			continue
		}
		cell[0]++
		ages += e.Age
		work = max(work, e.Work)
		switch {
		case e.Phi == 0:
			cell[3]++
		case e.Delta == 0:
			cell[3] += 16
		}
	}
	if cell[0] > 0 {
		cell[1], cell[2] = byte(ages/int(cell[0])), byte(bits.Len64(work))
	}
	return cell
}

func (v windowView) content(index uint64, g *game) *placeJSON {
	index -= index % window.SlotsPerWindow
	j := &placeJSON{Index: index}
	for i := range uint64(window.SlotsPerWindow) {
		e, _ := v.t.Look(index + i)
		j.Bytes += bytesOf(e.Words[:])
		w := &windowEntry{
			Key: fmt.Sprintf("%016x", e.Key), Phi: e.Phi, Delta: e.Delta, Result: "open", Work: e.Work, Age: e.Age,
			Plies:     e.Plies,
			IndexByte: e.Index, Raw: fmt.Sprintf("%04x", e.Move),
		}
		switch {
		case e.Used && e.Phi == 0:
			w.Result = "proved"
		case e.Used && e.Delta == 0:
			w.Result = "disproved"
		}
		if g.AlphaBeta != nil { // else the bits are those of the mirror image that the key is of
			w.Move = tableMove(g, e.Move)
		}
		entry := entryJSON{Used: e.Used, Content: w}
		for _, f := range window.Fields() {
			entry.Bits = append(entry.Bits, fieldOf(f.Name, f.From, f.To, e.Words[:]))
		}
		j.Entries = append(j.Entries, entry)
	}
	return j
}
