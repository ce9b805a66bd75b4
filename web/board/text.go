package board

import (
	"fmt"
	"strings"
	"sync"

	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/registry"
	"trefoil/engine/table"
)

// textGame returns the game without a board: the drawing of its player, and its moves.
func textGame(g *registry.Game) *Game {
	b := &Game{Sides: [2]string{"First", "Second"}, View: func(start Start, moves []string) (*View, error) {
		return textView(newPlayer(g), start.Setup, moves)
	}}
	if _, ok := newPlayer(g).(registry.Hasher); ok {
		b.Table = ClusterTable
	}
	return b
}

// newPlayer returns a player beside the engine, which never searches.
func newPlayer(g *registry.Game) registry.Player {
	return g.New(registry.Env{Options: config.New(config.Uses{}), Notices: new(table.Notices), Memory: new(memory.Budget)})
}

func textView(player registry.Player, setup string, moves []string) (*View, error) {
	if err := player.SetPosition(setup, nil); err != nil {
		return nil, err
	}
	v, at := &View{Setup: text(player, setup)}, &textPosition{player: player, setup: setup, moves: moves}
	if err := player.SetPosition(setup, moves); err != nil {
		return nil, fmt.Errorf("moves: %w", err)
	}
	v.Now = text(player, strings.TrimSpace(setup+" moves "+strings.Join(moves, " ")))
	if len(moves) == 0 {
		v.Now = v.Setup
	}
	v.Side, v.Played, v.Position = len(moves)%2, textMoves(moves), at
	player.Draw(func(line string) { v.Drawing = append(v.Drawing, line) })
	v.Legal = textMoves(player.Perft(1).Moves)
	if len(v.Legal) == 0 {
		v.Ended = &Ended{Winner: Unknown, Reason: "no move is left"}
	}
	return v, nil
}

// text is the position of a player in the notation of the game, or other if the player does not write it.
func text(player registry.Player, other string) string {
	if w, ok := player.(registry.Writer); ok {
		return w.Setup()
	}
	return other
}

func textMoves(moves []string) []Move {
	texts := make([]Move, len(moves))
	for i, m := range moves {
		texts[i] = Move{Move: m, Text: m}
	}
	return texts
}

// textPosition is the position of a player.
type textPosition struct {
	mu     sync.Mutex
	player registry.Player
	setup  string
	moves  []string
}

func (p *textPosition) Line(moves []string) []Move {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := p.moves[:len(p.moves):len(p.moves)]
	for i, m := range moves {
		line = append(line, m)
		if p.player.SetPosition(p.setup, line) != nil {
			return textMoves(moves[:i])
		}
	}
	return textMoves(moves)
}
