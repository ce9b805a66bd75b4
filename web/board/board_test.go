package board_test

import (
	"slices"
	"strings"
	"testing"

	"trefoil/engine"
	"trefoil/search"
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
			legal, w := 0, v.Position.(board.Keyed).Walk()
			for bits := range 1 << 16 {
				text := g.TableMove(uint16(bits))
				if text == "" {
					continue
				}
				if m, ok := w.FromMove16(uint16(bits)); ok {
					legal++
					if with := w.Write(m).Move; text != with {
						t.Errorf("%s: %04x is %q without a position, %q with it", game, bits, text, with)
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

// view returns what a page shows of a game; it fails the test if that is refused.
func view(t *testing.T, game string, start board.Start, moves ...string) *board.View {
	t.Helper()
	found, ok := engine.Games().Lookup(game)
	if !ok {
		t.Fatalf("no game %s", game)
	}
	v, err := board.Of(found).View(start, moves)
	if err != nil {
		t.Fatalf("%s %+v: %v", game, start, err)
	}
	return v
}

// TestEnded: the page says who has won, or that the game is drawn, and why.
func TestEnded(t *testing.T) {
	const won, lost, open = "XXX....../", "OOO....../", "XX......."
	repeat := func(moves string, n int) []string { return strings.Fields(strings.Repeat(moves+" ", n)) }
	for _, c := range []struct {
		game, setup string
		moves       []string
		want        board.Ended
	}{
		{"chess", "startpos", repeat("f2f3 e7e5 g2g4 d8h4", 1), board.Ended{Winner: 1, Reason: "checkmate"}},
		{"chess", "k7/2K5/8/1Q6/8/8/8/8 w - - 0 1", repeat("b5b6", 1), board.Ended{Winner: board.Drawn, Reason: "stalemate"}},
		{"chess", "k7/8/K7/8/8/8/8/8 w - - 0 1", nil,
			board.Ended{Winner: board.Drawn, Reason: "too little material to mate"}},
		{"chess", "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", repeat("a1a2", 1),
			board.Ended{Winner: board.Drawn, Reason: "fifty moves without a capture or a pawn move"}},
		{"chess", "startpos", repeat("g1f3 g8f6 f3g1 f6g8", 2),
			board.Ended{Winner: board.Drawn, Reason: "third occurrence of the position"}},
		{"shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", repeat("G*5b", 1), board.Ended{Winner: 0, Reason: "checkmate"}},
		{"shogi", "startpos", repeat("2h3h 8b7b 3h2h 7b8b", 3),
			board.Ended{Winner: board.Drawn, Reason: "fourth occurrence of the position"}},
		{"shogi", "4k4/9/9/9/9/9/9/9/4K3R b - 1", append([]string{"1i1a"}, repeat("5a5b 1a1b 5b5a 1b1a", 3)...),
			board.Ended{Winner: 1, Reason: "perpetual check"}},
		{"connect4", "startpos", repeat("1 2 1 2 1 2 1", 1), board.Ended{Winner: 0, Reason: "4 in a row"}},
		{"connect4", "12121221212134343443434356565665656577777", repeat("7", 1),
			board.Ended{Winner: board.Drawn, Reason: "the board is full"}},
		{"ultimate", "X;XX@......;" + won + won + open + strings.Repeat("/.........", 6), repeat("cc", 1),
			board.Ended{Winner: 0, Reason: "three boards in a row"}},
		{"ultimate", "X;XOXXOOOX@;" + won + lost + won + won + lost + lost + lost + won + open, repeat("ic", 1),
			board.Ended{Winner: board.Drawn, Reason: "all boards are decided"}},
	} {
		n := max(len(c.moves)-1, 0)
		if n > 0 && view(t, c.game, board.Start{Setup: c.setup}, c.moves[:n]...).Ended != nil {
			t.Errorf("%s %s %v: ended a move early", c.game, c.setup, c.moves)
		}
		if v := view(t, c.game, board.Start{Setup: c.setup}, c.moves...); v.Ended == nil || *v.Ended != c.want {
			t.Errorf("%s %s %v: %+v, want %+v", c.game, c.setup, c.moves, v.Ended, c.want)
		}
	}
}

// TestShapes: the page offers every size of the board and length of a line, and each of them can be chosen without
// the other.
func TestShapes(t *testing.T) {
	found, _ := engine.Games().Lookup("connect4")
	s := board.Of(found).Shapes
	if s.Size != "7x6" || s.Connect != 4 || s.Least != 3 || s.Most != 5 || len(s.Sizes) != 157 {
		t.Errorf("%+v", s)
	}
	for _, c := range []struct {
		start board.Start
		want  [][2]string
	}{
		{board.Start{Setup: "startpos"}, [][2]string{{"Connect4 Board", "7x6"}, {"Connect4 Line", "4"}}},
		{board.Start{Setup: "startpos", Board: "6x5"}, [][2]string{{"Connect4 Board", "6x5"}, {"Connect4 Line", "4"}}},
		{board.Start{Setup: "startpos", Connect: 5}, [][2]string{{"Connect4 Board", "7x6"}, {"Connect4 Line", "5"}}},
	} {
		if got := view(t, "connect4", c.start).Options; !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.start, got, c.want)
		}
	}
}

// TestScore: a game of Connect Four that ends in so many plies counts the stones that the winner has left, and 1.
func TestScore(t *testing.T) {
	for _, c := range []struct {
		moves string
		plies int
		want  int
	}{
		{"121212", 1, 18}, {"", 41, 1}, {"4", -40, -1}, {"1", -2, -20}, {"11", -2, -20}, {"111", -2, -19}, {"1212121", 0, -18},
	} {
		v := view(t, "connect4", board.Start{Setup: c.moves})
		if got := v.Position.(board.Scored).Score(search.Score{Mate: true, Plies: c.plies}); got != c.want {
			t.Errorf("%q, %d plies: %d, want %d", c.moves, c.plies, got, c.want)
		}
	}
	if got := view(t, "connect4", board.Start{Setup: "44"}).Position.(board.Scored).Score(search.Score{}); got != 0 {
		t.Errorf("a draw: %d", got)
	}
}

// TestTextLine: a line of a game without a board is written as far as it is legal.
func TestTextLine(t *testing.T) {
	found, _ := engine.Games().Lookup("connect4")
	found.Name = "four" // of which no page knows
	v, err := board.Of(found).View(board.Start{Setup: "startpos"}, []string{"1", "1", "1"})
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Position.Line([]string{"1", "1", "1", "1", "2"}); len(got) != 3 || got[2].Text != "1" {
		t.Errorf("%v", got)
	}
}
