package syzygyfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// A Part is the compressed values of one side to move, of one file of the leading pawn if there are pawns.
//
// Values are symbols, and so are pairs of symbols: recursive pairing replaces the most frequent pairs of
// neighbours by symbols of their own. Symbols have canonical Huffman codes, in which the longest codes are
// the lowest, and fill blocks of equal size. Two lists find a value: the number of values in each block,
// and for the middle of every span of indices its block and its place there.
type Part struct {
	header, spans, counts, blocks []byte
}

const (
	constantFlag = 0x80
	spanBits     = 12
	maxSymbols   = 0xfff   // the right half of a pair cannot be 0xfff, which marks a value
	maxExpanded  = 256     // values that a symbol stands for
	maxInBlock   = 1 << 15 // values, so that places fit in 16 bits
	minFrequency = 16      // of a pair that gets a symbol, or one in minShare
	minShare     = 1 << 12
	maxCode      = 32 // bits
)

type symbol struct {
	left, right int // of a pair, or left is a value and right is leaf
	values      int // that it stands for
	frequency   int
	code        uint64
	length      int
}

const leaf = 0xfff

// Compress returns the part of a file with these values; flags and blockBits, the logarithm of the size of
// blocks, begin its header. WDL has flags of 0.
func Compress(values []uint16, flags uint8, blockBits int) (*Part, error) {
	symbols, sequence := leaves(values)
	if len(symbols) == 1 {
		if flags != 0 && values[0] != 0 {
			return nil, fmt.Errorf("the same distance everywhere, but 0, cannot be written: %d", values[0])
		}
		return &Part{header: []byte{flags | constantFlag, uint8(values[0])}}, nil
	}
	symbols, sequence = pair(symbols, sequence)
	for _, s := range sequence {
		symbols[s].frequency++
	}
	if !setLengths(symbols) {
		return nil, errors.New("a code of more than 32 bits")
	}
	symbols, sequence = renumber(symbols, sequence)
	setCodes(symbols)
	p := &Part{}
	starts := p.writeBlocks(symbols, sequence, 8<<blockBits)
	p.writeSpans(starts, len(values))
	p.writeHeader(symbols, flags, blockBits, len(starts))
	return p, nil
}

// leaves returns a symbol for each value that occurs, and the values as symbols.
func leaves(values []uint16) (symbols []symbol, sequence []uint16) {
	number := make([]int, 1<<16) // of a value, 0 if it has none yet
	sequence = make([]uint16, len(values))
	for i, v := range values {
		if number[v] == 0 {
			symbols = append(symbols, symbol{left: int(v), right: leaf, values: 1})
			number[v] = len(symbols)
		}
		sequence[i] = uint16(number[v] - 1)
	}
	return symbols, sequence
}

// pair replaces frequent pairs in rounds, until none is frequent or there are no more symbols.
func pair(symbols []symbol, sequence []uint16) ([]symbol, []uint16) {
	type candidate struct{ pair, count int }
	least := max(minFrequency, len(sequence)/minShare)
	for {
		size := len(symbols)
		pairOf := func(i int) int { return int(sequence[i])*size + int(sequence[i+1]) }
		counts := make([]int, size*size)
		for i := range len(sequence) - 1 {
			counts[pairOf(i)]++
		}
		var best []candidate
		for pair, n := range counts {
			if n >= least && symbols[pair/size].values+symbols[pair%size].values <= maxExpanded {
				best = append(best, candidate{pair, n})
			}
		}
		slices.SortStableFunc(best, func(a, b candidate) int { return b.count - a.count })
		// Pairs of a round share no symbol, because replacing one changes the counts of others.
		replacement, used := counts, make([]bool, size)
		clear(replacement)
		for _, c := range best {
			if c.count < best[0].count/2 || len(symbols) == maxSymbols {
				break
			}
			left, right := c.pair/size, c.pair%size
			if used[left] || used[right] {
				continue
			}
			used[left], used[right] = true, true
			replacement[c.pair] = len(symbols)
			symbols = append(symbols, symbol{left: left, right: right, values: symbols[left].values + symbols[right].values})
		}
		if len(symbols) == size {
			return symbols, sequence
		}
		shorter := sequence[:0]
		for i := 0; i < len(sequence); i++ {
			s := sequence[i]
			if i+1 < len(sequence) {
				if n := replacement[pairOf(i)]; n > 0 {
					s = uint16(n)
					i++
				}
			}
			shorter = append(shorter, s)
		}
		sequence = shorter
	}
}

// setLengths gives every symbol, also one that only pairs contain, the length of its Huffman code.
func setLengths(symbols []symbol) bool {
	type node struct {
		weight  int
		members []int
	}
	var nodes []node
	for i := range symbols {
		symbols[i].length = 0
		nodes = append(nodes, node{max(symbols[i].frequency, 1), []int{i}})
	}
	byWeight := func(a, b node) int { return a.weight - b.weight }
	slices.SortStableFunc(nodes, byWeight)
	for len(nodes) > 1 {
		members := slices.Concat(nodes[0].members, nodes[1].members)
		for _, i := range members {
			symbols[i].length++
		}
		joined := node{nodes[0].weight + nodes[1].weight, members}
		nodes = nodes[2:]
		at, _ := slices.BinarySearchFunc(nodes, joined, byWeight)
		nodes = slices.Insert(nodes, at, joined)
	}
	return slices.MaxFunc(symbols, func(a, b symbol) int { return a.length - b.length }).length <= maxCode
}

// renumber orders the symbols by the lengths of their codes, the longest first.
func renumber(symbols []symbol, sequence []uint16) ([]symbol, []uint16) {
	order := make([]int, len(symbols))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return symbols[b].length - symbols[a].length })
	number := make([]int, len(symbols))
	for to, from := range order {
		number[from] = to
	}
	renumbered := make([]symbol, len(symbols))
	for from, s := range symbols {
		if s.right != leaf {
			s.left, s.right = number[s.left], number[s.right]
		}
		renumbered[number[from]] = s
	}
	for i, s := range sequence {
		sequence[i] = uint16(number[s])
	}
	return renumbered, sequence
}

// setCodes numbers the codes of each length upwards, from one that leaves all longer codes below.
func setCodes(symbols []symbol) {
	next := uint64(0)
	for i := range symbols {
		if i > 0 {
			next = (symbols[i-1].code + 1) >> (symbols[i-1].length - symbols[i].length)
		}
		symbols[i].code = next
	}
}

// writeBlocks fills blocks of a number of bits and returns the index of the first value of each.
func (p *Part) writeBlocks(symbols []symbol, sequence []uint16, blockSize int) (starts []int) {
	block := make([]byte, blockSize/8)
	bits, values, total := 0, 0, 0
	end := func() {
		starts = append(starts, total)
		total += values
		p.counts = binary.LittleEndian.AppendUint16(p.counts, uint16(values-1))
		p.blocks = append(p.blocks, block...)
		clear(block)
		bits, values = 0, 0
	}
	for _, n := range sequence {
		s := &symbols[n]
		if bits+s.length > blockSize || values+s.values > maxInBlock {
			end()
		}
		for i := s.length - 1; i >= 0; i-- {
			block[bits/8] |= byte(s.code>>i&1) << (7 - bits%8)
			bits++
		}
		values += s.values
	}
	end()
	return starts
}

func (p *Part) writeSpans(starts []int, size int) {
	for first := 0; first < size; first += 1 << spanBits {
		middle := first + 1<<(spanBits-1) // may be beyond the end
		block, found := slices.BinarySearch(starts, middle)
		if !found {
			block--
		}
		p.spans = binary.LittleEndian.AppendUint32(p.spans, uint32(block))
		p.spans = binary.LittleEndian.AppendUint16(p.spans, uint16(middle-starts[block]))
	}
}

func (p *Part) writeHeader(symbols []symbol, flags uint8, blockBits, blocks int) {
	longest, shortest := symbols[0].length, symbols[len(symbols)-1].length
	var b bytes.Buffer
	b.Write([]byte{flags, uint8(blockBits), spanBits, 0}) // no counts beyond those of the blocks
	put := func(v any) { binary.Write(&b, binary.LittleEndian, v) }
	put(uint32(blocks))
	b.Write([]byte{uint8(longest), uint8(shortest)})
	for length := shortest; length <= longest; length++ {
		first := slices.IndexFunc(symbols, func(s symbol) bool { return s.length <= length })
		put(uint16(first))
	}
	put(uint16(len(symbols)))
	for _, s := range symbols {
		b.Write([]byte{uint8(s.left), uint8(s.left>>8 | s.right&15<<4), uint8(s.right >> 4)})
	}
	if len(symbols)%2 == 1 {
		b.WriteByte(0)
	}
	p.header = b.Bytes()
}
