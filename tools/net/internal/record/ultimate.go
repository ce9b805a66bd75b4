package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"trefoil/game/ultimate"
)

// UltimateBytes is the length of a record of Ultimate Tic-Tac-Toe.
const UltimateBytes = 26

// A record of Ultimate Tic-Tac-Toe:
//
//	18   the nine small boards, two bytes each: Σ 3^cell · (0 empty, 1 X, 2 O)
//	1    the side to move, 0 X, 1 O
//	1    the board to play on, 9 if any
//	6    the tail; its clock is 0

// PutUltimate writes the position of a record, of UltimateBytes bytes; the score, the half points and the
// number of the game are 0.
func PutUltimate(rec []byte, p *ultimate.Position) {
	rec = rec[:UltimateBytes]
	clear(rec)
	for b := range ultimate.Boards {
		binary.LittleEndian.PutUint16(rec[2*b:], ultimate.BoardCode(p.Stones(ultimate.X, b), p.Stones(ultimate.O, b)))
	}
	rec[18], rec[19] = byte(p.Side()), ultimate.Boards
	if target, ok := p.Target(); ok {
		rec[19] = byte(target)
	}
}

// Ultimate returns the position of a record of Ultimate Tic-Tac-Toe. What cannot be a position of a game that
// is not over is refused.
func Ultimate(rec []byte) (p ultimate.Position, err error) {
	rec = rec[:UltimateBytes]
	if rec[18] > 1 || rec[19] > ultimate.Boards {
		return p, fmt.Errorf("side %d, board to play on %d", rec[18], rec[19])
	}
	var big [ultimate.Boards]byte
	var small [ultimate.Boards]string
	for b := range small {
		code := binary.LittleEndian.Uint16(rec[2*b:])
		if code >= ultimate.BoardCodes {
			return p, fmt.Errorf("board %c: code %d", 'a'+b, code)
		}
		stones := ultimate.BoardStones(code)
		cells := make([]byte, ultimate.Boards)
		for c := range cells {
			cells[c] = ".XO"[stones[0]>>c&1+2*(stones[1]>>c&1)]
		}
		switch {
		case ultimate.HasLine(stones[0]):
			big[b] = 'X'
		case ultimate.HasLine(stones[1]):
			big[b] = 'O'
		case stones[0]|stones[1] == ultimate.All:
			big[b] = '#'
		default:
			big[b] = '.'
		}
		small[b] = string(cells)
	}
	if b := rec[19]; b < ultimate.Boards {
		big[b] = '@'
	}
	p, err = ultimate.Parse(fmt.Sprintf("%c;%s;%s", "XO"[rec[18]], big[:], strings.Join(small[:], "/")))
	if err != nil {
		return p, err
	}
	if _, _, over := p.Over(); over {
		return p, errors.New("the game is over")
	}
	return p, TailOf(rec).check()
}

// UltimatePieces is the number of stones of a record of Ultimate Tic-Tac-Toe.
func UltimatePieces(rec []byte) (n int) {
	for b := range ultimate.Boards {
		stones := ultimate.BoardStones(binary.LittleEndian.Uint16(rec[2*b:]))
		n += bits.OnesCount16(stones[0] | stones[1])
	}
	return n
}
