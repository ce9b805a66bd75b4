package syzygy

import (
	"encoding/binary"
	"errors"
	"math"
)

// Values are compressed in two steps. First pairs of neighbours are replaced by symbols, again and again
// (recursive pairing): a symbol stands for one value or for two symbols. Then the symbols are written in a
// canonical Huffman code, in blocks of equal size in bytes. Each block has a whole number of symbols. A
// sparse index knows, for one position in every span, in which block it is.
//
// The lengths of codes are from shortest on; longer codes are smaller numbers. Among the codes of one
// length, base is the smallest and stands for the symbol first; the next code stands for the next symbol.

// pairs are the values of the positions of a layout.
type pairs struct {
	constant bool // all values are value
	value    uint16

	span      uint   // positions from one entry of the sparse index to the next, as a power of two
	blockBits uint   // size of a block in bytes, as a power of two
	sparse    []byte // 6 bytes each: block, and place in it of the middle of the span
	sizes     []byte // 2 bytes each: values in a block less one
	blocks    []byte

	shortest int
	base     []uint64 // by length, in the top bits
	first    []byte   // by length, 2 bytes each: a symbol
	symbols  []byte   // 3 bytes each: two symbols of 12 bits, or a value and leaf
	counts   []uint32 // values that a symbol stands for

	entries, blockCount, sizeCount uint64
}

// leaf in the place of the second symbol marks a symbol of one value.
const leaf = 0xfff

// Bits of the flags in front of pairs.
const (
	flagSide      = 1   // DTZ: which side to move the table has
	flagMapped    = 2   // DTZ: values are places in a list of values
	flagWinPlies  = 4   // DTZ: wins count plies, not moves
	flagLossPlies = 8   // DTZ: losses count plies, not moves
	flagWide      = 16  // DTZ: these lists have 2 bytes for each value
	flagConstant  = 128 // there is only one value
)

var errDamaged = errors.New("damaged")

// readPairs reads the description of the values of size positions.
func readPairs(r *reader, size uint64, dtz bool) (c pairs, flags uint8) {
	flags = r.u8()
	if flags&flagConstant != 0 {
		c.constant, c.value = true, uint16(r.u8())
		if dtz {
			c.value = 0
		}
		return c, flags
	}
	c.blockBits, c.span = uint(r.u8()), uint(r.u8())
	padding := uint64(r.u8())
	c.blockCount = uint64(r.u32())
	longest, shortest := int(r.u8()), int(r.u8())
	if c.blockBits > 31 || c.span < 1 || c.span > 31 || shortest < 1 || longest < shortest || longest > 32 {
		r.fail()
		return c, flags
	}
	c.sizeCount = c.blockCount + padding
	c.entries = (size + 1<<c.span - 1) >> c.span
	c.shortest = shortest
	lengths := longest - shortest + 1
	c.first = r.bytes(2 * uint64(lengths))
	symbols := uint64(r.u16())
	c.symbols = r.bytes(3 * symbols)
	r.align(2)
	if r.failed || symbols == 0 || symbols > leaf+1 {
		r.fail()
		return c, flags
	}
	if !c.makeBase(lengths) || !c.makeCounts(int(symbols)) {
		r.fail()
	}
	return c, flags
}

// makeBase computes base. The longest codes begin with 0.
func (c *pairs) makeBase(lengths int) bool {
	c.base = make([]uint64, lengths)
	for i := lengths - 2; i >= 0; i-- {
		here, longer := uint64(c.firstOf(i)), uint64(c.firstOf(i+1))
		if c.base[i+1]+here < longer {
			return false
		}
		c.base[i] = (c.base[i+1] + here - longer) / 2
	}
	for i := range c.base {
		c.base[i] <<= 64 - uint(c.shortest+i)
	}
	return true
}

func (c *pairs) firstOf(length int) uint16 { return binary.LittleEndian.Uint16(c.first[2*length:]) }

// children returns the two symbols that a symbol stands for; right is leaf if left is a value.
func (c *pairs) children(symbol int) (left, right int) {
	b := c.symbols[3*symbol : 3*symbol+3]
	return int(b[1]&15)<<8 | int(b[0]), int(b[2])<<4 | int(b[1]>>4)
}

// makeCounts computes counts. No symbol may be part of itself, so that decoding ends.
func (c *pairs) makeCounts(symbols int) bool {
	const open = math.MaxUint32
	c.counts = make([]uint32, symbols)
	var visit func(symbol int) bool
	visit = func(symbol int) bool {
		left, right := c.children(symbol)
		if right == leaf {
			c.counts[symbol] = 1
			return true
		}
		c.counts[symbol] = open
		for _, child := range []int{left, right} {
			if child >= symbols || c.counts[child] == open || c.counts[child] == 0 && !visit(child) {
				return false
			}
		}
		c.counts[symbol] = c.counts[left] + c.counts[right]
		return c.counts[symbol] <= math.MaxUint16+1
	}
	for symbol := range symbols {
		if c.counts[symbol] == 0 && !visit(symbol) {
			return false
		}
	}
	return true
}

// at returns the value of a position, or errDamaged.
func (c *pairs) at(index uint64) (uint16, error) {
	if c.constant {
		return c.value, nil
	}
	if index>>c.span >= c.entries {
		return 0, errDamaged
	}
	block, place, err := c.find(index)
	if err != nil {
		return 0, err
	}
	bits := c.blocks[block<<c.blockBits:][:1<<c.blockBits]
	window, bits := next(bits), skip(bits, 8) // the next bits of the code, at the top
	have := 64                                // of them
	for {
		length := 0
		for window < c.base[length] {
			length++
		}
		n := c.shortest + length
		symbol := uint64(c.firstOf(length)) + (window-c.base[length])>>(64-n)
		if symbol >= uint64(len(c.counts)) {
			return 0, errDamaged
		}
		if count := c.counts[symbol]; place < count {
			return c.expand(int(symbol), place), nil
		} else {
			place -= count
		}
		window <<= n
		if have -= n; have <= 32 {
			window |= next(bits) >> 32 << (32 - have)
			bits = skip(bits, 4)
			have += 32
		}
	}
}

// next returns the first 8 bytes, the first one at the top, with zeros after the end.
func next(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.BigEndian.Uint64(b)
	}
	var padded [8]byte
	copy(padded[:], b)
	return binary.BigEndian.Uint64(padded[:])
}

func skip(b []byte, n int) []byte { return b[min(n, len(b)):] }

// find returns the block of a position and its place there.
func (c *pairs) find(index uint64) (block uint64, place uint32, err error) {
	entry := c.sparse[6*(index>>c.span):][:6]
	block = uint64(binary.LittleEndian.Uint32(entry))
	p := int64(binary.LittleEndian.Uint16(entry[4:])) + int64(index&(1<<c.span-1)) - 1<<(c.span-1)
	for p < 0 && block > 0 && block <= c.sizeCount {
		block--
		p += c.sizeOf(block)
	}
	for p >= 0 && block < c.sizeCount && p >= c.sizeOf(block) {
		p -= c.sizeOf(block)
		block++
	}
	if p < 0 || block >= c.blockCount {
		return 0, 0, errDamaged
	}
	return block, uint32(p), nil
}

// sizeOf is the number of values in a block.
func (c *pairs) sizeOf(block uint64) int64 {
	return int64(binary.LittleEndian.Uint16(c.sizes[2*block:])) + 1
}

// expand returns the value at a place among the values that a symbol stands for.
func (c *pairs) expand(symbol int, place uint32) uint16 {
	for {
		left, right := c.children(symbol)
		switch {
		case right == leaf:
			return uint16(left)
		case place < c.counts[left]:
			symbol = left
		default:
			place -= c.counts[left]
			symbol = right
		}
	}
}
