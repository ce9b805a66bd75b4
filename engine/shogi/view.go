package shogi

import (
	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	"trefoil/game"
	rules "trefoil/game/shogi"
	"trefoil/game/shogi/kifu"
)

// view is registry.Game.View.
func view(start registry.Start, moves []string) (*registry.View, error) {
	setup := start.Setup
	if setup == "startpos" {
		setup = rules.StartSFEN
	}
	p, repairs, err := rules.ReadSFEN(setup)
	if err != nil {
		return nil, err
	}
	first := p.SFEN()
	v, err := alphabetagame.ViewOf(p, moves, func(p *rules.Position, m game.Move) registry.MoveText {
		return registry.MoveText{Move: p.Text(m), Text: p.Western(m), Kanji: kifu.MoveText(rules.Colour(p.Side()), m)}
	})
	if err != nil {
		return nil, err
	}
	v.Setup, v.Now, v.Notes, v.Ended, v.Declares = first, p.SFEN(), repairs, ended(p, len(v.Legal)), p.Declares()
	return v, nil
}

// ended returns how the game ended in p, which has that many legal moves; nil if it goes on.
func ended(p *rules.Position, legal int) *registry.Ended {
	if legal == 0 {
		reason := "checkmate"
		if !p.InCheck() {
			reason = "no legal move"
		}
		return &registry.Ended{Winner: 1 - p.Side(), Reason: reason}
	}
	switch p.Repeats(0) {
	case rules.RepetitionDraw:
		return &registry.Ended{Winner: registry.Drawn, Reason: "fourth occurrence of the position"}
	case rules.RepetitionWin:
		return &registry.Ended{Winner: p.Side(), Reason: "perpetual check"}
	case rules.RepetitionLoss:
		return &registry.Ended{Winner: 1 - p.Side(), Reason: "perpetual check"}
	}
	return nil
}
