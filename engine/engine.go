// Package engine joins one game, its search, its table and its options into
// what a front drives.
//
//	Engine ─┬─ options.Set ── declared in options.go, each with what it does
//	        ├─ position ───── the rules with an evaluator: what the search sees
//	        ├─ Searcher ───── alpha-beta, its workers and histories
//	        └─ table ──────── cluster.Table and its work in the background
//
// The table is made at the first search or when Hash is set, never at start: who
// only asks who we are gets the answer at once. Prefaulting and clearing run in
// the background, and whatever replaces, searches or closes the table stops them.
package engine

import (
	"context"
	"fmt"
	"slices"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/options"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// Version is the version of the engine.
const Version = "0.1"

// Engine is a chess engine without a front. Its methods are called one at a time,
// but for Notices. It must be closed.
type Engine struct {
	opts     *options.Set
	searcher *alphabeta.Searcher
	table    store
	pos      *chess.Position
	evals    roster
}

// New returns an engine at the start position.
func New() *Engine {
	e := &Engine{searcher: alphabeta.New()}
	e.opts = options.New(e.declare()...)
	if err := e.SetPosition("startpos", nil); err != nil {
		panic(err) // a start position that the rules refuse
	}
	return e
}

// Name is the engine's name and version.
func (e *Engine) Name() string { return "Trefoil " + Version }

// Author is who wrote it.
func (e *Engine) Author() string { return "the Trefoil authors" }

// Options is the set of options.
func (e *Engine) Options() *options.Set { return e.opts }

// Notices returns, once, what the user should be told of the table. It may be
// called at any time from any goroutine.
func (e *Engine) Notices() []string { return e.table.notices.take() }

// NewGame forgets earlier games. The table is cleared in the background; a
// search waits for that as long as its limits let it.
func (e *Engine) NewGame() {
	e.searcher.NewGame()
	e.table.clear()
}

// Close gives the table back.
func (e *Engine) Close() error { return e.table.close() }

// SetPosition sets up "startpos" or a FEN and plays the moves: all, or nothing
// and an error that names the offending token and its place.
func (e *Engine) SetPosition(setup string, moves []string) error {
	if setup == "startpos" {
		setup = chess.StartFEN
	}
	pos, err := chess.ParseFEN(setup)
	if err != nil {
		return err
	}
	pos.SetChess960(e.opts.Value("UCI_Chess960").Bool)
	for i, text := range moves {
		m, err := pos.ParseMove(text)
		if err != nil {
			return fmt.Errorf("ply %d of %d: %w", i+1, len(moves), err)
		}
		pos.Make(m)
	}
	e.pos = pos
	return nil
}

// Search looks for the best move within the limits, or until ctx ends.
func (e *Engine) Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	limits.SearchMoves = e.searchMoves(limits.SearchMoves, report)
	if err := e.ready(); err != nil {
		report(search.Info{Text: err.Error()})
		return search.Result{Best: e.anyMove()}
	}
	for _, line := range e.Notices() {
		report(search.Info{Text: line})
	}
	e.table.await(ctx, patience(&limits, e.pos.Side()))
	if repeatable(&limits) {
		e.table.settle(ctx)
	}
	settings := alphabeta.Settings{
		MultiPV:      e.opts.Value("MultiPV").Int,
		MoveOverhead: milliseconds(e.opts.Value("Move Overhead").Int),
	}
	if e.opts.Value("UCI_ShowWDL").Bool {
		settings.WDL = expected
	}
	return e.searcher.Search(ctx, e.evals.root(e.pos), limits, settings, report)
}

// ready sees to it that there is a table: of the size of the option, or of the
// smallest if there is no room for that.
func (e *Engine) ready() error {
	if e.table.table != nil {
		return nil
	}
	index := e.index(e.opts.Value("HashIndex"))
	err := e.table.resize(uint64(e.opts.Value("Hash").Int), index, e.searcher.SetTable)
	if err != nil {
		e.table.notices.add(err.Error())
		err = e.table.resize(1, index, e.searcher.SetTable)
	}
	return err
}

// searchMoves returns those of the moves that are legal here, as the search
// writes them; it tells of the others.
func (e *Engine) searchMoves(moves []string, report func(search.Info)) (legal []string) {
	for _, text := range moves {
		m, err := e.pos.ParseMove(text)
		if err != nil {
			report(search.Info{Text: "searchmoves: " + err.Error()})
			continue
		}
		if canonical := e.pos.Text(m); !slices.Contains(legal, canonical) {
			legal = append(legal, canonical)
		}
	}
	if len(moves) > 0 && len(legal) == 0 {
		report(search.Info{Text: "searchmoves: none of them is legal, all moves are searched"})
	}
	return legal
}

// anyMove returns a legal move, "" if there is none.
func (e *Engine) anyMove() string {
	var l game.List
	if e.pos.Moves(game.All, &l); l.Len() == 0 {
		return ""
	}
	return e.pos.Text(l.At(0))
}
