package syzygy

import (
	"encoding/binary"
	"testing"

	"trefoil/tools/referee/syzygyfile"
)

// tableWriter writes tables of any values, those that a reader should find.
type tableWriter struct {
	material material // with the colours of codes
	codes    []uint8
	order    uint8 // of the leading group; that of the second group of pawns is one more
	dtz      bool
	flags    uint8 // of all parts
	lists    [4][]uint16
	// value returns the value of an index, for a file of the leading pawn and a side to move.
	value func(file, side int, index uint64) uint16
}

// write returns the file.
func (w *tableWriter) write(tb testing.TB) []byte {
	tb.Helper()
	t := &table{material: w.material, pieces: len(w.codes), dtz: w.dtz, sides: 1}
	t.pawns = w.material.count(Pawn, false)+w.material.count(Pawn, true) > 0
	if !w.dtz && !t.symmetric() {
		t.sides = 2
	}
	f := syzygyfile.File{Magic: syzygyfile.MagicWDL}
	if w.dtz {
		f.Magic = syzygyfile.MagicDTZ
	}
	for file := range t.files() {
		kind, lead, second, ways := t.leading(file)
		s := syzygyfile.Section{Orders: []uint8{w.order}, Codes: w.codes}
		if second > 0 {
			s.Orders = append(s.Orders, w.order+1)
		}
		layout, ok := newLayout(w.codes, kind, lead, second, int(w.order), int(w.order)+1, ways)
		if !ok {
			tb.Fatal("no layout")
		}
		for side := range t.sides {
			values := make([]uint16, layout.size)
			for i := range values {
				values[i] = w.value(file, side, uint64(i))
			}
			part, err := syzygyfile.Compress(values, w.flags, 6)
			if err != nil {
				tb.Fatal(err)
			}
			s.Parts = append(s.Parts, part)
			f.Lists = w.appendLists(f.Lists)
		}
		f.Sections = append(f.Sections, s)
	}
	return f.Bytes()
}

// appendLists appends the lists of one part.
func (w *tableWriter) appendLists(b []byte) []byte {
	if w.flags&flagMapped == 0 {
		return b
	}
	wide := w.flags&flagWide != 0
	if wide && len(b)%2 == 1 {
		b = append(b, 0)
	}
	for _, list := range w.lists {
		if wide {
			b = binary.LittleEndian.AppendUint16(b, uint16(len(list)))
		} else {
			b = append(b, uint8(len(list)))
		}
		for _, v := range list {
			if wide {
				b = binary.LittleEndian.AppendUint16(b, v)
			} else {
				b = append(b, uint8(v))
			}
		}
	}
	return b
}
