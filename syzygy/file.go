package syzygy

import (
	"encoding/binary"
	"fmt"
)

// A table has parts: one for each file a to d of the leading pawn (only one without pawns) and each side to
// move that has values of its own. A file begins with a magic number and flags. Then come, for each file of
// the leading pawn, the order and the codes of the pieces; for each part the description of its values; in
// DTZ files the lists of values; the sparse indices of all parts; the sizes of their blocks; and their
// blocks. The last 16 bytes are a checksum.

// The magic numbers, and flags of a file.
const (
	magicWDL = 0x5d23e871
	magicDTZ = 0xa50c66d7

	fileSplit = 1 // the sides to move have values of their own
	filePawns = 2
)

// checksumSize is the size of the checksum after the data, which is padded to a multiple of blockAlign.
const (
	checksumSize = 16
	blockAlign   = 64
)

// table is a file in memory.
type table struct {
	material material // with the colours of the piece codes
	pieces   int
	pawns    bool // there are pawns
	dtz      bool
	sides    int
	parts    [4][2]part // by file of the leading pawn and side to move
}

// part is the table of a file and a side to move.
type part struct {
	layout layout
	pairs  pairs
	flags  uint8
	lists  [4][]byte // of DTZ values
}

// parse reads a file of this material. The table has parts of data.
func parse(data []byte, m material, pieces int, dtz bool) (*table, error) {
	if len(data) < blockAlign || len(data)%blockAlign != checksumSize {
		return nil, fmt.Errorf("%d bytes, which is not a multiple of %d and %d more: incomplete or no Syzygy table",
			len(data), blockAlign, checksumSize)
	}
	r := &reader{data: data}
	magic := uint32(magicWDL)
	if dtz {
		magic = magicDTZ
	}
	if r.u32() != magic {
		return nil, fmt.Errorf("it begins with % x, which is not a Syzygy table of this kind", data[:4])
	}
	t := &table{material: m, pieces: pieces, pawns: m.count(Pawn, false)+m.count(Pawn, true) > 0, dtz: dtz, sides: 1}
	flags := r.u8()
	if flags&fileSplit != 0 && !dtz {
		t.sides = 2
	}
	if t.pawns != (flags&filePawns != 0) || !dtz && (t.sides == 2) == t.symmetric() {
		return nil, errDamaged
	}
	if !t.readLayouts(r) {
		return nil, errDamaged
	}
	t.readParts(r)
	if r.failed {
		return nil, errDamaged
	}
	return t, nil
}

// symmetric reports whether both sides have the same pieces.
func (t *table) symmetric() bool { return t.material == t.material.mirrored() }

// files is the number of files that the leading pawn can be on.
func (t *table) files() int {
	if t.pawns {
		return 4
	}
	return 1
}

// each calls f for all parts in the order of the file.
func (t *table) each(f func(*part)) {
	for file := range t.files() {
		for side := range t.sides {
			f(&t.parts[file][side])
		}
	}
}

// readLayouts reads the orders and codes of the pieces: for the first side in the lower half of each byte,
// for the second in the upper.
func (t *table) readLayouts(r *reader) bool {
	white, black := t.material.count(Pawn, false), t.material.count(Pawn, true)
	both := white > 0 && black > 0
	for file := range t.files() {
		order, order2 := r.u8(), uint8(0)
		if both {
			order2 = r.u8()
		}
		bytes := r.bytes(uint64(t.pieces))
		if r.failed {
			return false
		}
		for side := range t.sides {
			nibble := func(b uint8) uint8 { return b >> (4 * side) & 15 }
			codes := make([]uint8, len(bytes))
			for i, b := range bytes {
				codes[i] = nibble(b)
			}
			m, ok := materialOfCodes(codes)
			if file == 0 && side == 0 && (m == t.material || m == t.material.mirrored()) {
				t.material = m
			}
			if !ok || m != t.material {
				return false
			}
			kind, lead, second, ways := t.leading(file)
			if t.parts[file][side].layout, ok = newLayout(codes, kind, lead, second, int(nibble(order)), int(nibble(order2)),
				ways); !ok {
				return false
			}
		}
	}
	if t.pawns { // the pawns of one side lead in all parts
		first := t.parts[0][0].layout.codes[0]
		ok := true
		t.each(func(p *part) { ok = ok && p.layout.codes[0] == first })
		return ok
	}
	return !r.failed
}

// leading describes the leading group, and the pawns of the second one.
func (t *table) leading(file int) (kind leadKind, lead, second int, ways uint64) {
	m := t.material
	if t.pawns {
		lead, second = m.count(Pawn, false), m.count(Pawn, true)
		if second > 0 && (lead == 0 || second < lead) {
			lead, second = second, lead
		}
		return leadPawns, lead, second, pawnWays[lead-1][file]
	}
	single := 2 // the kings
	for k := Pawn; k < King; k++ {
		for _, black := range []bool{false, true} {
			if m.count(k, black) == 1 {
				single++
			}
		}
	}
	if single >= 3 {
		return leadThree, 3, 0, waysThree
	}
	return leadKings, 2, 0, waysKings
}

// materialOfCodes counts pieces by their codes. ok is false if one is none, or if a side has not one king.
func materialOfCodes(codes []uint8) (m material, ok bool) {
	var kings [2]int
	for _, c := range codes {
		switch k := codeKind(c); k {
		case King:
			kings[c>>3]++
		case Pawn, Knight, Bishop, Rook, Queen:
			m += 1 << shift(k, c&blackCode != 0)
		default:
			return 0, false
		}
	}
	return m, kings == [2]int{1, 1}
}

// readParts reads what follows the layouts.
func (t *table) readParts(r *reader) {
	r.align(2)
	t.each(func(p *part) {
		p.pairs, p.flags = readPairs(r, p.layout.size, t.dtz)
		if t.dtz && t.pawns && t.symmetric() && p.flags&flagSide != 0 { // no position would be in it
			r.fail()
		}
	})
	if t.dtz {
		t.each(func(p *part) { p.readLists(r) })
		r.align(2)
	}
	t.each(func(p *part) { p.pairs.sparse = r.bytes(6 * p.pairs.entries) })
	t.each(func(p *part) { p.pairs.sizes = r.bytes(2 * p.pairs.sizeCount) })
	t.each(func(p *part) {
		r.align(blockAlign)
		p.pairs.blocks = r.bytes(p.pairs.blockCount << p.pairs.blockBits)
	})
}

// readLists reads the lists of DTZ values: of wins, losses, cursed wins and blessed losses.
func (p *part) readLists(r *reader) {
	if p.flags&flagMapped == 0 {
		return
	}
	for i := range p.lists {
		if p.flags&flagWide == 0 {
			p.lists[i] = r.bytes(uint64(r.u8()))
			continue
		}
		if i == 0 {
			r.align(2)
		}
		p.lists[i] = r.bytes(2 * uint64(r.u16()))
	}
}

// reader reads numbers. After the end of the data it has failed and reads zeros.
type reader struct {
	data   []byte
	at     uint64
	failed bool
}

func (r *reader) fail() { r.failed = true }

// bytes returns the next n bytes, as a part of the data.
func (r *reader) bytes(n uint64) []byte {
	if r.failed || n > uint64(len(r.data))-r.at {
		r.fail()
		return nil
	}
	b := r.data[r.at : r.at+n : r.at+n]
	r.at += n
	return b
}

func (r *reader) u8() uint8 {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) u16() uint16 {
	if b := r.bytes(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) u32() uint32 {
	if b := r.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// align skips to a multiple of n, a power of two.
func (r *reader) align(n uint64) { r.bytes(-r.at & (n - 1)) }
