package ultimate

import (
	"fmt"

	"trefoil/engine/registry"
	rules "trefoil/game/ultimate"
)

// view is registry.Game.View.
func view(start registry.Start, moves []string) (*registry.View, error) {
	first, err := parseSetup(start.Setup)
	if err != nil {
		return nil, err
	}
	v := &registry.View{Setup: first.String()}
	p := first
	if p, v.Played, err = play(first, moves); err != nil {
		return nil, fmt.Errorf("moves: %w", err)
	}
	v.Now, v.Side = p.String(), int(p.Side())
	for _, m := range p.Moves(nil) {
		v.Legal = append(v.Legal, registry.MoveText{Move: m.String(), Text: m.String()})
	}
	if winner, won, over := p.Over(); won {
		v.Ended = &registry.Ended{Winner: int(winner), Reason: "three boards in line"}
	} else if over {
		v.Ended = &registry.Ended{Winner: registry.Drawn, Reason: "all boards are decided"}
	}
	v.Line = func(moves []string) []registry.MoveText {
		_, texts, _ := play(p, moves)
		return texts
	}
	return v, nil
}

// play plays moves as far as they are legal.
func play(p rules.Position, moves []string) (_ rules.Position, texts []registry.MoveText, err error) {
	for _, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			return p, texts, err
		}
		p, texts = p.Play(m), append(texts, registry.MoveText{Move: m.String(), Text: m.String()})
	}
	return p, texts, nil
}
