package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/search"
)

// oddPositions are positions that circulate, but that no game of chess leads to.
var oddPositions = []string{
	"6k1/5ppp/8/8/8/8/QQQQQQQQ/QK6 w - - 0 1",                         // nine queens
	"3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",            // 218 moves, the most with the pieces of a game
	"QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQ5/8/8/6pp/K5nk w - - 0 1",          // 27 queens
	"QQQQQQQ1/Q5Q1/Q5Q1/Q5Q1/Q5Q1/Q5Q1/QQQQQQpp/K5nk w - - 0 1",       // queens with more moves
	"QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQ5/8/8/6RB/K5Bk w - - 0 1",          // the most material without a check
	"QQQQQQQQ/QQQQQQQQ/QQQQQQQ1/8/QQQQ4/QQQ5/7k/K7 b - - 0 1",         // 30 queens
	"4k3/pppppppp/pppppp2/8/8/PPPPPP2/PPPPPPPP/4K3 w - - 0 1",         // fourteen pawns each
	"qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",           // fifteen queens each
	"nnnnknnn/nnnnnnnn/8/8/8/8/NNNNNNNN/NNNNKNNN b - - 0 1",           // knights
	"8/PPPPPPPP/PPPPPPPP/8/k6K/8/pppppp2/pppppp2 w - - 0 1",           // refused: pawns on the first rank
	"n1n1n1n1/PPPPPPPP/8/k7/8/K7/pppppppp/N1N1N1N1 w - - 0 1",         // promotions with and without a capture
	"4k3/8/8/1q2r2q/8/3n1n2/8/4K3 w - - 0 1",                          // five checks
	"4k3/8/8/8/8/8/8/R3K2R w KQkqABCDEFGHabcdefghx - 9999 9999",       // rights of all kinds
	"8/8/8/8/8/8/8/K1k5 b - - -1",                                     // nothing but kings
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq e6 99999 -1;", // no pawn has moved
	`fen "4k3/8/8/8/8/8/8/4K2R_w_K_-" bm Rh8+; c0 "to; fro"; hmvc 99;`,
}

// FuzzPosition: whatever is accepted can be drawn, evaluated, counted and searched, and the move that is
// found is legal.
func FuzzPosition(f *testing.F) {
	for _, text := range oddPositions {
		f.Add(text)
	}
	e := New()
	f.Cleanup(func() { e.Close() })
	f.Fuzz(func(t *testing.T, text string) {
		if text == "startpos" || e.SetPosition(text, nil) != nil {
			return
		}
		p, err := chess.ParseFEN(text)
		if err != nil {
			t.Fatalf("%q was accepted: %v", text, err)
		}
		var l game.List
		p.Moves(game.All, &l)
		board(e)
		ignore := func(string) {}
		if err := e.explain(context.Background(), nil, ignore); err != nil && !p.InCheck() {
			t.Errorf("%q: %v", text, err)
		}
		var total string
		if err := e.perft(context.Background(), []string{"1"}, func(line string) { total = line }); err != nil ||
			total != fmt.Sprint("Nodes searched: ", l.Len()) {
			t.Errorf("%q: %s, %v, of %d", text, total, err, l.Len())
		}
		for _, limits := range []search.Limits{{Nodes: 300}, {Nodes: 300, Mate: 3}} {
			r := e.Search(context.Background(), limits, func(i search.Info) {
				if s := i.Score; s.Centipawns > 32000 || s.Centipawns < -32000 {
					t.Errorf("%q: score %d", text, s.Centipawns)
				}
			})
			if l.Len() == 0 && r.Best == "" {
				continue
			}
			if _, err := p.ParseMove(r.Best); err != nil {
				t.Errorf("%q: the answer to %+v is %q", text, limits, r.Best)
			}
		}
		for line := range strings.Lines(strings.Join(e.Notices(), "\n")) {
			if strings.Contains(line, "FEN") && !strings.HasPrefix(line, "FEN: ") {
				t.Errorf("%q: %q", text, line)
			}
		}
	})
}

// TestHandWrittenOdd: the hand-written evaluation does not overflow either.
func TestHandWrittenOdd(t *testing.T) {
	e := started(t)
	set(t, e, "EvalFile", "none")
	for _, fen := range oddPositions {
		if err := e.SetPosition(fen, nil); err != nil {
			continue
		}
		var value string
		if err := e.explain(context.Background(), nil, func(line string) {
			if strings.HasPrefix(line, "value") {
				value = line
			}
		}); err != nil {
			continue // a check
		}
		p, _ := chess.ParseFEN(fen)
		ahead := p.Colour(chess.White).Count() - p.Colour(chess.Black).Count()
		if ahead > 20 && !strings.HasPrefix(value, "value +") {
			t.Errorf("%s: %s", fen, value)
		}
	}
}

// TestRepairsAreNotices: what was repaired is reported after the position has been accepted, and only then.
func TestRepairsAreNotices(t *testing.T) {
	for _, c := range []struct{ game, setup, illegal, legal, repair string }{
		{"chess", "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "e1e3", "e1g1", `FEN: castling "KQ" at 24: read as "K": the rest has no king and rook in place`},
		{"shogi", "4k4/9/9/9/9/9/9/9/4K4 b - 0", "5i5g", "5i5h", `sfen: move number "0" at 27: read as 1`},
		{"shogi", "4k4/9/9/9/9/9/9/9/4K4 b 3R 1", "5i5g", "R*5h", `set up, although a set has fewer pieces: sfen: hands "3R" at 25: more than 2 of this kind`},
	} {
		e := started(t)
		set(t, e, "UCI_Variant", c.game)
		if err := e.SetPosition(c.setup, []string{c.illegal}); err == nil {
			t.Errorf("%s was played", c.illegal)
		}
		if got := e.Notices(); len(got) > 0 {
			t.Errorf("%q of a position that was refused", got)
		}
		setUp(t, e, c.setup, c.legal)
		if got := e.Notices(); !slices.Equal(got, []string{c.repair}) {
			t.Errorf("%q, want %q", got, c.repair)
		}
	}
}
