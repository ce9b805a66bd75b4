// Package protocol is text in and text out: it reads UCI, drives an Engine, and
// prints what the Engine says. It knows no game and no table.
package protocol

import (
	"context"

	"trefoil/options"
	"trefoil/search"
)

// Engine is what a session drives. All methods but those said otherwise are
// called one at a time, never during a Search.
type Engine interface {
	// Name and Author identify the engine.
	Name() string
	Author() string
	// Options is the set of options, as declared by the engine.
	Options() *options.Set
	// NewGame forgets what earlier games taught.
	NewGame()
	// SetPosition sets up a position ("startpos" or the game's notation) and
	// plays the moves: all of it, or nothing and an error that names the token.
	SetPosition(setup string, moves []string) error
	// Search runs until its limits or ctx end it, reporting as it goes.
	Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result
	// Notices returns, once, the lines that the user should be told since the
	// last call. It may be called during a Search.
	Notices() []string
	// Command runs a command of the engine's own (d, eval, perft, bench …);
	// ErrUnknown if there is none of that name.
	Command(ctx context.Context, name string, args []string, print func(string)) error
	// Close gives back all memory; it stops what runs in the background.
	Close() error
}
