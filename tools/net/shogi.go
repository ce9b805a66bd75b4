package main

import (
	shoginnue "trefoil/game/shogi/nnue"
	"trefoil/nnue"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// shogiSubject is shogi.
var shogiSubject = subject{
	Format: train.Format{Bytes: record.ShogiBytes, Decode: decodeShogi},
	name:   "shogi", shape: shoginnue.Shape, readNet: shoginnue.Read,
	opening: selfplay.ShogiOpening, within: 200, ends: selfplay.ShogiEnds,
	keeps: func(selfplay.Board) bool { return true },
	put:   func(rec []byte, pos selfplay.Board) { record.PutShogi(rec, selfplay.ShogiPosition(pos)) },
	get: func(rec []byte) (selfplay.Board, error) {
		p, err := record.Shogi(rec)
		if err != nil {
			return nil, err
		}
		return selfplay.Shogi(p), nil
	},
	pieces: record.ShogiPieces,
	evaluator: func(net *nnue.Net) func(selfplay.Board) int {
		e := shoginnue.NewEvaluator(net)
		return func(pos selfplay.Board) int { return e.Evaluate(selfplay.ShogiPosition(pos)) }
	},
}
