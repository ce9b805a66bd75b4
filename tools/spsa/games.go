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
	opening    func(rng *rand.Rand, plies int) (selfplay.Board, error)
	ends       selfplay.Ends
	evaluation string
	evaluator  func() func(selfplay.Board) int // nil for the hand-written evaluation
}

// subjects are the games by name, with the evaluations of the program.
var subjects = map[string]subject{
	"chess": subjectBy(chess.OwnEvaluation(), selfplay.ChessPosition, selfplay.ChessEnds,
		func(rng *rand.Rand, plies int) (selfplay.Board, error) {
			return selfplay.ChessOpening(rng, false, plies)
		}),
	"shogi": subjectBy(shogi.OwnEvaluation(), selfplay.ShogiPosition, selfplay.ShogiEnds, selfplay.ShogiOpening),
	"ultimate": subjectBy(ultimate.OwnEvaluation(), selfplay.UltimatePosition, selfplay.UltimateEnds,
		func(rng *rand.Rand, plies int) (selfplay.Board, error) {
			return selfplay.UltimateOpening(rng, plies), nil
		}),
}

func subjectBy[P any](e alphabetagame.Evaluation[P], position func(selfplay.Board) P, ends selfplay.Ends,
	opening func(*rand.Rand, int) (selfplay.Board, error)) subject {
	s := subject{opening: opening, ends: ends, evaluation: e.Name}
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

// referee plays games between two sets of values of the parameters.
type referee struct {
	parameters map[string]*alphabeta.Parameter
	defaults   map[string]int
	players    [2]*selfplay.Player // plus and minus
}

// errPlain is returned where a build without parameters is of no use.
var errPlain = errors.New("this program was built without parameters: " +
	"go build -tags tune -pgo=default.pgo -o spsa ./tools/spsa")

func newReferee() (*referee, error) {
	r := &referee{parameters: map[string]*alphabeta.Parameter{}, defaults: map[string]int{}}
	all := alphabeta.Parameters()
	if len(all) == 0 {
		return nil, errPlain
	}
	for i := range all {
		r.parameters[all[i].Name] = &all[i]
		r.defaults[all[i].Name] = all[i].Value()
	}
	for i := range r.players {
		var err error
		if r.players[i], err = selfplay.New(tableMiB); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// load sets all parameters, those that are not named to their defaults.
func (r *referee) load(names []string, values []int) error {
	for name, p := range r.parameters {
		if !slices.Contains(names, name) {
			if err := p.Set(r.defaults[name]); err != nil {
				return err
			}
		}
	}
	for i, name := range names {
		p, ok := r.parameters[name]
		if !ok {
			return fmt.Errorf("no parameter %q", name)
		}
		if err := p.Set(values[i]); err != nil {
			return err
		}
	}
	return nil
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
	if err := r.clear(ctx); err != nil {
		return 0, err
	}
	values, reversed := [2][]int{j.Plus, j.Minus}, j.Number&1
	half, err = selfplay.Play(pos, j.Plan.Random, g.ends, func(pos selfplay.Board) (selfplay.Line, error) {
		mover := pos.Side() ^ reversed
		if err := r.load(j.Names, values[mover]); err != nil {
			return selfplay.Line{}, err
		}
		return r.players[mover].Best(ctx, pos, selfplay.Hard(j.Plan.Nodes))
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
	if err := r.load(nil, nil); err != nil {
		return nil, err
	}
	if err := r.players[0].NewGame(ctx); err != nil {
		return nil, err
	}
	evaluate := g.evaluator()
	pos, err = r.players[0].Balanced(ctx, selfplay.Hard(j.Plan.Nodes), j.Plan.Within, func() (selfplay.Board, error) {
		pos, err := g.opening(rng, j.Plan.Random)
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
