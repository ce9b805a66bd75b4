package selfplay

import (
	"math/rand/v2"

	"trefoil/game/ultimate"
	"trefoil/game/ultimate/eval"
	"trefoil/search/alphabeta"
)

// ultimateBoard is a position of Ultimate Tic-Tac-Toe.
type ultimateBoard struct {
	*ultimate.Walker
	evaluation
}

// UltimateEnds are the limits of games of Ultimate Tic-Tac-Toe: they end when the search has seen their
// end twice. Longest is never reached: openings may have fewer plies than was asked.
var UltimateEnds = Ends{WonBy: Mate - 100, WonPlies: 2, DrawnPlies: 81, Longest: 1000}

// Ultimate returns a Board for a position of Ultimate Tic-Tac-Toe.
func Ultimate(p ultimate.Position) Board { return &ultimateBoard{Walker: ultimate.NewWalker(p)} }

// UltimatePosition returns the position of a board of Ultimate Tic-Tac-Toe.
func UltimatePosition(b Board) *ultimate.Walker { return b.(*ultimateBoard).Walker }

func (b *ultimateBoard) Eval() int {
	return b.of(b, func() int { return eval.Evaluate(&b.Position) })
}

// Params are the parameters of the search.
func (b *ultimateBoard) Params() *alphabeta.Params { return alphabeta.Ultimate }

// Clone shares the evaluator: a Player searches with one worker.
func (b *ultimateBoard) Clone() alphabeta.Position { return b.Copy() }

func (b *ultimateBoard) Copy() Board { return &ultimateBoard{b.Walker.Copy(), b.evaluation} }

func (b *ultimateBoard) Setup() string { return b.Position.String() }

// UltimateOpening is the Opening of Ultimate Tic-Tac-Toe, with the number of plies modulo 41: after at most 40 nearly
// all games go on.
func UltimateOpening(rng *rand.Rand, _ bool, plies int) (Board, error) {
	for {
		if board := Ultimate(ultimate.Start()); RandomMoves(rng, board, plies%41) {
			return board, nil
		}
	}
}
