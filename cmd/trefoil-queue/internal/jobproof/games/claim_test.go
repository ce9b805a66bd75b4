package games_test

import (
	"math"
	"strings"
	"testing"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobproof/games"
	"trefoil/search/proof"
)

// A claim of a mate is within the moves that its goal has left after some moves.
func TestMovesLeft(t *testing.T) {
	const philidor, cornered = "5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1", "7k/8/5K2/8/8/8/8/6R1 b - - 0 1"
	const shogi = "1ns3p1l/4+R3p/2kg5/LNppsb2P/1G5p1/4P4/1+bPP1PPP1/1+p2+s1R2/4g1KNL w L4Pgsnp 106"
	chess := games.Chess().(jobproof.Certified)
	for _, c := range []struct {
		goal, moves string
		left        int
	}{
		{"white mates within 4: " + philidor, "", 4}, {"white mates within 4: " + philidor, "g5f7", 3},
		{"white mates within 4: " + philidor, "g5f7 h8g8", 3}, {"white mates within 4: " + philidor, "g5f7 h8g8 f7h6", 2},
		{"white mates within 3: " + cornered, "", 3}, {"white mates within 3: " + cornered, "h8h7", 3},
		{"white mates within 3: " + cornered, "h8h7 f6f7", 2}, {"white mates within 3: " + cornered, "h8h7 f6f7 h7h6", 2},
	} {
		for within := -1; within <= c.left+1; within++ {
			p, err := chess.Claim(c.goal, c.moves, proof.Proved, within)
			if right := within >= 0 && within <= c.left; right != (err == nil) || right && p.Mate() != within {
				t.Errorf("%s after %q, mate in %d: %v, a mate in %d, want %d left", c.goal, c.moves, within, err, p.Mate(), c.left)
			}
		}
	}
	// Without a limit any number of moves is left.
	p, err := games.Shogi().(jobproof.Certified).Claim("white mates: "+shogi, "", proof.Proved, 60)
	if err != nil || p.Mate() != 60 {
		t.Errorf("mate in %d, %v", p.Mate(), err)
	}
	_, err = chess.Claim("white mates within 4: "+philidor, "a1a2 g5f7", proof.Proved, 1)
	if err == nil || !strings.Contains(err.Error(), "a1a2") {
		t.Errorf("an illegal move: %v", err)
	}
	problem, err := games.Chess().Problem(philidor + " bm #4;")
	if err != nil || problem.Stated != "mate in 4" {
		t.Errorf("%+v, %v", problem, err)
	}
}

// What a goal that is proved or disproved claims after some moves can be shown.
func TestShow(t *testing.T) {
	const lost = "X;O.X...O.@;.XO.OXO.X/X.XOO.O.O/X..X..X.X/O.OO.X.OX/.XX....OX/O.OX...../OOOX...X./OXXXX.O../XO...OXOO"
	own, _ := newWorkers(t, 0)
	for _, c := range []struct {
		game        jobproof.Game
		goal, moves string
		result      proof.Result
		mate        int
	}{
		{games.Chess(), "white mates within 6: 5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1", "", proof.Proved, 4},
		{games.Chess(), "white mates within 6: 5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1", "g5f7", proof.Proved, 3},
		{games.Ultimate(), "X wins " + lost, "", proof.Disproved, 0},
		{games.Ultimate(), "O wins " + lost, "", proof.Proved, 0},
	} {
		g := c.game.(jobproof.Certified)
		p, err := g.Show(t.Context(), own.Solver(), c.goal, c.moves, c.result)
		if err == nil {
			_, err = p.Entries(t.Context(), math.MaxInt)
		}
		if err != nil || p.Mate() != c.mate {
			t.Errorf("%s after %q: %v, mate in %d, want %d", c.goal, c.moves, err, p.Mate(), c.mate)
		}
		if _, err := g.Claim(c.goal, "?? "+c.moves, c.result, c.mate); err == nil {
			t.Errorf("%s: a move that is none", c.goal)
		}
	}
	if _, err := games.Ultimate().(jobproof.Certified).Claim("X wins startpos", "?? ee", proof.Proved, 0); err == nil {
		t.Error("a move after a move that is none")
	}
}
