package protocol

import (
	"context"

	"trefoil/options"
	"trefoil/search"
)

// Engine is what a session drives. Unless said otherwise, its methods are called one
// at a time, never during a Search or a Command.
type Engine interface {
	// Name and Author identify the engine.
	Name() string
	Author() string
	// Start begins a dialogue in a protocol, at its first word: the engine chooses a
	// game that the protocol can express.
	Start(options.Protocol) error
	// Options is the set of options, as declared by the engine.
	Options() *options.Set
	// Commands are the engine's own commands. A name never changes its meaning.
	Commands() []options.Command
	// Game names the current game. Each game has a position of its own.
	Game() string
	// NewGame resets what was learnt in earlier games. It does not wait until the
	// memory is cleared.
	NewGame()
	// Settle waits until nothing that runs in the background would slow a search, or ctx ends.
	Settle(ctx context.Context)
	// SetPosition sets up a position ("startpos" or the game's notation) and plays the moves. After an error,
	// which names the token, nothing has changed.
	SetPosition(setup string, moves []string) error
	// Search runs until its limits or ctx end it, and reports meanwhile. It returns
	// a legal move, if there is one, even if ctx has ended before the call.
	Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result
	// Notices returns the messages for the user since the last call. It may be
	// called at any time from any goroutine.
	Notices() []string
	// Room returns how many bytes of memory the session may use for its queue. It may be
	// called at any time from any goroutine.
	Room() uint64
	// Record is called with the lines that are read (input) and the lines that are written, at any time from
	// any goroutine. Its error is reported.
	Record(input bool, lines ...string) error
}
