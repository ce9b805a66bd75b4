package mates

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"trefoil/engine/alphabetagame"
	"trefoil/game"
	"trefoil/search/mate"
)

// soundness says whether the moves of a mate are the only ones.
type soundness struct {
	Shortest bool   `json:"shortest"` // there is no shorter mate
	Cooks    []cook `json:"cooks"`
	Complete bool   `json:"complete"` // it is proved that there are no other cooks
}

// cook is another move that mates, in place of a move of the line.
type cook struct {
	Ply  int    `json:"ply"` // of the line, from 1
	Move string `json:"move"`
	Mate int    `json:"mate"` // moves to the mate, which need not be the shortest
}

// text is the verdict and the cooks, as two fields.
func (s *soundness) text() string {
	verdict := "unknown"
	switch {
	case len(s.Cooks) > 0:
		verdict = "cooked"
	case s.Shortest && s.Complete:
		verdict = "sound"
	}
	var cooks []string
	for _, c := range s.Cooks {
		cooks = append(cooks, fmt.Sprintf("%d %s mate %d", c.Ply, c.Move, c.Mate))
	}
	return verdict + "\t" + strings.Join(cooks, ", ")
}

// variations returns the moves that may begin a mate after some moves of a line, and a function that asks whether
// the side to move mates by one of these moves only, in chess within some moves.
type variations func(line []game.Move) (first []game.Move, ask func(moves int, only []game.Move) mate.Problem)

// variationsOf returns the variations from a position. list lists the moves that may begin a mate.
func variationsOf[P interface {
	alphabetagame.Rules
	Copy() P
}](p P, list func(P, *game.List), problem func(p P, moves int, only []game.Move) mate.Problem) variations {
	return func(line []game.Move) ([]game.Move, func(int, []game.Move) mate.Problem) {
		at, first := p.Copy(), new(game.List)
		for _, m := range line {
			at.Make(m)
		}
		list(at, first)
		return first.All(), func(moves int, only []game.Move) mate.Problem {
			asked := problem(at, moves, only)
			asked.Alone = true
			return asked
		}
	}
}

// cooks looks for other moves that mate, in place of each move of the side that mates but the last: within as many
// moves in chess, in any number in shogi. It adds what that takes to the nodes and the time of the answer.
func (s *lineSolver) cooks(ctx context.Context, m *problem, found *mate.Answer) (*soundness, error) {
	sound := &soundness{Shortest: found.Shortest, Cooks: []cook{}, Complete: true}
	for ply := 0; ply < len(found.Line)-1; ply += 2 {
		rest, ask := m.variations(found.Line[:ply])
		rest = without(rest, found.Line[ply])
		for len(rest) > 0 {
			p := ask(found.Moves-ply/2, rest)
			a, err := s.find(ctx, p, mate.Limits{First: true})
			if err != nil {
				return nil, err
			}
			found.Nodes, found.Time = found.Nodes+a.Nodes, found.Time+a.Time
			if a.Moves == 0 {
				sound.Complete = sound.Complete && a.Failed[0] >= p.Moves
				break
			}
			texts := m.texts(append(slices.Clone(found.Line[:ply]), a.Line[0]))
			sound.Cooks = append(sound.Cooks, cook{Ply: ply + 1, Move: texts[ply], Mate: a.Moves})
			rest = without(rest, a.Line[0])
		}
	}
	return sound, nil
}

// without returns moves but for m.
func without(moves []game.Move, m game.Move) []game.Move {
	return slices.DeleteFunc(slices.Clone(moves), func(other game.Move) bool { return other == m })
}
