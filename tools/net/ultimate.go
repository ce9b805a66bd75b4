package main

import (
	ultimatennue "trefoil/game/ultimate/nnue"
	"trefoil/nnue"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// ultimateSubject is Ultimate Tic-Tac-Toe.
var ultimateSubject = subject{
	Format: train.Format{
		Bytes: record.UltimateBytes, Decode: decodeUltimate, Images: ultimateImages, Turn: turnUltimate,
	},
	name: "ultimate", shape: ultimatennue.Shape, readNet: ultimatennue.Read,
	opening: selfplay.UltimateOpening, within: selfplay.Mate, ends: selfplay.UltimateEnds,
	keeps: func(selfplay.Board) bool { return true },
	put: func(rec []byte, pos selfplay.Board) {
		record.PutUltimate(rec, &selfplay.UltimatePosition(pos).Position)
	},
	get: func(rec []byte) (selfplay.Board, error) {
		p, err := record.Ultimate(rec)
		if err != nil {
			return nil, err
		}
		return selfplay.Ultimate(p), nil
	},
	pieces: record.UltimatePieces,
	evaluator: func(net *nnue.Net) func(selfplay.Board) int {
		e := ultimatennue.NewEvaluator(net)
		return func(pos selfplay.Board) int { return e.Evaluate(selfplay.UltimatePosition(pos)) }
	},
}
