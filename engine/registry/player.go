package registry

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/table"
	"trefoil/internal/container"
	"trefoil/internal/mem"
	"trefoil/remainder"
	"trefoil/search"
	"trefoil/ttanalysis/observe"
	"trefoil/window"
)

// Env is what an engine gives to its players.
type Env struct {
	Options *config.Options // those that the games share; a game declares its own in Options.Set
	Notices *table.Notices
	Memory  *memory.Budget
}

// request returns what the options ask for, but with the actual size of the table, if there is one.
func (e *Env) request(u memory.Use) memory.Request {
	r := e.Options.Request()
	if u.Table > 0 {
		r.Hash = u.Table
	}
	return r
}

// Keep tells the budget how much memory h takes with the present options.
func (e *Env) Keep(h Hasher) {
	u := h.Use()
	e.Memory.Keep(e.request(u), u)
}

// Fit accepts another value of an option for h, or returns an error with the numbers. The value is a field of
// memory.Request. If it does not fit, h frees the memory that it can spare, and Fit tries again.
func (e *Env) Fit(h Hasher, option string, value uint64) error {
	u := h.Use()
	r := e.request(u)
	r.Set(option, value)
	err := e.Memory.Fit(r, u)
	if s, ok := h.(Sparer); ok && err != nil && s.Spare() {
		err = e.Memory.Fit(r, u)
	}
	return err
}

// FirstSize returns the size of the first table of h: as Hash says or, if such a table does not fit, the largest that
// does. Then the error says why.
func (e *Env) FirstSize(h Hasher) (memory.Size, error) {
	r := e.Options.Request()
	size := memory.Whole(r.Hash)
	err := e.Fit(h, memory.Hash, r.Hash)
	if refusal, ok := errors.AsType[*memory.Refusal](err); ok {
		size = size.AtMost(refusal.Largest)
		r.Hash = size.Bytes
		e.Memory.Keep(r, h.Use())
	}
	return size, err
}

// FitThreads returns how many of the threads that the options ask for fit beside the smallest table of h, but at least
// one. If they are fewer, the error says why.
func (e *Env) FitThreads(h Hasher) (int, error) {
	u := h.Use()
	r := e.request(u)
	asked := r.Threads
	r.Hash, r.Threads = mem.Smallest, 1
	e.Memory.Keep(r, u)
	defer e.Keep(h)
	r.Set(memory.Threads, asked)
	err := e.Memory.Fit(r, u)
	if refusal, ok := errors.AsType[*memory.Refusal](err); ok {
		return max(int(refusal.Largest), 1), err
	}
	return int(asked), nil
}

// A Player plays one game: it has a position and searches it. An engine has a player of each game and uses
// one at a time. Methods are called one at a time. Abilities of only some players are in the interfaces
// below.
type Player interface {
	// SetPosition sets up "startpos" or a position in the game's notation and plays the moves:
	// all, or nothing and an error that names the token.
	SetPosition(setup string, moves []string) error
	// Search searches within the limits, or until ctx ends. It returns a legal move, if there is
	// one.
	Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result
	// Draw prints the position.
	Draw(print func(string))
	// Perft returns a count of the game tree of the position; its Moves are the legal moves.
	Perft(depth int) *Perft
}

// Hasher is a player with a table, which the first search, Settle or Resize makes.
type Hasher interface {
	// Resize replaces the table by one of that many bytes. After an error the old one stays. If the table
	// is shared, ctx bounds the wait for other processes, as in Share.
	Resize(ctx context.Context, bytes uint64) error
	// Repage replaces the table, if there is one, by one on pages of another kind. After an error the
	// old one stays.
	Repage(pages mem.Pages) error
	// Clear empties the table, if there is one, in the background.
	Clear()
	// NewGame prepares for another game; unless keep is set, it clears the table.
	NewGame(keep bool)
	// Settle waits until there is a table, and all its memory is cleared, filled and touched, or ctx ends.
	Settle(ctx context.Context)
	// SetThreads changes the number of threads. A player without a table asks Options.Threads at each search.
	SetThreads(n int)
	Viewer
	// Close frees all memory and discards everything but the position. The player can be used
	// again.
	Close() error
	// TableLine describes the table and how full it is.
	TableLine() string
	// Use returns the memory that the game has.
	Use() memory.Use
	// Plan prints what a table of a size would be.
	Plan(mib uint64, print func(string)) error
}

// Sparer is a Hasher that can free memory which it makes anew when that is needed.
type Sparer interface {
	// Spare frees such memory and reports whether there was any.
	Spare() bool
}

// Evaluator is a player with a static evaluation.
type Evaluator interface {
	// Explain prints the static evaluation term by term.
	Explain(print func(string)) error
}

// Writer is a player that can write its position.
type Writer interface {
	// Setup is the position in the game's notation.
	Setup() string
}

// Flipper is a player that can exchange the colours of its position.
type Flipper interface {
	// Flip exchanges the colours of the position.
	Flip()
}

// ClusterHasher is a Hasher whose searches use one cluster.Table, which has all options of such a table.
type ClusterHasher interface {
	Hasher
	// Reshape changes the index and the key bits of the table, if there is one.
	Reshape(index cluster.Index, keyBits int) error
	// Inspect prints details of the table.
	Inspect(ctx context.Context, print func(string)) error
	// Count has the searches that begin from now on counted, in a sample of the table, for Live.
	Count(on bool)
	// Live returns what is known of the search that runs, or of the last one; ok is false if it is not observed.
	// It may be called at any time from any goroutine.
	Live() (l observe.Live, ok bool)
	// Share replaces the table by the shared table with that name, or by a table of its own if the name is
	// empty. After an error the old table stays.
	Share(ctx context.Context, name string) error
	// Save writes the table to a file or a stream, Load replaces the table by what one has. After an error the old file
	// or the old table is unchanged, except as cluster.Table.Load says. progress is called with bytes.
	Save(ctx context.Context, out container.Output, progress func(done, total uint64)) (cluster.Header, error)
	Load(ctx context.Context, in container.Input, progress func(done, total uint64)) (cluster.Header, error)
}

// Viewer is a player into whose tables one can look while a search uses them.
type Viewer interface {
	// Look calls f with the tables that there are now. They are not closed before f returns, which must not take long.
	// It may be called at any time from any goroutine.
	Look(f func(Tables))
}

// Tables are the tables of a game. A table that the game does not have is nil.
type Tables struct {
	Cluster *cluster.Table // of alpha-beta
	Window  *window.Table  // of proof search
	Exact   ExactTable     // of a solver whose keys are positions
}

// ExactTable is a remainder.Table, and what reads its entries.
type ExactTable interface {
	Table() *remainder.Table
	// Position draws the board of a key, from the top row on: 0 and 1 are stones of the two sides, a dot is an empty
	// cell. It also returns the side to move.
	Position(key remainder.Key) (rows []string, side int)
	// Bounds reads from the value of an entry the bounds of the score for that side, and the binary logarithm of the
	// nodes that were searched below it.
	Bounds(value uint64) (lower, upper, work int)
	// Fields are the bit fields of the word of an entry.
	Fields() []mem.Field
}

// NoneLegal is reported when `go searchmoves` has no legal move.
const NoneLegal = "searchmoves: none is legal; all moves are searched"

// PlayMoves calls play for each move until one fails; its error says which.
func PlayMoves(moves []string, play func(move string) error) error {
	for i, move := range moves {
		if err := play(move); err != nil {
			return fmt.Errorf("ply %d of %d: %w", i+1, len(moves), err)
		}
	}
	return nil
}

// PrintLines prints a text line by line.
func PrintLines(text string, print func(string)) {
	for line := range strings.Lines(text) {
		print(strings.TrimRight(line, "\n"))
	}
}
