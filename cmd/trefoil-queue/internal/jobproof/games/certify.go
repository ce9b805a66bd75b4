package games

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/game"
	"trefoil/game/certificate"
	"trefoil/game/ultimate"
	"trefoil/search/mate"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

// Claim implements jobproof.Certified: a side wins, or its opponent does not lose.
func (g ultimateGame) Claim(goal, moves string, r proof.Result, _ int) (certificate.Proof, error) {
	return g.show(goal, moves, r, nil)
}

// Show implements jobproof.Certified.
func (g ultimateGame) Show(_ context.Context, s jobproof.Solver, goal, moves string, r proof.Result) (
	certificate.Proof, error) {
	return g.show(goal, moves, r, ultimategoal.Mover(s.Solver))
}

func (ultimateGame) show(goal, moves string, r proof.Result, choose certificate.UltimateMover) (
	certificate.Proof, error) {
	p, side, err := ultimateGoal(goal)
	for _, text := range strings.Fields(moves) {
		if err != nil {
			break
		}
		var m ultimate.Move
		if m, err = p.ParseMove(text); err == nil {
			p = p.Play(m)
		}
	}
	s := certificate.Strategy{Side: side, Wins: r == proof.Proved}
	if !s.Wins {
		s.Side = side.Other()
	}
	return certificate.UltimateStrategy(p, s, choose), err
}

// Certificate implements jobproof.Certified.
func (ultimateGame) Certificate(s jobproof.Solver, p jobproof.Problem, value string, _ int) (certificate.Proof, error) {
	position, _, err := ultimateGoal(p.Goals[0])
	return certificate.Ultimate(position, certificate.Value(value), ultimategoal.Mover(s.Solver)), err
}

// position is a position of chess or shogi.
type position interface {
	Side() int
	ParseMove(string) (game.Move, error)
	Make(game.Move)
}

// playAll reads a position and makes moves in it. The position that it returns has no past.
func playAll[P position](parse func(string) (P, error), write func(P) string, text, moves string) (position, error) {
	p, err := parse(text)
	for _, text := range strings.Fields(moves) {
		if err != nil {
			return nil, err
		}
		var m game.Move
		if m, err = p.ParseMove(text); err == nil {
			p.Make(m)
		}
	}
	if err != nil {
		return nil, err
	}
	return parse(write(p))
}

// errNoMate is the error of what no moves can show.
var errNoMate = errors.New("a certificate cannot show that there is no mate")

// reached returns a position of a proved goal after some moves, the side that mates, and the moves that it
// has left.
func (m mates) reached(goal, moves string, r proof.Result) (p position, attacker, left int, err error) {
	if r != proof.Proved {
		return nil, 0, 0, errNoMate
	}
	text, attacker, left, err := m.parse(goal)
	if err != nil {
		return nil, 0, 0, err
	}
	if p, err = m.play(text, moves); err != nil {
		return nil, 0, 0, err
	}
	if left != mate.Endless {
		made := len(strings.Fields(moves)) // by both sides, the first by the side that is to move in the position
		if p.Side() == attacker == (made%2 == 0) {
			made++ // the first is the attacker's
		}
		left -= made / 2
	}
	return p, attacker, left, nil
}

// Claim implements jobproof.Certified: a side mates within some moves.
func (m mates) Claim(goal, moves string, r proof.Result, within int) (certificate.Proof, error) {
	return m.show(goal, moves, r, within, mate.Strategy{})
}

func (m mates) show(goal, moves string, r proof.Result, within int, s mate.Strategy) (certificate.Proof, error) {
	p, attacker, left, err := m.reached(goal, moves, r)
	if err != nil {
		return certificate.Proof{}, err
	}
	if within < 0 || within > left || within > certificate.MostMoves {
		return certificate.Proof{}, fmt.Errorf("a mate in %d moves, where %d are left", within, left)
	}
	if p.Side() != attacker {
		within = -within
	}
	return m.claim(p, within, s), nil
}

// Show implements jobproof.Certified.
func (m mates) Show(ctx context.Context, s jobproof.Solver, goal, moves string, r proof.Result) (
	certificate.Proof, error) {
	p, attacker, left, err := m.reached(goal, moves, r)
	if err != nil {
		return certificate.Proof{}, err
	}
	problem := mate.Problem{Moves: left, Alone: true, Goal: func(_ bool, moves int) mate.Goal {
		return m.goal(p, attacker, moves)
	}}
	a, err := mate.New(s.Table, s.Threads, nil).Prove(ctx, problem, p.Side() != attacker)
	if err != nil {
		return certificate.Proof{}, err
	}
	if a.Failed != [2]int{} {
		return certificate.Proof{}, errors.New("there is no mate")
	}
	return m.show(goal, moves, r, a.Moves, a.Strategy)
}

// Certificate implements jobproof.Certified.
func (m mates) Certificate(_ jobproof.Solver, p jobproof.Problem, value string, within int) (certificate.Proof, error) {
	if value != p.Values[0] {
		return certificate.Proof{}, errNoMate
	}
	return m.Claim(p.Goals[0], "", proof.Proved, within)
}
