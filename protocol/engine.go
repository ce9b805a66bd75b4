package protocol

import (
	"context"

	"trefoil/options"
	"trefoil/search"
)

// Engine is what a session drives. All methods but those said otherwise are
// called one at a time, never during a Search or a Command.
type Engine interface {
	// Name and Author identify the engine.
	Name() string
	Author() string
	// Options is the set of options, as declared by the engine.
	Options() *options.Set
	// Commands are the engine's own commands. A name never changes its meaning.
	Commands() []options.Command
	// NewGame forgets what earlier games taught. It does not wait for the
	// memory to be cleared.
	NewGame()
	// SetPosition sets up a position ("startpos" or the game's notation) and
	// plays the moves: all of it, or nothing and an error that names the token.
	SetPosition(setup string, moves []string) error
	// Search runs until its limits or ctx end it, reporting as it goes. It
	// answers with a legal move, if there is one, also when ctx has ended
	// before the call.
	Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result
	// Notices returns, once, the lines that the user should be told since the
	// last call. It may be called at any time from any goroutine.
	Notices() []string
	// Close gives back all memory; it stops what runs in the background.
	Close() error
}
