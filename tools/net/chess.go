package main

import (
	"trefoil/game/chess/eval"
	chessnnue "trefoil/game/chess/nnue"
	"trefoil/nnue"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// chessSubject is chess.
var chessSubject = subject{
	Format: train.Format{Bytes: record.ChessBytes, Decode: decodeChess},
	name:   "chess", shape: chessnnue.Shape, readNet: chessnnue.Read,
	opening: selfplay.ChessOpening, chess960: true, within: 150, ends: selfplay.ChessEnds,
	keeps: func(pos selfplay.Board) bool {
		p := selfplay.ChessPosition(pos)
		return p.Rule50() <= lateClock && !eval.Known(p)
	},
	put: func(rec []byte, pos selfplay.Board) { record.PutChess(rec, selfplay.ChessPosition(pos)) },
	get: func(rec []byte) (selfplay.Board, error) {
		p, err := record.Chess(rec)
		if err != nil {
			return nil, err
		}
		return selfplay.Chess(p), nil
	},
	pieces: record.ChessPieces,
	evaluator: func(net *nnue.Net) func(selfplay.Board) int {
		e := chessnnue.NewEvaluator(net)
		return func(pos selfplay.Board) int { return e.Evaluate(selfplay.ChessPosition(pos)) }
	},
	output: func(pos selfplay.Board, value int) int {
		return value * chessnnue.ScaleUnit / chessnnue.Scale(selfplay.ChessPosition(pos))
	},
}

// Positions after more than lateClock reversible plies, whose value fades, are not kept.
const lateClock = 60
