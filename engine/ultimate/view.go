package ultimate

import (
	"fmt"
	"slices"

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
		v.Ended = &registry.Ended{Winner: int(winner), Reason: "three boards in a row"}
	} else if over {
		v.Ended = &registry.Ended{Winner: registry.Drawn, Reason: "all boards are decided"}
	}
	w := rules.NewWalker(p)
	v.Key = w.Key
	v.FromTable = func(bits uint16) (registry.MoveText, bool) {
		text := tableMove(bits)
		i := slices.IndexFunc(v.Legal, func(m registry.MoveText) bool { return m.Move == text })
		if i < 0 {
			return registry.MoveText{}, false
		}
		return v.Legal[i], true
	}
	v.Line = func(moves []string) []registry.MoveText {
		_, texts, _ := play(p, moves)
		return texts
	}
	return v, nil
}

// tableMove is registry.Game.TableMove.
func tableMove(bits uint16) string {
	if bits == 0 || bits > 81 {
		return ""
	}
	return rules.Move(bits - 1).String()
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
