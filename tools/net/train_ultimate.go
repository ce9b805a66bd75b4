package main

import (
	"encoding/binary"
	"fmt"
	"sync"

	"trefoil/game/ultimate"
	ultimatennue "trefoil/game/ultimate/nnue"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// ultimateImages is the number of symmetries of the board.
const ultimateImages = 8

// ultimateTables are what is known of each code of a small board: what the features depend on, and the code of its
// images; and the images of places.
var ultimateTables = sync.OnceValue(func() *struct {
	small  [ultimate.BoardCodes]ultimatennue.Small
	images [ultimateImages][ultimate.BoardCodes]uint16
	places [ultimateImages][ultimate.Boards + 1]uint8
} {
	t := new(struct {
		small  [ultimate.BoardCodes]ultimatennue.Small
		images [ultimateImages][ultimate.BoardCodes]uint16
		places [ultimateImages][ultimate.Boards + 1]uint8
	})
	for n := range t.places {
		t.places[n][ultimate.Boards] = ultimate.Boards
		for place := range ultimate.Boards {
			row, column := place/3, place%3
			if n&1 != 0 {
				row = 2 - row
			}
			if n&2 != 0 {
				column = 2 - column
			}
			if n&4 != 0 {
				row, column = column, row
			}
			t.places[n][place] = uint8(3*row + column)
		}
	}
	for code := range uint16(ultimate.BoardCodes) {
		stones := ultimate.BoardStones(code)
		t.small[code] = ultimatennue.SmallOf(stones[0], stones[1])
		for n := range t.images {
			for cell, rest := 0, code; rest > 0; cell, rest = cell+1, rest/3 {
				t.images[n][code] += rest % 3 * ultimate.Power[t.places[n][cell]]
			}
		}
	}
	return t
})

// decodeUltimate is the Decode of Ultimate Tic-Tac-Toe.
func decodeUltimate(rec []byte, to *train.Sample) error {
	t := ultimateTables()
	var b ultimatennue.Board
	for i := range b.Small {
		code := binary.LittleEndian.Uint16(rec[2*i:])
		if code >= ultimate.BoardCodes {
			return fmt.Errorf("board %c: code %d", 'a'+i, code)
		}
		b.Small[i] = t.small[code]
	}
	side, target := rec[18], rec[19]
	if side > 1 || target > ultimate.Boards {
		return fmt.Errorf("side %d, board to play on %d", side, target)
	}
	b.Target = ultimatennue.TargetOf(int(target))
	to.Us = b.Append(to.Us[:0], ultimate.Side(side))
	to.Them = b.Append(to.Them[:0], ultimate.Side(side).Other())
	to.Bucket = b.Bucket()
	tail := record.TailOf(rec)
	if tail.Half > 2 {
		return fmt.Errorf("%d half points", tail.Half)
	}
	to.Score = float32(tail.Score)
	return nil
}

// turnUltimate replaces the position of a record by one of its images, 0 to 7.
func turnUltimate(rec []byte, image int) {
	t := ultimateTables()
	var turned [2 * ultimate.Boards]byte
	for b := range ultimate.Boards {
		code := t.images[image][binary.LittleEndian.Uint16(rec[2*b:])]
		binary.LittleEndian.PutUint16(turned[2*t.places[image][b]:], code)
	}
	copy(rec, turned[:])
	rec[19] = t.places[image][rec[19]]
}
