package ultimate

import (
	"context"
	"errors"
	"fmt"

	"trefoil/cluster"
	"trefoil/engine/alphabetagame"
	"trefoil/engine/config"
	"trefoil/engine/table"
	rules "trefoil/game/ultimate"
	"trefoil/internal/mem"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/search/clock"
)

// estimator is the alpha-beta search, which plays until proof search has decided a position. It has a
// table of its own, beside that of proof search.
type estimator struct {
	options    *config.Options
	searcher   *alphabeta.Searcher
	evaluators *evaluators
	table      *table.Cluster // none: it could not be made
}

// newEstimator returns an estimator without a table. Its table is touched after the hash.
func newEstimator(options *config.Options, hash *table.Window) *estimator {
	e := &estimator{
		options: options, searcher: alphabeta.New(), evaluators: alphabetagame.NewEvaluators(own),
		table: table.NewCluster(new(table.Notices)),
	}
	e.table.TouchAfter(hash.Touched)
	return e
}

// tablePart is the part of Hash that the table of alpha-beta has in addition: one in that many MiB.
const tablePart = 2

// resize makes or replaces the table beside a hash of that many MiB. Without one, proof search plays alone.
func (e *estimator) resize(mib uint64, pages mem.Pages) error {
	spec := table.Spec{MiB: max(mib/tablePart, 1), KeyBits: cluster.MaxKeyBits, Pages: pages}
	err := e.table.Resize(spec, e.searcher.SetTable)
	e.table.Notices().Take() // only what the hash is reports itself
	if err != nil {
		err = errors.Join(fmt.Errorf("no table for alpha-beta beside the hash: %w", err), e.table.Close())
	}
	return err
}

// prepare waits until a search can use the table.
func (e *estimator) prepare(ctx context.Context, limits *search.Limits, side int) {
	if !e.works() {
		return
	}
	e.searcher.SetThreads(e.options.Threads.Value())
	e.table.AwaitReady(ctx, clock.ClearTimeout(limits, side))
	if limits.Repeatable() {
		e.table.AwaitTouched(ctx)
	}
}

// clear forgets the values of all positions; newGame those that are no longer true of the table alone.
func (e *estimator) clear() { e.table.Clear() }

func (e *estimator) newGame() { e.searcher.NewGame() }

// evaluate changes the evaluation. The table and the histories have values of the old one.
func (e *estimator) evaluate(by evaluation) {
	if by.Name != e.evaluators.Name {
		e.evaluators = alphabetagame.NewEvaluators(by)
		e.newGame()
		e.clear()
	}
}

// close frees the table.
func (e *estimator) close() error {
	e.searcher.NewGame()
	return e.table.Close()
}

// works reports whether there is a table to search with.
func (e *estimator) works() bool { return !e.table.Empty() }

// search searches a position for its best lines; again, if the latest search was of the same one.
func (e *estimator) search(ctx context.Context, p rules.Position, limits search.Limits, lines int, again bool, report func(search.Info)) search.Result {
	settings := alphabeta.Settings{MultiPV: lines, Resume: again}
	return e.searcher.Search(ctx, root(p, e.evaluators), limits, settings, report)
}
