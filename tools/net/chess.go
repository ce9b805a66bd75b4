package main

import (
	"math/rand/v2"

	"trefoil/game/chess/eval"
	chessnnue "trefoil/game/chess/nnue"
	"trefoil/nnue"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
)

// chessSubject is chess.
type chessSubject struct{}

func (chessSubject) name() string        { return "chess" }
func (chessSubject) bytes() int          { return record.ChessBytes }
func (chessSubject) chess960() bool      { return true }
func (chessSubject) within() int         { return 150 }
func (chessSubject) ends() selfplay.Ends { return selfplay.ChessEnds }

func (chessSubject) opening(rng *rand.Rand, chess960 bool, plies int) (selfplay.Board, error) {
	return selfplay.ChessOpening(rng, chess960, plies)
}

// Positions after more than lateClock reversible plies, whose value fades, are not kept.
const lateClock = 60

func (chessSubject) keeps(pos selfplay.Board) bool {
	p := selfplay.ChessPosition(pos)
	return p.Rule50() <= lateClock && !eval.Known(p)
}

func (chessSubject) put(rec []byte, pos selfplay.Board) {
	record.PutChess(rec, selfplay.ChessPosition(pos))
}

func (chessSubject) get(rec []byte) (selfplay.Board, error) {
	p, err := record.Chess(rec)
	if err != nil {
		return nil, err
	}
	return selfplay.Chess(p), nil
}

func (chessSubject) pieces(rec []byte) int { return record.ChessPieces(rec) }

func (chessSubject) readNet(data []byte) (*nnue.Net, error) { return chessnnue.Read(data) }

func (chessSubject) evaluator(net *nnue.Net) func(selfplay.Board) int {
	e := chessnnue.NewEvaluator(net)
	return func(pos selfplay.Board) int { return e.Evaluate(selfplay.ChessPosition(pos)) }
}
