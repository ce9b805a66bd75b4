package chessgoal

import (
	"strings"
	"testing"

	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/search/proof"
	"trefoil/search/proof/initial"
)

// Every feature has a weight.
func TestWeights(t *testing.T) {
	for attacking, weights := range map[bool][]weight{true: attackWeights[:], false: defenceWeights[:]} {
		sum := 0
		for _, n := range Groups(attacking) {
			sum += n
		}
		if len(weights) != sum || len(Groups(attacking)) > initial.MaxGroups {
			t.Errorf("attacking %v: %d weights of %d features in %d groups", attacking, len(weights), sum,
				len(Groups(attacking)))
		}
	}
}

// initialFENs have checks by all pieces, promotions, castling and en passant.
var initialFENs = []string{
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"r1b1k2r/1P4P1/8/pPpPp3/PpPpP3/8/1p4p1/R1B1K2R w KQkq - 0 1",
	"8/8/8/2k5/3Pp3/8/8/4K2Q b - d3 0 1",
	"5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1",
	"4k3/8/4K3/8/8/8/4R3/8 w - - 0 1",
}

// children returns the unsolved children of a goal by their moves.
func children(g *Goal) map[string]proof.Child {
	all := map[string]proof.Child{}
	for _, c := range g.Expand(nil, noTable{}) {
		if !c.Solved() {
			all[g.Text(c.Move)] = c
		}
	}
	return all
}

// The initial numbers of a child are the numbers of its features. The same move with the colours exchanged
// has the same numbers.
func TestInitialNumbers(t *testing.T) {
	seen := 0
	otherRanks := strings.NewReplacer("1", "8", "2", "7", "3", "6", "4", "5", "5", "4", "6", "3", "7", "2", "8", "1")
	for _, fen := range initialFENs {
		for _, attacker := range []chess.Colour{chess.White, chess.Black} {
			p := gametest.Chess(t, fen)
			g := New(p, attacker, 4)
			flipped := children(New(p.Flipped(), attacker.Other(), 4))
			for text, c := range children(g) {
				seen++
				weights := defenceWeights[:]
				if !g.Attacking() {
					weights = attackWeights[:]
				}
				var byFeatures, evaluated proof.Child
				g.Make(c.Move)
				initial.Evaluate(&byFeatures, g.Features(), weights)
				g.Evaluate(&evaluated)
				g.Undo()
				for name, got := range map[string]proof.Child{"by features": byFeatures, "evaluated": evaluated,
					"flipped": flipped[otherRanks.Replace(text)]} {
					if got.Phi != c.Phi || got.Delta != c.Delta {
						t.Errorf("%s, %v: φ %d δ %d, %s %d and %d", fen, text, c.Phi, c.Delta, name, got.Phi, got.Delta)
					}
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d children were compared", seen)
	}
}
