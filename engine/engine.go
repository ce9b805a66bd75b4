// Package engine is what a protocol drives: games with their searches and tables, and options.
//
//	Engine ─┬─ config.Options ── the options that games share
//	        ├─ table.Notices ─── messages to the user
//	        └─ a registry.Player for each game of the registry (games.go)
//
// UCI_Variant chooses the current player. The table of a game is made at the first search, by Settle or
// when Hash is set, so the engine identifies itself at once. Clearing and touching of memory
// run in the background; whatever replaces, searches or closes the table stops them.
package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"

	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/registry"
	"trefoil/engine/table"
	"trefoil/internal/debuglog"
	"trefoil/internal/version"
	"trefoil/options"
	"trefoil/search"
)

// Engine implements protocol.Engine. Its methods are called one at a time, except Notices, Room and
// Record. It must be closed.
type Engine struct {
	options *config.Options
	notices table.Notices
	memory  memory.Budget
	env     registry.Env // of those three, for the players
	log     debuglog.Log
	players []*gamePlayer
	streams []*os.File // of the dialogue
	current *gamePlayer
	machine func() Machine // nil once the defaults of USI have been chosen
}

// gamePlayer is a game and its player.
type gamePlayer struct {
	game   *registry.Game
	player registry.Player
}

// setThreads changes the number of threads of a registry.Hasher.
func (s *gamePlayer) setThreads(n int) {
	if h, ok := s.player.(registry.Hasher); ok {
		h.SetThreads(n)
	}
}

// close frees the memory of the player, which keeps its position.
func (s *gamePlayer) close() error {
	if h, ok := s.player.(registry.Hasher); ok {
		return h.Close()
	}
	return nil
}

// New returns an engine with all games, at the start position of the first one.
func New() *Engine { return NewWith(Games()) }

// NewWith is New with the games of a registry.
func NewWith(games *registry.Registry) *Engine {
	e := &Engine{machine: thisMachine}
	e.options = config.New(config.Uses{AlphaBeta: games.Names(registry.PlayedByAlphaBeta),
		WDL: games.Names(registry.ReportsWDL)})
	e.env = registry.Env{Options: e.options, Notices: &e.notices, Memory: &e.memory}
	for _, g := range games.Games() {
		player := g.New(e.env)
		e.players = append(e.players, &gamePlayer{game: g, player: player})
	}
	e.current = e.players[0]
	e.keep()
	e.declareVariant()
	e.connectOptions()
	declareParameters(e.options.Set)
	return e
}

// keep tells the budget what the current game takes, and how much of it is mapped by now.
func (e *Engine) keep() {
	if h, ok := e.current.player.(registry.Hasher); ok {
		e.env.Keep(h)
	}
}

// keepThreads gives the current game, which has just been chosen, the threads of the options. Its workers may be larger
// than those of the game before: if not all fit, the option gets the number that does.
func (e *Engine) keepThreads() {
	n := e.options.Threads.Value()
	if h, ok := e.current.player.(registry.Hasher); ok {
		most, err := e.env.FitThreads(h)
		if err != nil && most < n {
			e.notices.Add(fmt.Sprintf("%s: %v; Threads is %d now", e.current.game.Name, err, most))
			_ = e.options.Set.Set(context.Background(), options.UCI, memory.Threads, strconv.Itoa(most)) // fewer fit
			return
		}
	}
	e.current.setThreads(n)
}

// Name is the name and version of the engine, without the commit, so that every build has the same.
func (e *Engine) Name() string { return "Trefoil " + version.Short() }

// Author returns the author of the engine.
func (e *Engine) Author() string { return "the Trefoil authors" }

// Options is the set of options.
func (e *Engine) Options() *options.Set { return e.options.Set }

// Start begins a dialogue in a protocol: if the current game does not speak it, the first game
// that does is chosen. The first Start in USI chooses the defaults of Threads and USI_Hash for the machine.
func (e *Engine) Start(p options.Protocol) (err error) {
	speaks := func(s *gamePlayer) bool { return slices.Contains(s.game.Protocols, p) }
	if i := slices.IndexFunc(e.players, speaks); i >= 0 && !speaks(e.current) {
		err = e.options.Set.Set(context.Background(), options.UCI, "UCI_Variant", e.players[i].game.Name)
	}
	if p == options.USI {
		e.adapt()
	}
	return err
}

// Notices returns the messages to the user since the last call. It may be
// called at any time from any goroutine.
func (e *Engine) Notices() []string { return e.notices.Take() }

// Game names the current game.
func (e *Engine) Game() string { return e.current.game.Name }

// Room returns how much memory is left beside what the options take. It may be called at any time from any
// goroutine.
func (e *Engine) Room() uint64 { return e.memory.Room() }

// Viewer returns the viewer of the table of the current game, nil if it has none.
func (e *Engine) Viewer() registry.Viewer {
	v, _ := e.current.player.(registry.Viewer)
	return v
}

// namesOf are the names of the games whose player is a T.
func namesOf[T any](e *Engine) []string {
	return e.names(func(s *gamePlayer) bool { _, ok := s.player.(T); return ok })
}

// names returns the names of the games for which a condition holds.
func (e *Engine) names(holds func(*gamePlayer) bool) (names []string) {
	for _, s := range e.players {
		if holds(s) {
			names = append(names, s.game.Name)
		}
	}
	return names
}

// NewGame prepares for another game. The table is cleared in the background, unless
// NeverClearHash is set; Settle waits for that, and a search does as far as its limits permit.
func (e *Engine) NewGame() {
	if h, ok := e.current.player.(registry.Hasher); ok {
		h.NewGame(e.options.NeverClearHash.Value())
	}
}

// Settle waits until there is a table that is cleared, filled and touched, or ctx ends.
func (e *Engine) Settle(ctx context.Context) {
	if h, ok := e.current.player.(registry.Hasher); ok {
		h.Settle(ctx)
		e.keep() // as in Search
	}
}

// Record appends lines to the debug log, if there is one. It may be called at any time from any
// goroutine.
func (e *Engine) Record(input bool, lines ...string) error { return e.log.Record(input, lines...) }

// Close frees the table and closes the debug log.
func (e *Engine) Close() error { return errors.Join(e.current.close(), e.log.Open("")) }

// SetPosition is registry.Player.SetPosition of the current game.
func (e *Engine) SetPosition(setup string, moves []string) error {
	return e.current.player.SetPosition(setup, moves)
}

// Search searches for the best move within the limits, or until ctx ends.
func (e *Engine) Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	r := e.current.player.Search(ctx, limits, report)
	e.keep() // it may have made the table and workers
	return r
}

// choose changes the game. The player of the previous one frees its table and keeps its position;
// the other one resumes at its own, with the options as they are now.
func (e *Engine) choose(next *gamePlayer) {
	if next == e.current {
		return
	}
	if err := e.current.close(); err != nil {
		e.notices.Add(table.NotReleased + err.Error())
	}
	e.notices.SetTable("")
	e.current = next
	debug.FreeOSMemory()
	e.keepThreads()
	if _, ok := next.player.(registry.ClusterHasher); !ok && e.options.HashShared.Value() != "" {
		e.notices.Add(e.notShared().Error())
	}
}
