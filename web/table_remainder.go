package web

import (
	"fmt"

	"trefoil/engine/registry"
	"trefoil/web/board"
)

// remainderView shows the table of an exact solver. Its places are the buckets in use.
type remainderView struct{ registry.ExactTable }

// remainderEntry is an entry of a bucket. The key, and so the position, follows from the bucket and the
// bits of the entry.
type remainderEntry struct {
	Key   string   `json:"key"`
	Rows  []string `json:"rows,omitempty"` // the board from the top: stones of the sides 0 and 1, a dot for an empty cell
	Mover int      `json:"mover"`          // the side to move
	Lower int      `json:"lower"`          // bounds of its score, as the values of moves have it
	Upper int      `json:"upper"`
	Work  int      `json:"work"` // the binary logarithm of the nodes below it
}

func (v remainderView) kind() string   { return board.RemainderTable }
func (v remainderView) memory() string { return v.Table().Memory().String() }

func (v remainderView) describe(j *tableJSON) {
	s := v.Table().Shape()
	j.MiB, j.Entries, j.HashFull = (s.Bytes()+1<<19)>>20, s.Buckets*uint64(s.EntriesPerBucket), v.Table().Full()
	if used := v.Table().InUse(); used < s.Buckets {
		j.InUse = used
	}
}

func (v remainderView) places() uint64            { return v.Table().InUse() }
func (v remainderView) indexes() uint64           { return 1 }
func (v remainderView) index(place uint64) uint64 { return place }

// cell returns
//
//	byte 0   entries in use, 0 to 4
//	byte 1   those with an exact score
//	byte 2   the greatest work, a binary logarithm
//	byte 3   entries that are won for the side to move, and 16 × those that are lost
func (v remainderView) cell(place uint64) (cell [pixelBytes]byte) {
	bucket, _ := v.Table().Look(place)
	for i, word := range bucket.Words() {
		if word == 0 {
			continue
		}
		cell[0]++
		lower, upper, work := v.Bounds(bucket.Value(i))
		if lower == upper {
			cell[1]++
		}
		cell[2] = max(cell[2], byte(work))
		switch {
		case lower > 0:
			cell[3]++
		case upper < 0:
			cell[3] += 16
		}
	}
	return cell
}

func (v remainderView) content(index uint64, _ *game) *placeJSON {
	j := &placeJSON{Index: index}
	bucket, ok := v.Table().Look(index)
	all := bucket.Words()
	if !ok { // the table grows at the moment
		all = make([]uint64, v.Table().Shape().EntriesPerBucket)
	}
	for i, word := range all {
		words := []uint64{word}
		j.Bytes += bytesOf(words)
		r := new(remainderEntry)
		if word != 0 {
			key := bucket.Key(i)
			r.Key = fmt.Sprintf("%016x", key.Low)
			if key.High > 0 {
				r.Key = fmt.Sprintf("%x", key.High) + r.Key
			}
			r.Rows, r.Mover = v.Position(key)
			r.Lower, r.Upper, r.Work = v.Bounds(bucket.Value(i))
		}
		entry := entryJSON{Used: word != 0, Content: r}
		for _, f := range v.Fields() {
			entry.Bits = append(entry.Bits, fieldOf(f.Name, f.From, f.To, words))
		}
		j.Entries = append(j.Entries, entry)
	}
	return j
}
