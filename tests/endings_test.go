package tests

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"trefoil/engine"
	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/options"
	"trefoil/search"
	"trefoil/tools/referee/retrograde"
)

// endingNodes is the limit of a search here.
const endingNodes = 30_000

// TestEndings plays won endings of chess against the longest resistance, which a solver knows, with the
// table kept from move to move: White, who begins, mates within fifty moves. With -long these are 100 random
// positions of each ending, else a few of the shortest endings.
func TestEndings(t *testing.T) {
	for _, name := range []string{"KQvK", "KRvK", "KPvK", "KBBvK", "KBNvK", "KRPvK"} {
		n := 100
		if !*long {
			if len(name) > len("KQvK") {
				continue
			}
			n = 2
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table, err := retrograde.NewSolver(retrograde.ToMate).Solve(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, evalFile := range []string{"", "none"} {
				if won := playEnding(t, table, evalFile, n); won < n {
					t.Errorf("EvalFile %q: %d of %d won", evalFile, won, n)
				}
			}
		})
	}
}

// playEnding plays n games of an ending with one evaluation and returns how many were won.
func playEnding(t *testing.T, table *retrograde.Table, evalFile string, n int) (won int) {
	e := endingEngine(t, evalFile)
	rng := rand.New(rand.NewPCG(1, 0))
	longest, sum := 0, 0
	for range n {
		fen := wonPosition(t, table, rng)
		e.NewGame()
		moves, result := playOut(t, e, table, fen)
		if result != "" {
			t.Logf("EvalFile %q: %s: %s after %d moves", evalFile, fen, result, moves)
			continue
		}
		won++
		sum += moves
		longest = max(longest, moves)
	}
	t.Logf("EvalFile %q: %d of %d won, in %.1f moves in the mean, at most %d", evalFile, won, n,
		float64(sum)/float64(max(won, 1)), longest)
	return won
}

// endingEngine returns an engine with an evaluation of chess.
func endingEngine(t *testing.T, evalFile string) *engine.Engine {
	e := engine.New()
	t.Cleanup(func() { e.Close() })
	for option, value := range map[string]string{"Hash": "16", "EvalFile": evalFile} {
		if err := e.Options().Set(context.Background(), options.UCI, option, value); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// wonPosition returns a random position of a material in which White, to move, can mate.
func wonPosition(t *testing.T, table *retrograde.Table, rng *rand.Rand) string {
	white, _, _ := strings.Cut(table.Name(), "v")
	for {
		var board [64]rune
		for _, piece := range white + "k" {
			board[rng.IntN(64)] = piece
		}
		p, err := retrograde.ParseFEN(fenOf(board))
		if err != nil {
			continue // two pieces on one square, or a pawn on the last rank
		}
		if r, err := table.Probe(p); err == nil && r.DTM > 0 {
			return p.FEN()
		}
	}
}

// fenOf is the FEN of a board on which White is to move.
func fenOf(board [64]rune) string {
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			if piece := board[8*rank+file]; piece != 0 {
				b.WriteRune(piece)
			} else {
				b.WriteByte('1')
			}
		}
		if rank > 0 {
			b.WriteByte('/')
		}
	}
	return b.String() + " w - - 0 1"
}

// playOut plays a game of the engine, White, against the solver, and returns White's moves and why the game
// was not won, or "".
func playOut(t *testing.T, e *engine.Engine, table *retrograde.Table, fen string) (moves int, result string) {
	p := gametest.Chess(t, fen)
	var played []string
	var l game.List
	for {
		l.Reset()
		p.Moves(game.All, &l)
		switch _, drawn := p.Adjudicate(0); {
		case l.Len() == 0 && p.InCheck():
			return moves, ""
		case l.Len() == 0:
			return moves, "stalemate"
		case drawn:
			return moves, "drawn by rule"
		case moves == 50 && p.Side() == int(chess.White):
			return moves, "no mate"
		}
		var text string
		if p.Side() == int(chess.White) {
			moves++
			if err := e.SetPosition(fen, played); err != nil {
				t.Fatal(err)
			}
			text = e.Search(context.Background(), search.Limits{Nodes: endingNodes}, func(search.Info) {}).Best
		} else {
			text = defence(t, table, p.FEN())
		}
		gametest.Play(t, p, text)
		played = append(played, text)
	}
}

// defence is the move that puts mate off longest, or avoids it.
func defence(t *testing.T, table *retrograde.Table, fen string) string {
	p, err := retrograde.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	reply, ok, err := table.BestMove(p)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return reply.String()
}

// TestDrawnEndings searches drawn endings in which one side is ahead: the score is near 0.
func TestDrawnEndings(t *testing.T) {
	for _, evalFile := range []string{"", "none"} {
		e := endingEngine(t, evalFile)
		for _, c := range []struct{ name, fen string }{
			{"two knights", "8/8/4k3/8/8/3NN3/4K3/8 w - - 0 1"},
			{"two knights, king in the corner", "k7/8/1K6/8/8/3NN3/8/8 w - - 0 1"},
			{"bishop", "8/8/4k3/8/8/3B4/4K3/8 w - - 0 1"},
			{"knight", "8/8/4k3/8/8/3N4/4K3/8 w - - 0 1"},
			{"rook against bishop", "8/8/3k4/3b4/8/3K4/4R3/8 w - - 0 1"},
			{"rook against knight", "8/8/3k4/3n4/8/3K4/4R3/8 w - - 0 1"},
			{"rook against knight, kings apart", "8/8/2k5/3n4/8/8/3K4/7R w - - 0 1"},
			{"rook against knight at the edge", "8/8/7k/8/5n2/RK6/8/8 w - - 0 1"},
			{"rook against knight in the corner", "n7/8/8/8/5R2/6K1/2k5/8 w - - 0 1"},
			{"rook against bishop at the edge", "1k3b2/R7/8/3K4/8/8/8/8 w - - 0 1"},
			{"king and pawn", "8/8/8/8/8/5Pk1/8/3K4 w - - 0 1"},
			{"king and pawn, opposition", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"},
			{"king and pawn, far away", "8/1k6/8/8/4P3/8/8/5K2 w - - 0 1"},
			{"two bishops against bishop", "8/8/3kb3/8/8/3K4/3BB3/8 w - - 0 1"},
			{"wrong bishop", "k7/8/8/P7/8/4B3/4K3/8 w - - 0 1"},
			{"wrong bishop, king near the corner", "8/2k5/8/P7/8/4B3/4K3/8 w - - 0 1"},
			{"wrong bishop, h-file", "6k1/8/8/7P/8/3B1K2/8/8 w - - 0 1"},
			{"wrong bishop, doubled pawns", "k7/8/8/P7/P7/4B3/4K3/8 w - - 0 1"},
			{"rook pawns", "7k/8/7K/7P/7P/8/8/8 w - - 0 1"},
			{"closed wall", "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1"},
			{"closed wall with a pawn more", "4k3/8/1p1p1p1p/1P1P1P1P/1P6/8/8/4K3 w - - 0 1"},
			{"closed wall on all files", "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1"},
		} {
			if err := e.SetPosition(c.fen, nil); err != nil {
				t.Fatal(err)
			}
			e.NewGame()
			var last search.Info
			e.Search(context.Background(), search.Limits{Nodes: endingNodes}, func(i search.Info) {
				if i.Text == "" && len(i.PV) > 0 && i.Bound == search.Exact {
					last = i
				}
			})
			if last.Depth == 0 || last.Score.Mate || last.Score.Centipawns < -30 || last.Score.Centipawns > 30 {
				t.Errorf("EvalFile %q: %s: %+v at depth %d", evalFile, c.name, last.Score, last.Depth)
			}
		}
	}
}
