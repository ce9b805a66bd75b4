package syzygy

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sort"
)

// tableWriter writes tables, so that tests need none of another origin. Its values are those that a reader
// should find. It pairs equal neighbours only, so its files are larger than they could be.
type tableWriter struct {
	material  material // with the colours of codes
	codes     []uint8
	order     uint8 // of the leading group; that of the second group of pawns is one more
	dtz       bool
	flags     uint8 // of all parts
	lists     [4][]uint16
	span      uint
	blockBits uint
	// value is that of an index, for a file of the leading pawn and a side to move.
	value func(file, side int, index uint64) uint16
}

// write returns the file.
func (w *tableWriter) write() []byte {
	t := &table{material: w.material, pieces: len(w.codes), dtz: w.dtz, sides: 1}
	t.pawns = w.material.count(Pawn, false)+w.material.count(Pawn, true) > 0
	if !w.dtz && !t.symmetric() {
		t.sides = 2
	}
	var b bytes.Buffer
	magic, flags := uint32(magicWDL), uint8(t.sides-1)
	if w.dtz {
		magic, flags = magicDTZ, 0
	}
	if t.pawns {
		flags |= filePawns
	}
	put(&b, magic, flags)
	var encoded []*encoder
	for file := range t.files() {
		kind, lead, second, ways := t.leading(file)
		put(&b, w.order*17)
		if second > 0 {
			put(&b, (w.order+1)*17)
		}
		for _, c := range w.codes {
			put(&b, c*17)
		}
		layout, ok := newLayout(w.codes, kind, lead, second, int(w.order), int(w.order)+1, ways)
		if !ok {
			panic("no layout")
		}
		for side := range t.sides {
			e := &encoder{span: w.span, blockBits: w.blockBits}
			e.encode(layout.size, func(i uint64) uint16 { return w.value(file, side, i) })
			encoded = append(encoded, e)
		}
	}
	pad(&b, 2)
	for _, e := range encoded {
		e.describe(&b, w.flags)
	}
	if w.dtz {
		for range encoded {
			w.writeLists(&b)
		}
		pad(&b, 2)
	}
	for _, e := range encoded {
		b.Write(e.sparse)
	}
	for _, e := range encoded {
		b.Write(e.sizes)
	}
	for _, e := range encoded {
		if e.blocks != nil {
			pad(&b, blockAlign)
		}
		b.Write(e.blocks)
	}
	pad(&b, blockAlign)
	b.Write(make([]byte, checksumSize))
	return b.Bytes()
}

func (w *tableWriter) writeLists(b *bytes.Buffer) {
	if w.flags&flagMapped == 0 {
		return
	}
	wide := w.flags&flagWide != 0
	if wide {
		pad(b, 2)
	}
	for _, list := range w.lists {
		if wide {
			put(b, uint16(len(list)), list)
			continue
		}
		put(b, uint8(len(list)))
		for _, v := range list {
			put(b, uint8(v))
		}
	}
}

func put(b *bytes.Buffer, values ...any) {
	for _, v := range values {
		if err := binary.Write(b, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
}

func pad(b *bytes.Buffer, n int) {
	for b.Len()%n != 0 {
		b.WriteByte(0)
	}
}

// encoder compresses the values of one part.
type encoder struct {
	span, blockBits uint

	constant              bool
	value                 uint16
	symbols               []symbol
	lengths               []int // of the code of a symbol
	sparse, sizes, blocks []byte
	count                 int // blocks
}

// symbol stands for a value, or for twice another symbol.
type symbol struct {
	value uint16
	twice int // index of that symbol, -1 for a value
	size  int
	uses  int
}

// encode compresses values.
func (e *encoder) encode(size uint64, value func(uint64) uint16) {
	stream := e.pair(size, value)
	if len(e.symbols) == 1 && stream != nil {
		e.constant, e.value = true, e.symbols[0].value
		return
	}
	e.makeLengths()
	order := make([]int, len(e.symbols)) // longest codes first
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return e.lengths[order[a]] > e.lengths[order[b]] })
	e.renumber(order, stream)
	e.fill(size, stream)
}

// pair returns the values as symbols: runs of a value become symbols for 2, 4, 8, … of it.
func (e *encoder) pair(size uint64, value func(uint64) uint16) (stream []int) {
	const longest = 8
	numbers := map[[2]int]int{} // of a value, and the power of two
	var number func(v uint16, power int) int
	number = func(v uint16, power int) int {
		if n, ok := numbers[[2]int{int(v), power}]; ok {
			return n
		}
		s := symbol{value: v, twice: -1, size: 1 << power}
		if power > 0 {
			s.twice = number(v, power-1)
		}
		e.symbols = append(e.symbols, s)
		numbers[[2]int{int(v), power}] = len(e.symbols) - 1
		return len(e.symbols) - 1
	}
	same := true
	for i := uint64(0); i < size; {
		v := value(i)
		run := uint64(1)
		for i+run < size && value(i+run) == v {
			run++
		}
		i += run
		same = same && run == size
		if same {
			number(v, 0)
			return []int{0}
		}
		for power := longest; power >= 0; power-- {
			for ; run >= 1<<power; run -= 1 << power {
				n := number(v, power)
				e.symbols[n].uses++
				stream = append(stream, n)
			}
		}
	}
	return stream
}

// makeLengths computes the lengths of a Huffman code.
func (e *encoder) makeLengths() {
	e.lengths = make([]int, len(e.symbols))
	type tree struct {
		uses   int
		leaves []int
	}
	var trees []tree
	for i, s := range e.symbols {
		trees = append(trees, tree{s.uses + 1, []int{i}})
	}
	for len(trees) > 1 {
		sort.SliceStable(trees, func(a, b int) bool { return trees[a].uses > trees[b].uses })
		a, b := trees[len(trees)-2], trees[len(trees)-1]
		joined := tree{a.uses + b.uses, slices.Concat(a.leaves, b.leaves)}
		for _, i := range joined.leaves {
			e.lengths[i]++
		}
		trees = append(trees[:len(trees)-2], joined)
	}
}

// renumber puts the symbols into an order.
func (e *encoder) renumber(order []int, stream []int) {
	number := make([]int, len(order))
	symbols, lengths := make([]symbol, len(order)), make([]int, len(order))
	for n, old := range order {
		number[old] = n
		symbols[n], lengths[n] = e.symbols[old], e.lengths[old]
	}
	for i := range symbols {
		if symbols[i].twice >= 0 {
			symbols[i].twice = number[symbols[i].twice]
		}
	}
	for i := range stream {
		stream[i] = number[stream[i]]
	}
	e.symbols, e.lengths = symbols, lengths
}

// codes returns the codes of the symbols, which are numbered from the longest code on.
func (e *encoder) codes() []uint64 {
	codes := make([]uint64, len(e.symbols))
	next := uint64(0)
	for i := range codes {
		if i > 0 {
			next >>= e.lengths[i-1] - e.lengths[i]
		}
		codes[i] = next
		next++
	}
	return codes
}

// fill writes the blocks, their sizes and the sparse index.
func (e *encoder) fill(size uint64, stream []int) {
	codes := e.codes()
	room := 8 << e.blockBits // bits of a block
	var starts []uint64      // the first value of each block
	used, values, total := room, 0, uint64(0)
	for _, s := range stream {
		if used+e.lengths[s] > room || values+e.symbols[s].size > math.MaxUint16+1 {
			e.endBlock(values)
			starts = append(starts, total)
			e.blocks = append(e.blocks, make([]byte, 1<<e.blockBits)...)
			used, values = 0, 0
		}
		block := e.blocks[len(e.blocks)-1<<e.blockBits:]
		for bit := e.lengths[s] - 1; bit >= 0; bit-- {
			block[used/8] |= byte(codes[s]>>bit&1) << (7 - used%8)
			used++
		}
		values += e.symbols[s].size
		total += uint64(e.symbols[s].size)
	}
	e.endBlock(values)
	e.count = len(starts)
	for middle := uint64(1) << (e.span - 1); middle < size+1<<(e.span-1); middle += 1 << e.span {
		block := sort.Search(len(starts), func(i int) bool { return starts[i] > middle }) - 1
		e.sparse = binary.LittleEndian.AppendUint32(e.sparse, uint32(block))
		e.sparse = binary.LittleEndian.AppendUint16(e.sparse, uint16(middle-starts[block]))
	}
}

func (e *encoder) endBlock(values int) {
	if values > 0 {
		e.sizes = binary.LittleEndian.AppendUint16(e.sizes, uint16(values-1))
	}
}

// describe writes what precedes the data of all parts.
func (e *encoder) describe(b *bytes.Buffer, flags uint8) {
	if e.constant {
		put(b, flags|flagConstant, uint8(e.value))
		return
	}
	longest, shortest := e.lengths[0], e.lengths[len(e.lengths)-1]
	put(b, flags, uint8(e.blockBits), uint8(e.span), uint8(0), uint32(e.count), uint8(longest), uint8(shortest))
	for length := shortest; length <= longest; length++ {
		first := sort.Search(len(e.lengths), func(i int) bool { return e.lengths[i] <= length })
		put(b, uint16(first))
	}
	put(b, uint16(len(e.symbols)))
	for _, s := range e.symbols {
		left, right := int(s.value), leaf
		if s.twice >= 0 {
			left, right = s.twice, s.twice
		}
		put(b, uint8(left), uint8(left>>8|right&15<<4), uint8(right>>4))
	}
	pad(b, 2)
}
