package retrograde

import (
	"fmt"
	"slices"
	"strings"
)

// A Piece is a kind of piece of one side: 2 × kind + side. A position lists its pieces in this order.
type Piece uint8

const (
	pawn = iota
	king
	queen
	rook
	bishop
	knight
)

// White and Black are the sides.
const (
	White = iota
	Black
)

const letters = "PKQRBN"

func pieceOf(kind, side int) Piece { return Piece(2*kind + side) }

func (p Piece) kind() int { return int(p >> 1) }
func (p Piece) side() int { return int(p & 1) }

// String returns the letter of a piece in FEN.
func (p Piece) String() string {
	letter := letters[p.kind() : p.kind()+1]
	if p.side() == Black {
		return strings.ToLower(letter)
	}
	return letter
}

// MaxPieces is the number of pieces, kings included, up to which materials are solved.
const MaxPieces = 4

// A material is the list of pieces on the board, ascending.
type material struct {
	pieces [MaxPieces]Piece
	n      int
}

// parseMaterial reads a name like KBNvK: the pieces of White, the letter v, the pieces of Black.
func parseMaterial(name string) (m material, err error) {
	white, black, ok := strings.Cut(name, "v")
	if !ok {
		return m, fmt.Errorf("not a material like KBNvK: %q", name)
	}
	for side, text := range []string{white, black} {
		if strings.Count(text, "K") != 1 {
			return m, fmt.Errorf("material %q: each side has one king", name)
		}
		for _, letter := range text {
			kind := strings.IndexRune(letters, letter)
			if kind < 0 {
				return m, fmt.Errorf("material %q: not one of the pieces %s: %q", name, letters, letter)
			}
			if m.n == MaxPieces {
				return m, fmt.Errorf("material %q: more than %d pieces", name, MaxPieces)
			}
			m.pieces[m.n] = pieceOf(kind, side)
			m.n++
		}
	}
	slices.Sort(m.pieces[:m.n])
	return m, nil
}

// mirrored returns the material with the sides exchanged.
func (m material) mirrored() material {
	for i := range m.pieces[:m.n] {
		m.pieces[i] ^= 1
	}
	slices.Sort(m.pieces[:m.n])
	return m
}

// strength orders the sides of a material: more pieces, then stronger ones.
func (m material) strength(side int) (s int) {
	for _, p := range m.pieces[:m.n] {
		if p.side() == side {
			s += 1<<20 + 1<<(4*[...]int{pawn: 0, knight: 1, bishop: 2, rook: 3, queen: 4, king: 0}[p.kind()])
		}
	}
	return s
}

// normal returns the material with the stronger side as White, as tables are named.
func (m material) normal() material {
	if m.strength(Black) > m.strength(White) {
		return m.mirrored()
	}
	return m
}

func (m material) pawns() (n int) {
	for _, p := range m.pieces[:m.n] {
		if p.kind() == pawn {
			n++
		}
	}
	return n
}

// without returns the material after piece i is taken, and with returns it with piece i replaced by p.
func (m material) without(i int) material {
	copy(m.pieces[i:], m.pieces[i+1:])
	m.n--
	m.pieces[m.n] = 0
	return m
}

func (m material) with(i int, p Piece) material {
	m.pieces[i] = p
	slices.Sort(m.pieces[:m.n])
	return m
}

// successors returns the materials that captures and promotions lead to. A promotion with a capture
// is a promotion after a capture.
func (m material) successors() (all []material) {
	for i, p := range m.pieces[:m.n] {
		if p.kind() == king {
			continue
		}
		all = append(all, m.without(i).normal())
		if p.kind() == pawn {
			for kind := queen; kind <= knight; kind++ {
				all = append(all, m.with(i, pieceOf(kind, p.side())).normal())
			}
		}
	}
	return all
}

// String returns the name of the material, the pieces of each side from king to pawn.
func (m material) String() string {
	text := ""
	for side := White; side <= Black; side++ {
		if side == Black {
			text += "v"
		}
		for _, letter := range "KQRBNP" {
			for _, p := range m.pieces[:m.n] {
				if p == pieceOf(strings.IndexRune(letters, letter), side) {
					text += string(letter)
				}
			}
		}
	}
	return text
}

// Check returns an error if a name is not a material that can be solved.
func Check(name string) error {
	_, err := parseMaterial(name)
	return err
}
