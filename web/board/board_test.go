package board_test

import (
	"testing"

	"trefoil/engine"
	"trefoil/web/board"
)

// TestTableMove: the 16 bits that a table keeps of a move are written as the move, with the position and
// without one; others are no move, and no bits are a mistake of the program.
func TestTableMove(t *testing.T) {
	for game, setups := range map[string][]string{
		"chess":    {"startpos", "r3k2r/P6p/8/4pP2/8/8/P6P/R3K2R w KQkq e6 0 1"},
		"shogi":    {"startpos", "9/4k4/2PN5/9/9/9/9/9/4K4 b RBGSNLP 1"},
		"ultimate": {"startpos"},
	} {
		found, _ := engine.Games().Lookup(game)
		g := board.Of(found)
		for _, setup := range setups {
			v, err := g.View(board.Start{Setup: setup}, nil)
			if err != nil {
				t.Fatal(err)
			}
			legal := 0
			for bits := range 1 << 16 {
				text := g.TableMove(uint16(bits))
				if text == "" {
					continue
				}
				if m, ok := v.Position.(board.Keyed).FromTable(uint16(bits)); ok {
					legal++
					if text != m.Move {
						t.Errorf("%s: %04x is %q without a position, %q with it", game, bits, text, m.Move)
					}
				}
			}
			if legal != len(v.Legal) {
				t.Errorf("%s %s: %d moves of a table, %d legal ones", game, setup, legal, len(v.Legal))
			}
			if text := g.TableMove(0); text != "" {
				t.Errorf("%s: no move is %q", game, text)
			}
		}
	}
}
