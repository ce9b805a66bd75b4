package main

import (
	"math/rand/v2"

	shoginnue "trefoil/game/shogi/nnue"
	"trefoil/nnue"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
)

// shogiSubject is shogi.
type shogiSubject struct{}

func (shogiSubject) name() string        { return "shogi" }
func (shogiSubject) bytes() int          { return record.ShogiBytes }
func (shogiSubject) chess960() bool      { return false }
func (shogiSubject) within() int         { return 200 }
func (shogiSubject) ends() selfplay.Ends { return selfplay.ShogiEnds }

func (shogiSubject) opening(rng *rand.Rand, _ bool, plies int) (selfplay.Board, error) {
	return selfplay.ShogiOpening(rng, plies)
}

func (shogiSubject) keeps(selfplay.Board) bool { return true }

func (shogiSubject) put(rec []byte, pos selfplay.Board) {
	record.PutShogi(rec, selfplay.ShogiPosition(pos))
}

func (shogiSubject) get(rec []byte) (selfplay.Board, error) {
	p, err := record.Shogi(rec)
	if err != nil {
		return nil, err
	}
	return selfplay.Shogi(p), nil
}

func (shogiSubject) pieces(rec []byte) int { return record.ShogiPieces(rec) }

func (shogiSubject) readNet(data []byte) (*nnue.Net, error) { return shoginnue.Read(data) }

func (shogiSubject) evaluator(net *nnue.Net) func(selfplay.Board) int {
	e := shoginnue.NewEvaluator(net)
	return func(pos selfplay.Board) int { return e.Evaluate(selfplay.ShogiPosition(pos)) }
}
