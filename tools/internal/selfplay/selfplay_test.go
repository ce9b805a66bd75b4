package selfplay

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
)

func TestThinkRepeats(t *testing.T) {
	p, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, board := range []Board{
		Chess(gametest.Chess(t, "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 2 11")),
		Shogi(gametest.Shogi(t, "ln1g3nl/1r1sg1kb1/p1p1ppsp1/1p1p2p1p/9/2PP2PPP/PP2PPN2/1BGSGS1R1/LN2K3L b - 1")),
	} {
		for _, n := range []int{1, 3} {
			searchAgain(t, p, board, n)
		}
	}
}

// searchAgain searches for n lines twice; they must be the same.
func searchAgain(t *testing.T, p *Player, board Board, n int) {
	t.Helper()
	ctx := context.Background()
	var first []Line
	for range 2 {
		if err := p.NewGame(ctx); err != nil {
			t.Fatal(err)
		}
		lines, err := p.Search(ctx, board, Hard(3000), n)
		if err != nil || len(lines) != n {
			t.Fatalf("%d lines asked, got %v, %v", n, lines, err)
		}
		if first == nil {
			first = lines
		}
		if !slices.Equal(first, lines) {
			t.Errorf("%s: first %v, then %v", board.Setup(), first, lines)
		}
	}
}

// Of several lines no two begin with the same move, and they are the best ones first, also if the search ends within an
// iteration.
func TestLines(t *testing.T) {
	p, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for i := range 40 {
		pos, err := ChessOpening(rand.New(rand.NewPCG(1, uint64(i))), false, 4)
		if err := errors.Join(err, p.NewGame(t.Context())); err != nil {
			t.Fatal(err)
		}
		var l game.List
		pos.Moves(game.All, &l)
		lines, err := p.Search(t.Context(), pos, Hard(1000), 6)
		seen := map[game.Move]bool{}
		for k, l := range lines {
			seen[l.Move] = true
			if l.Value > lines[max(k-1, 0)].Value {
				t.Errorf("%s: not the best first: %v", pos.Setup(), lines)
			}
		}
		if want := min(6, l.Len()); len(seen) != want || len(lines) != want || err != nil {
			t.Errorf("%s: %d moves in %v, %v", pos.Setup(), len(seen), lines, err)
		}
	}
}

func TestThinkWithoutMoves(t *testing.T) {
	p, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	pos := Chess(gametest.Chess(t, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"))
	if lines, err := p.Search(context.Background(), pos, Hard(100), 1); err != nil || len(lines) != 0 {
		t.Errorf("a mated side gets %v, %v", lines, err)
	}
}

// TestPlay: a game is won when the searches of both sides see one side ahead for some plies, not each its own.
func TestPlay(t *testing.T) {
	ends := ChessEnds
	ends.Longest = 20
	for _, c := range []struct{ first, second, half, plies int }{
		{2000, -2000, 2, 5}, {-2000, 2000, 0, 5}, {2000, 2000, 1, 20}, {-2000, -2000, 1, 20},
		{ends.WonBy, -ends.WonBy, 2, 5}, {ends.WonBy - 1, -ends.WonBy, 1, 20},
	} {
		var l game.List
		rng, plies := rand.New(rand.NewPCG(1, 1)), 0
		half, err := Play(Chess(gametest.Chess(t, chess.StartFEN)), 0, ends, func(pos Board) (Line, error) {
			plies++
			l.Reset()
			pos.Moves(game.All, &l)
			return Line{Move: l.At(rng.IntN(l.Len())), Value: []int{c.first, c.second}[pos.Side()]}, nil
		})
		if err != nil || half != c.half || plies != c.plies {
			t.Errorf("values %d and %d: %d half points after %d plies, error %v", c.first, c.second, half, plies, err)
		}
	}
}

// TestUltimateOpening: with more plies than a game has, openings are found, and games from them are played.
func TestUltimateOpening(t *testing.T) {
	rng, n := rand.New(rand.NewPCG(1, 1)), 0
	first := func(pos Board) (Line, error) {
		var l game.List
		pos.Moves(game.All, &l)
		n++
		return Line{Move: l.At(0)}, nil
	}
	pos, err := UltimateOpening(rng, false, 90)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Play(pos, 90, UltimateEnds, first); err != nil || n == 0 {
		t.Errorf("%d plies, error %v", n, err)
	}
}

func TestShuffleMakesAll960(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	seen := map[string]bool{}
	for range 20000 {
		rank := shuffle(rng)
		seen[rank] = true
		if k := strings.IndexByte(rank, 'k'); k < strings.IndexByte(rank, 'r') || k > strings.LastIndexByte(rank, 'r') {
			t.Fatalf("%s: the king is not between the rooks", rank)
		}
	}
	if len(seen) != 960 {
		t.Errorf("%d back ranks", len(seen))
	}
	for range 50 {
		if _, err := Start(rng, true); err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkSearch is a search of 20,000 nodes of a middlegame.
func BenchmarkSearch(b *testing.B) {
	p, err := New(16)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	pos := Chess(gametest.Chess(b, "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 2 11"))
	ctx := context.Background()
	for b.Loop() {
		if err := p.NewGame(ctx); err != nil {
			b.Fatal(err)
		}
		if _, err := p.Search(ctx, pos, Hard(20000), 1); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(20000*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
}
