package main

import (
	"fmt"
	"os"

	chessnnue "trefoil/game/chess/nnue"
	shoginnue "trefoil/game/shogi/nnue"
	ultimatennue "trefoil/game/ultimate/nnue"
	"trefoil/nnue"
	"trefoil/tools/internal/selfplay"
)

// A subject is a game of a match.
type subject struct {
	protocol string   // uci or usi
	notation string   // of position
	variant  string   // UCI_Variant, if a program has that option
	options  []string // NAME=VALUE of the programs that have them, unless a player says otherwise
	within   int      // centipawns, the greatest value of an opening
	ends     selfplay.Ends
	opening  selfplay.Opening
	// evaluation returns the evaluation by the net in a file, for one goroutine.
	evaluation func(file string) (func(selfplay.Board) int, error)
}

// subjects are the games by name.
var subjects = map[string]subject{
	"chess": {
		protocol: "uci", notation: "fen", variant: "chess", within: 150,
		ends: selfplay.ChessEnds, opening: selfplay.ChessOpening,
		evaluation: evaluationBy(chessnnue.Read, chessnnue.NewEvaluator, selfplay.ChessPosition),
	},
	"shogi": {
		protocol: "usi", notation: "sfen", options: []string{"Threads=1", "USI_Hash=16"}, within: 200,
		ends: selfplay.ShogiEnds, opening: selfplay.ShogiOpening,
		evaluation: evaluationBy(shoginnue.Read, shoginnue.NewEvaluator, selfplay.ShogiPosition),
	},
	"ultimate": {
		protocol: "uci", notation: "fen", variant: "ultimate", within: selfplay.Mate,
		ends: selfplay.UltimateEnds, opening: selfplay.UltimateOpening,
		evaluation: evaluationBy(ultimatennue.Read, ultimatennue.NewEvaluator, selfplay.UltimatePosition),
	},
}

// evaluationBy returns subject.evaluation of a game whose boards have positions P and whose nets evaluators E.
func evaluationBy[P any, E interface{ Evaluate(P) int }](read func([]byte) (*nnue.Net, error),
	evaluator func(*nnue.Net) E, position func(selfplay.Board) P) func(string) (func(selfplay.Board) int, error) {
	return func(file string) (func(selfplay.Board) int, error) {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		net, err := read(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		e := evaluator(net)
		return func(b selfplay.Board) int { return e.Evaluate(position(b)) }, nil
	}
}
