package engine

import (
	"trefoil/engine/chess"
	"trefoil/engine/connect4"
	"trefoil/engine/registry"
	"trefoil/engine/shogi"
	"trefoil/engine/ultimate"
)

// Games returns the games of the engine: a game is added by its line here.
func Games() *registry.Registry {
	return registry.New(
		chess.Game(),
		shogi.Game(),
		connect4.Game(),
		ultimate.Game(),
	)
}
