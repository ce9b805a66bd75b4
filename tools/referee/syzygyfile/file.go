// Package syzygyfile writes endgame tables in the format of Syzygy, which chess programs read: .rtbw files
// with wins, draws and losses for both sides to move, and .rtbz files with the distance to zeroing, DTZ,
// for one side to move. The values come from a solved retrograde.Table, or with File from any source.
//
//	magic, 4 bytes
//	flags: 1 two sides to move, 2 pawns
//	orders of the groups and pieces, for each file of the leading pawn
//	headers of the parts          for each file, for each side
//	lists of distances
//	spans of the parts
//	counts of the parts
//	blocks of the parts, each at a multiple of 64
//	16 bytes at a multiple of 64
//
// The last 16 bytes are a checksum in the published files, which no program needs to read a table; here
// they are 0. The values are true ones also where a capture decides, so files are larger than the
// published ones.
package syzygyfile

import (
	"fmt"
	"strings"

	"trefoil/tools/referee/retrograde"
)

const (
	MagicWDL = "\x71\xe8\x23\x5d"
	MagicDTZ = "\xd7\x66\x0c\xa5"

	pawnsFlag = 2

	// Flags of a part with DTZ: distances of wins and losses are in plies, not in moves.
	winPliesFlag  = 4
	lossPliesFlag = 8

	wdlBlockBits = 6
	dtzBlockBits = 10

	unknown = 0xffff // where no position has an index
)

// A section is the parts of one file of the leading pawn, or of the only one without pawns.
type section struct {
	*layout
	values [][]uint16 // of the sides to move
	parts  []*Part
}

// WDL returns the .rtbw file of a table.
func WDL(t *retrograde.Table) ([]byte, error) {
	sides := 2
	if symmetric(t.Name()) {
		sides = 1
	}
	sections := newSections(t.Name(), sides)
	for p, r := range t.All() {
		if side := p.Side(); side < sides {
			store(sections, &p, side, uint16(r.WDL+2))
		}
	}
	for _, s := range sections {
		for side := range s.values {
			if err := s.compress(side, 0, wdlBlockBits); err != nil {
				return nil, err
			}
		}
	}
	return file(MagicWDL, sections), nil
}

// DTZ returns the .rtbz file of a table, for the side to move with which it is smaller.
func DTZ(t *retrograde.Table) ([]byte, error) {
	sides := 2
	if symmetric(t.Name()) {
		sides = 1
	}
	var best []byte
	for side := range sides {
		sections := newSections(t.Name(), 1)
		for p, r := range t.All() {
			switch {
			case r.WDL == retrograde.CursedWin || r.WDL == retrograde.BlessedLoss:
				return nil, fmt.Errorf("%s: cursed wins are not supported", t.Name())
			case p.Side() == side && r.WDL != retrograde.Draw:
				store(sections, &p, 0, uint16(max(r.DTZ, -r.DTZ, 1)-1))
			}
		}
		for _, s := range sections {
			if err := s.compress(0, uint8(side)|winPliesFlag|lossPliesFlag, dtzBlockBits); err != nil {
				return nil, err
			}
		}
		if data := file(MagicDTZ, sections); best == nil || len(data) < len(best) {
			best = data
		}
	}
	return best, nil
}

func symmetric(name string) bool {
	white, black, _ := strings.Cut(name, "v")
	return white == black
}

func newSections(name string, sides int) []*section {
	white, black, _ := strings.Cut(name, "v")
	files := 1
	if strings.Contains(name, "P") {
		files = 4
	}
	sections := make([]*section, files)
	for file := range sections {
		s := &section{layout: newLayout(white+strings.ToLower(black), file)}
		for range sides {
			values := make([]uint16, s.size)
			for i := range values {
				values[i] = unknown
			}
			s.values = append(s.values, values)
		}
		sections[file] = s
	}
	return sections
}

// store sets the value of a position and of its reflections, which may have indices of their own.
func store(sections []*section, p *retrograde.Position, side int, value uint16) {
	codes := sections[0].codes // the same in all
	var squares [retrograde.MaxPieces]int
	n := 0
	for i, c := range codes {
		if i == 0 || c != codes[i-1] {
			for _, s := range p.Squares(rune(pieceCodes[c])) {
				squares[n] = int(s)
				n++
			}
		}
	}
	pawns := sections[0].kind == leadingPawns
	for symmetry := range 8 {
		image := squares
		reflect(image[:n], symmetry&1 != 0, 7)
		if !pawns {
			reflect(image[:n], symmetry&2 != 0, 56)
			if symmetry&4 != 0 {
				transpose(image[:n])
			}
		} else if symmetry > 1 {
			break
		}
		file := 0
		if pawns {
			file = leadingPawnFile(image[:sections[0].groups[0].n])
		}
		s := sections[file]
		s.values[side][s.index(image[:n])] = value
	}
}

// compress makes the part of a side. Where no position has an index, the value before is repeated.
func (s *section) compress(side int, flags uint8, blockBits int) error {
	values := s.values[side]
	last := uint16(0)
	for _, v := range values {
		if v != unknown {
			last = v
			break
		}
	}
	for i, v := range values {
		if v == unknown {
			values[i] = last
		}
		last = values[i]
	}
	p, err := Compress(values, flags, blockBits)
	s.parts = append(s.parts, p)
	return err
}

// file returns the file of sections.
func file(magic string, sections []*section) []byte {
	f := File{Magic: magic}
	for _, s := range sections {
		var orders []uint8
		for k := range max(1, s.pawnGroups()) {
			orders = append(orders, uint8(len(s.groups)-1-k))
		}
		f.Sections = append(f.Sections, Section{Orders: orders, Codes: s.codes, Parts: s.parts})
	}
	return f.Bytes()
}

// A File is what the file of a table consists of.
type File struct {
	Magic    string    // MagicWDL or MagicDTZ
	Sections []Section // for each file of the leading pawn, or one without pawns
	Lists    []byte    // of the distances that values stand for, if flags of the parts say so
}

// A Section is a part for each side to move, and how both number positions.
type Section struct {
	Orders []uint8 // of the leading group, and of a second group of pawns
	Codes  []uint8 // of the pieces
	Parts  []*Part
}

// Bytes returns the file.
func (f *File) Bytes() []byte {
	flags := uint8(len(f.Sections[0].Parts) - 1)
	if len(f.Sections) > 1 {
		flags |= pawnsFlag
	}
	file := append([]byte(f.Magic), flags)
	for _, s := range f.Sections { // orders and codes are the same for both sides
		for _, o := range s.Orders {
			file = append(file, o*0x11)
		}
		for _, c := range s.Codes {
			file = append(file, c*0x11)
		}
	}
	align := func(to int) {
		for len(file)%to != 0 {
			file = append(file, 0)
		}
	}
	each := func(do func(p *Part)) {
		for _, s := range f.Sections {
			for _, p := range s.Parts {
				do(p)
			}
		}
	}
	align(2)
	each(func(p *Part) { file = append(file, p.header...) })
	align(2)
	file = append(file, f.Lists...)
	align(2)
	each(func(p *Part) { file = append(file, p.spans...) })
	each(func(p *Part) { file = append(file, p.counts...) })
	each(func(p *Part) {
		align(64)
		file = append(file, p.blocks...)
	})
	align(64)
	return append(file, make([]byte, 16)...)
}
