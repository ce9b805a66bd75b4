package engine

import (
	"context"
	"testing"

	"trefoil/game/chess"
	"trefoil/game/shogi"
	"trefoil/game/ultimate"
	"trefoil/search/mate"
	"trefoil/search/proof"
	"trefoil/search/proof/chessgoal"
	"trefoil/search/proof/shogigoal"
	"trefoil/search/proof/ultimategoal"
	"trefoil/window"
)

// BenchmarkBench is what `make pgo` profiles: both games, and proofs of all that there are.
func BenchmarkBench(b *testing.B) {
	for b.Loop() {
		for variant, depth := range map[string]string{"chess": "16", "shogi": "15"} {
			if err := Bench(context.Background(), variant, []string{depth}, func(string) {}); err != nil {
				b.Fatal(err)
			}
		}
		proveBench(b)
	}
}

// proveBench looks for mates in the positions of both benches, and for a win in Ultimate
// Tic-Tac-Toe.
func proveBench(b *testing.B) {
	const mates, wins = 50000, 500000 // nodes
	for _, fen := range benchFENs {
		p, err := chess.ParseFEN(fen)
		if err != nil {
			b.Fatal(err)
		}
		findBench(b, mate.Problem{Moves: 250, Claim: func(opponent bool, moves int) mate.Claim {
			side := chess.Colour(p.Side())
			if opponent {
				side = side.Other()
			}
			return chessgoal.New(p, side, moves)
		}}, mates/4)
	}
	for _, sfen := range benchSFENs {
		p, err := shogi.ParseSFEN(sfen)
		if err != nil {
			b.Fatal(err)
		}
		findBench(b, mate.Problem{Moves: mate.Endless, Alone: true, Claim: func(opponent bool, moves int) mate.Claim {
			return shogigoal.New(p, shogigoal.Attacker(p, opponent), moves)
		}}, mates)
	}
	s := proof.New(proofBench(b), proof.Options{Threads: 1})
	start := ultimate.Start()
	_, err := s.Prove(context.Background(), func() proof.Game { return ultimategoal.New(start, start.Side()) }, proof.Limits{Nodes: wins})
	if err != nil {
		b.Fatal(err)
	}
}

// findBench looks for a mate within some nodes.
func findBench(b *testing.B, problem mate.Problem, nodes uint64) {
	if _, err := mate.New(proofBench(b), 1, nil).Find(context.Background(), problem, mate.Limits{Nodes: nodes}, nil); err != nil {
		b.Fatal(err)
	}
}

// proofBench is an empty table.
func proofBench(b *testing.B) *window.Table {
	table, err := window.New(benchHash)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = table.Close() })
	return table
}
