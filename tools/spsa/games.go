package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/chess"
	"trefoil/engine/shogi"
	"trefoil/engine/ultimate"
	"trefoil/search/alphabeta"
	"trefoil/tools/internal/selfplay"
)

// subject is a game that is played.
type subject struct {
	opening    selfplay.Opening
	ends       selfplay.Ends
	evaluation string
	evaluator  func() func(selfplay.Board) int // nil for the hand-written evaluation
	params     *alphabeta.Params
}

// subjects are the games by name, with the evaluations of the program.
var subjects = map[string]subject{
	"chess": subjectBy(alphabeta.Chess, chess.OwnEvaluation(), selfplay.ChessPosition, selfplay.ChessEnds,
		selfplay.ChessOpening),
	"shogi": subjectBy(alphabeta.Shogi, shogi.OwnEvaluation(), selfplay.ShogiPosition, selfplay.ShogiEnds,
		selfplay.ShogiOpening),
	"ultimate": subjectBy(alphabeta.Ultimate, ultimate.OwnEvaluation(), selfplay.UltimatePosition, selfplay.UltimateEnds,
		selfplay.UltimateOpening),
}

func subjectBy[P any](params *alphabeta.Params, e alphabetagame.Evaluation[P], position func(selfplay.Board) P,
	ends selfplay.Ends, opening selfplay.Opening) subject {
	s := subject{opening: opening, ends: ends, evaluation: e.Name, params: params}
	s.evaluator = func() func(selfplay.Board) int {
		if e.Name == alphabetagame.HandWrittenName {
			return nil
		}
		by := e.New()
		return func(b selfplay.Board) int { return by.Evaluate(position(b)) }
	}
	return s
}

// tableMiB is the size of the table of a player.
const tableMiB = 4

// A job is a game between two sets of values.
type job struct {
	Plan        plan
	Number      int // of the game
	Names       []string
	Plus, Minus []int
}

// referee plays games. It is not safe for concurrent use.
type referee struct {
	players [2]*selfplay.Player // plus and minus
}

func newReferee() (*referee, error) {
	r := new(referee)
	for i := range r.players {
		var err error
		if r.players[i], err = selfplay.New(tableMiB); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// close frees the tables.
func (r *referee) close() error { return errors.Join(r.players[0].Close(), r.players[1].Close()) }

// with returns a copy of params with other values of some parameters.
func with(params *alphabeta.Params, names []string, values []int) (*alphabeta.Params, error) {
	changed := *params
	list := changed.List()
	for i, name := range names {
		at := slices.IndexFunc(list, func(p alphabeta.Parameter) bool { return p.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("no parameter %q", name)
		}
		if err := list[at].Set(values[i]); err != nil {
			return nil, err
		}
	}
	return &changed, nil
}

// play plays the game of a job and returns the half points of plus. The two games of a pair have the
// same opening; plus is the first player in that with the even number.
func (r *referee) play(ctx context.Context, j job) (half int, err error) {
	g, err := selfplay.Subject(subjects, j.Plan.Game)
	if err != nil {
		return 0, err
	}
	pos, err := r.opening(ctx, g, j)
	if err != nil {
		return 0, err
	}
	for i, side := range [2][]int{j.Plus, j.Minus} {
		params, err := with(g.params, j.Names, side)
		if err != nil {
			return 0, err
		}
		r.players[i].SetParams(params)
	}
	if err := r.clear(ctx); err != nil {
		return 0, err
	}
	reversed := j.Number & 1
	half, err = selfplay.Play(pos, j.Plan.Random, g.ends, func(pos selfplay.Board) (selfplay.Line, error) {
		return r.players[pos.Side()^reversed].Best(ctx, pos, selfplay.Hard(j.Plan.Nodes))
	})
	if err != nil {
		return 0, err
	}
	if reversed == 1 {
		half = 2 - half
	}
	return half, nil
}

// clear makes a game independent of those before.
func (r *referee) clear(ctx context.Context) error {
	for _, p := range r.players {
		if err := p.NewGame(ctx); err != nil {
			return err
		}
	}
	return nil
}

// opening returns the position from which a pair is played: the first random one that a search with
// the default values finds balanced.
func (r *referee) opening(ctx context.Context, g subject, j job) (pos selfplay.Board, err error) {
	rng := rand.New(rand.NewPCG(^j.Plan.Seed, uint64(j.Number/2)))
	r.players[0].SetParams(nil)
	if err := r.players[0].NewGame(ctx); err != nil {
		return nil, err
	}
	evaluate := g.evaluator()
	pos, err = r.players[0].Balanced(ctx, selfplay.Hard(j.Plan.Nodes), j.Plan.Within, func() (selfplay.Board, error) {
		pos, err := g.opening(rng, false, j.Plan.Random)
		if err == nil {
			pos.EvaluateBy(evaluate)
		}
		return pos, err
	})
	if err != nil {
		return nil, fmt.Errorf("-within: %w", err)
	}
	return pos, nil
}
