package kifu

import (
	"cmp"
	"strconv"
	"strings"

	"trefoil/game/shogi"
)

// board is a position that is being set up.
type board struct {
	squares [9][9]int // codes by rank and file
	hands   [2][shogi.King]int
	white   bool // White is to move
	given   bool // there are pieces; else the position is the initial one
}

// set sets up the pieces of a position.
func (b *board) set(sfen string) {
	p, err := shogi.ParseSFEN(sfen)
	if err != nil {
		panic("kifu: " + err.Error()) // a mistake of the program
	}
	for rank := range 9 {
		for file := range 9 {
			b.squares[rank][file] = p.At(shogi.SquareAt(file, rank))
		}
	}
}

// handicap sets up the initial position without pieces of White on squares of USI, in which White moves first if
// there are any.
func (b *board) handicap(removed string) {
	b.set(shogi.StartSFEN)
	for _, square := range strings.Fields(removed) {
		b.squares[square[1]-'a'][square[0]-'1'] = 0
		b.white = true
	}
}

// sfen writes the position, which may be impossible.
func (b *board) sfen() string {
	var rows []string
	for rank := range 9 {
		row := ""
		for file := 8; file >= 0; file-- {
			if code := b.squares[rank][file]; code != 0 {
				row += shogi.Letter(code)
			} else {
				row += "1" // package shogi reads it as it reads larger numbers
			}
		}
		rows = append(rows, row)
	}
	hands := ""
	for c := range b.hands {
		for k, n := range b.hands[c] {
			if n > 0 {
				hands += strconv.Itoa(n) + shogi.Letter(shogi.Code(shogi.Colour(c), shogi.Kind(k)))
			}
		}
	}
	side := "b"
	if b.white {
		side = "w"
	}
	return strings.Join(rows, "/") + " " + side + " " + cmp.Or(hands, "-") + " 1"
}
