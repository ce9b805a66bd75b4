package main

import (
	"math/rand/v2"

	ultimatennue "trefoil/game/ultimate/nnue"
	"trefoil/nnue"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
)

// ultimateSubject is Ultimate Tic-Tac-Toe.
type ultimateSubject struct{}

func (ultimateSubject) name() string        { return "ultimate" }
func (ultimateSubject) bytes() int          { return record.UltimateBytes }
func (ultimateSubject) chess960() bool      { return false }
func (ultimateSubject) within() int         { return selfplay.Mate }
func (ultimateSubject) ends() selfplay.Ends { return selfplay.UltimateEnds }

func (ultimateSubject) opening(rng *rand.Rand, _ bool, plies int) (selfplay.Board, error) {
	return selfplay.UltimateOpening(rng, plies%41), nil // after at most 40 nearly all games go on
}

func (ultimateSubject) keeps(selfplay.Board) bool { return true }

func (ultimateSubject) put(rec []byte, pos selfplay.Board) {
	record.PutUltimate(rec, &selfplay.UltimatePosition(pos).Position)
}

func (ultimateSubject) get(rec []byte) (selfplay.Board, error) {
	p, err := record.Ultimate(rec)
	if err != nil {
		return nil, err
	}
	return selfplay.Ultimate(p), nil
}

func (ultimateSubject) pieces(rec []byte) int { return record.UltimatePieces(rec) }

func (ultimateSubject) readNet(data []byte) (*nnue.Net, error) { return ultimatennue.Read(data) }

func (ultimateSubject) evaluator(net *nnue.Net) func(selfplay.Board) int {
	e := ultimatennue.NewEvaluator(net)
	return func(pos selfplay.Board) int { return e.Evaluate(selfplay.UltimatePosition(pos)) }
}
