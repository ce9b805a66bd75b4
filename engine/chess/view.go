package chess

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	"trefoil/game"
	rules "trefoil/game/chess"
)

// chess960 begins the setup of a start position of Chess960: its number follows, or it is drawn.
const chess960 = "chess960"

var variants = []registry.Variant{{Name: chess960, Title: "Chess960", Setup: chess960}}

// view is registry.Game.View.
func view(start registry.Start, moves []string) (*registry.View, error) {
	setup, err := setup960(start.Setup)
	if err != nil {
		return nil, err
	}
	p, repairs, err := parse(setup)
	if err != nil {
		return nil, err
	}
	first := p.FEN()
	v, err := alphabetagame.ViewOf(p, moves, func(p *rules.Position, m game.Move) registry.MoveText {
		return registry.MoveText{Move: p.Text(m), Text: p.SAN(m)}
	})
	if err != nil {
		return nil, err
	}
	v.Setup, v.Now, v.Notes, v.Ended = first, p.FEN(), repairs, ended(p, len(v.Legal))
	return v, nil
}

// setup960 replaces a start position of Chess960 by its FEN.
func setup960(setup string) (string, error) {
	number, ok := strings.CutPrefix(setup, chess960)
	if !ok {
		return setup, nil
	}
	number = strings.TrimSpace(number)
	if number == "" {
		return rules.StartFEN960(rand.IntN(rules.Starts960))
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		return "", fmt.Errorf("%s %.40q: not a number", chess960, number)
	}
	return rules.StartFEN960(n)
}

// ended returns how the game ended in p, which has that many legal moves; nil if it goes on.
func ended(p *rules.Position, legal int) *registry.Ended {
	switch {
	case legal == 0 && p.InCheck():
		return &registry.Ended{Winner: 1 - p.Side(), Reason: "checkmate"}
	case legal == 0:
		return &registry.Ended{Winner: registry.Drawn, Reason: "stalemate"}
	case p.InsufficientMaterial():
		return &registry.Ended{Winner: registry.Drawn, Reason: "too little material to mate"}
	case p.Rule50() >= 100:
		return &registry.Ended{Winner: registry.Drawn, Reason: "fifty moves without a capture or a pawn move"}
	case p.Occurrences() >= 3:
		return &registry.Ended{Winner: registry.Drawn, Reason: "third occurrence of the position"}
	}
	return nil
}
