// Package games has the games whose positions jobproof can prove.
package games

import (
	"fmt"
	"strings"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/game/ultimate"
	"trefoil/search/proof/ultimategoal"
)

// A Proof is what the subcommand prove can prove, by its name there.
type Proof struct {
	Name, Help string
	Game       jobproof.Game
}

// Proofs returns the proofs of every game.
func Proofs() []Proof {
	return []Proof{
		{"ultimate", "values in Ultimate Tic-Tac-Toe", Ultimate()},
		{"mate", "mates in chess", Chess()},
		{"shogi", "mates in shogi with checks only", Shogi()},
	}
}

// All returns every game.
func All() (games []jobproof.Game) {
	for _, p := range Proofs() {
		games = append(games, p.Game)
	}
	return games
}

// Ultimate returns Ultimate Tic-Tac-Toe. A problem is a position; its value is win, draw or loss, for the side to move.
func Ultimate() jobproof.Game { return ultimateGame{} }

type ultimateGame struct{}

func (ultimateGame) Name() string { return "ultimate" }

func (ultimateGame) Convention() string {
	return ultimategoal.Convention + "; " + ultimategoal.Seed
}

func (ultimateGame) Samples() []string { return []string{"startpos"} }

// Problem returns the goals that the side to move wins, and that its opponent does.
func (ultimateGame) Problem(position string) (jobproof.Problem, error) {
	p, err := ultimatePosition(position)
	if err != nil {
		return jobproof.Problem{}, err
	}
	var goals []string
	for _, side := range []ultimate.Side{p.Side(), p.Side().Other()} {
		goals = append(goals, fmt.Sprintf("%v wins %v", side, p))
	}
	return jobproof.Problem{Goals: goals, Values: []string{"win", "loss", "draw"}}, nil
}

// Goal reads SIDE wins POSITION.
func (ultimateGame) Goal(text string) (func() jobproof.Goal, error) {
	p, side, err := ultimateGoal(text)
	if err != nil {
		return nil, err
	}
	return func() jobproof.Goal { return ultimategoal.New(p, side) }, nil
}

// ultimateGoal returns what the text of a goal says.
func ultimateGoal(text string) (p ultimate.Position, side ultimate.Side, err error) {
	name, rest, _ := strings.Cut(text, " ")
	position, ok := strings.CutPrefix(rest, "wins ")
	if !ok {
		return p, side, fmt.Errorf("%.40q is not of the form SIDE wins POSITION", text)
	}
	if p, err = ultimatePosition(position); err != nil {
		return p, side, err
	}
	for _, side := range []ultimate.Side{ultimate.X, ultimate.O} {
		if side.String() == name {
			return p, side, nil
		}
	}
	return p, side, fmt.Errorf("%.20q is neither X nor O", name)
}

func ultimatePosition(text string) (ultimate.Position, error) {
	if text == "startpos" {
		return ultimate.Start(), nil
	}
	return ultimate.Parse(text)
}
