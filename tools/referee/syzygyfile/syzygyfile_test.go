package syzygyfile

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"trefoil/tools/referee/retrograde"
)

// TestFiles compares files with those that python-chess 1.11.2 read with the solver's WDL and DTZ for every
// legal position.
func TestFiles(t *testing.T) {
	solver := retrograde.NewSolver(retrograde.ToZeroing)
	for _, want := range []struct{ name, wdl, dtz string }{
		{"KBvK", "d62e500b99524d92", "91bec794a12e965c"},
		{"KNvK", "d9a8ec313f441faf", "b60b6147bf5db237"},
		{"KQvK", "55448a421ed5375f", "74db36deb1432640"},
		{"KRvK", "01f2d2de1fc8ab2a", "f9e21892de9079d5"},
		{"KPvK", "b14ef2d29064725e", "e3c768117aed9bd3"},
	} {
		table, err := solver.Solve(want.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []struct {
			write func(*retrograde.Table) ([]byte, error)
			want  string
		}{{WDL, want.wdl}, {DTZ, want.dtz}} {
			file, err := f.write(table)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(file)
			if got := hex.EncodeToString(sum[:8]); got != f.want {
				t.Errorf("%s: %d bytes with SHA-256 %s…, want %s…", want.name, len(file), got, f.want)
			}
			if len(file)%64 != 16 {
				t.Errorf("%s: %d bytes, not a multiple of 64 and 16 more", want.name, len(file))
			}
		}
	}
}

// TestCompress reads every value again, as programs do.
func TestCompress(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, kinds := range []int{1, 2, 3, 5, 60, 2000} {
		for _, size := range []int{2, 4096, 30_001} {
			values, v := make([]uint16, size), uint16(0)
			for i := range values {
				if r.IntN(10) < 3 {
					v = uint16(r.IntN(kinds) * r.IntN(kinds+1) / kinds)
				}
				values[i] = v
			}
			p, err := Compress(values, 0, 6)
			if err != nil {
				t.Fatal(err)
			}
			for range 1000 {
				i := r.IntN(size)
				want := values[i]
				if got := p.read(i); got != want {
					t.Fatalf("%d values of %d kinds: value %d is %d, want %d", size, kinds, i, got, want)
				}
			}
		}
	}
}

// read finds the value of an index.
func (p *Part) read(index int) uint16 {
	h := p.header
	if h[0]&constantFlag != 0 {
		return uint16(h[1])
	}
	word := binary.LittleEndian.Uint16
	longest, shortest := int(h[8]), int(h[9])
	firsts := h[10:]
	pairs := firsts[2*(longest-shortest+1)+2:]
	// Of codes of 64 bits, lowest[n] is the least that begins with a code of n bits.
	var lowest [maxCode + 1]uint64
	for n := longest - 1; n >= shortest; n-- {
		count := uint64(word(firsts[2*(n-shortest):])) - uint64(word(firsts[2*(n+1-shortest):]))
		lowest[n] = lowest[n+1] + count<<(64-n-1)
	}
	sides := func(symbol int) (left, right int) {
		b := pairs[3*symbol:]
		return int(b[0]) | int(b[1]&15)<<8, int(b[1])>>4 | int(b[2])<<4
	}
	var values func(symbol int) int
	values = func(symbol int) int {
		left, right := sides(symbol)
		if right == leaf {
			return 1
		}
		return values(left) + values(right)
	}
	span := p.spans[6*(index>>h[2]):]
	block := int(binary.LittleEndian.Uint32(span))
	at := int(word(span[4:])) + index&(1<<h[2]-1) - 1<<(h[2]-1)
	for ; at < 0; block-- {
		at += int(word(p.counts[2*(block-1):])) + 1
	}
	for ; at > int(word(p.counts[2*block:])); block++ {
		at -= int(word(p.counts[2*block:])) + 1
	}
	bits, bit := p.blocks[block<<h[1]:], 0
	for {
		code := uint64(0)
		for i := range 64 {
			if byteAt := (bit + i) / 8; byteAt < len(bits) && bits[byteAt]>>(7-(bit+i)%8)&1 != 0 {
				code |= 1 << (63 - i)
			}
		}
		n := shortest
		for code < lowest[n] {
			n++
		}
		bit += n
		symbol := int(word(firsts[2*(n-shortest):])) + int((code-lowest[n])>>(64-n))
		if size := values(symbol); at >= size {
			at -= size
			continue
		}
		for {
			left, right := sides(symbol)
			if right == leaf {
				return uint16(left)
			}
			symbol = left
			if size := values(left); at >= size {
				at -= size
				symbol = right
			}
		}
	}
}

// TestIndices places the pieces of a leading group everywhere: equal indices are of reflections, and all
// indices of the size are used.
func TestIndices(t *testing.T) {
	for _, letters := range []string{"Kk", "KQk", "KPk"} {
		placements := [4]map[int][]int{{}, {}, {}, {}}
		var layouts []*layout
		var place func(squares []int)
		place = func(squares []int) {
			if n := len(squares); n < len(letters) {
				for s := range 64 {
					if !slices.Contains(squares, s) {
						place(append(slices.Clip(squares), s))
					}
				}
				return
			}
			file, image := 0, slices.Clone(squares)
			if letters == "KPk" {
				if image[0] < 8 || image[0] >= 56 {
					return
				}
				file = leadingPawnFile(image[:1])
			}
			index := layouts[file].index(image)
			if index < 0 {
				return // kings that touch
			}
			if other, ok := placements[file][index]; !ok {
				placements[file][index] = image // index has reflected it
			} else if !slices.Equal(other, image) {
				t.Fatalf("%s: index %d of %v and %v", letters, index, other, image)
			}
		}
		for file := range 4 {
			layouts = append(layouts, newLayout(letters, file))
		}
		place(nil)
		for file, l := range layouts {
			if got := len(placements[file]); got != l.size && (file == 0 || letters == "KPk") {
				t.Errorf("%s, file %d: %d indices used of %d", letters, file, got, l.size)
			}
		}
	}
}
