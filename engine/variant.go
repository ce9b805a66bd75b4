package engine

import (
	"context"

	"trefoil/search"
)

// variant is one game with its search and its table: what an Engine hands its work
// to. One of them is played; the others keep their position and nothing else.
//
// A table is made at the first search or by resize, and given back by leave. clear
// and whatever touches new memory run in the background; the methods below stop
// that or wait for it where they have to.
type variant interface {
	// setPosition is protocol.Engine.SetPosition for this game's notation.
	setPosition(setup string, moves []string) error
	// search answers within the limits, or as soon as ctx ends.
	search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result
	// newGame forgets earlier games; a table is cleared in the background, unless it is
	// to be kept.
	newGame(keep bool)
	// resize replaces the table. If that fails the old one stays.
	resize(mib uint64) error
	// clear empties the table in the background.
	clear()
	// setThreads changes how many workers search.
	setThreads(n int)
	// leave gives the table back and forgets everything but the position.
	leave() error

	// draw prints the position.
	draw(print func(string))
	// explain prints the static evaluation.
	explain(print func(string)) error
	// perft prints the leaves below every move, and their sum on the last line.
	perft(ctx context.Context, depth int, print func(string)) error
	// tableLine tells about the table and how full it is.
	tableLine() string
	// plan prints what a table of that size would be.
	plan(mib uint64, print func(string)) error
}
