// Package engine joins a game, its search, its table and its options into what a
// front drives.
//
//	Engine ─┬─ options.Set ── declared in options.go, each with what it does
//	        ├─ notices ────── what the user has still to be told
//	        └─ variant ─┬─ chess ───── rules, evaluator, alpha-beta, cluster.Table
//	                    ├─ shogi ───── the same for its rules
//	                    ├─ connect4 ── rules, the exact solver and its table, a book
//	                    └─ ultimate ── rules, proof search, window.Table
//
// UCI_Variant chooses which one is played. The table of a game is made at the first
// search or when Hash is set, never at start: who only asks who we are gets the
// answer at once. Prefaulting and clearing run in the background, and whatever
// replaces, searches or closes the table stops them.
package engine

import (
	"context"

	"trefoil/engine/config"
	"trefoil/engine/table"
	"trefoil/options"
	"trefoil/search"
)

// Version is the version of the engine.
const Version = "0.1"

// Engine plays without a front. Its methods are called one at a time, but for
// Notices. It must be closed.
type Engine struct {
	opts     *config.Options
	variant  *options.Combo[variant]
	notices  table.Notices
	chess    *chessVariant
	shogi    *shogiVariant
	connect4 *connect4Variant
	ultimate *ultimateVariant
	played   variant // one of them
}

// New returns an engine at the start position of chess.
func New() *Engine {
	e := new(Engine)
	e.opts = config.New(config.Uses{Cluster: []string{"chess", "shogi"}, WDL: []string{"chess", "connect4", "ultimate"}})
	e.chess = newChess(e.opts, &e.notices)
	e.shogi = newShogi(e.opts, &e.notices)
	e.connect4 = newConnect4(e.opts, &e.notices)
	e.ultimate = newUltimate(e.opts, &e.notices)
	e.played = e.chess
	e.variant = options.NewCombo(e.opts.Set, options.Decl{UCI: "UCI_Variant", Help: "the game"}, e.variants()...)
	e.connect()
	return e
}

// Name is the engine's name and version.
func (e *Engine) Name() string { return "Trefoil " + Version }

// Author is who wrote it.
func (e *Engine) Author() string { return "the Trefoil authors" }

// Options is the set of options.
func (e *Engine) Options() *options.Set { return e.opts.Set }

// Start begins a dialogue in a protocol: USI speaks of shogi, UCI of chess until UCI_Variant
// says otherwise.
func (e *Engine) Start(p options.Protocol) error {
	if p == options.USI {
		return e.opts.Set.Set(options.UCI, "UCI_Variant", "shogi")
	}
	return nil
}

// Notices returns, once, what the user should be told of the table. It may be
// called at any time from any goroutine.
func (e *Engine) Notices() []string { return e.notices.Take() }

// NewGame forgets earlier games. The table is cleared in the background, but for
// NeverClearHash; a search waits for that as long as its limits let it.
func (e *Engine) NewGame() { e.played.newGame(e.opts.NeverClearHash.Value()) }

// Close gives the table back.
func (e *Engine) Close() error { return e.played.leave() }

// SetPosition sets up "startpos" or a position in the game's notation and plays the
// moves: all, or nothing and an error that names the offending token and its place.
func (e *Engine) SetPosition(setup string, moves []string) error {
	return e.played.setPosition(setup, moves)
}

// Search looks for the best move within the limits, or until ctx ends.
func (e *Engine) Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	return e.played.search(ctx, limits, report)
}

// play changes the game. The one that is left gives its table back and keeps its
// position; the other one goes on from where it was left, with the options as they
// are now.
func (e *Engine) play(next variant) {
	if next == e.played {
		return
	}
	if err := e.played.leave(); err != nil {
		e.notices.Add(table.NotReleased + err.Error())
	}
	e.notices.SetTable("")
	e.played = next
	next.setThreads(e.opts.Threads.Value())
}
