package ultimate

import (
	"context"

	"trefoil/engine/alphabetagame"
	rules "trefoil/game/ultimate"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// estimator is the alpha-beta search, which plays until proof search has decided a position.
type estimator struct {
	searcher   *alphabeta.Searcher
	evaluators *evaluators
}

// newEstimator returns an estimator without a table.
func newEstimator() *estimator {
	return &estimator{searcher: alphabeta.New(), evaluators: alphabetagame.NewEvaluators(own)}
}

// evaluate changes the evaluation, and reports whether it is another one. Then the table has values of the old
// one, which the caller clears.
func (e *estimator) evaluate(by evaluation) bool {
	if by.Name == e.evaluators.Name {
		return false
	}
	e.evaluators = alphabetagame.NewEvaluators(by)
	e.searcher.NewGame()
	return true
}

// workerBytes is how much memory a worker takes.
func (e *estimator) workerBytes() uint64 {
	return alphabeta.WorkerBytes(new(rules.Walker).HistoryDimensions()) + e.evaluators.Bytes()
}

// setThreads changes the number of workers. It frees the memory that fewer workers do not need.
func (e *estimator) setThreads(n int) {
	if e.searcher.Workers() > n {
		e.evaluators = alphabetagame.NewEvaluators(e.evaluators.Evaluation)
	}
	e.searcher.SetThreads(n)
}

// free frees all workers.
func (e *estimator) free() {
	e.searcher.NewGame()
	e.searcher.Free()
	e.evaluators = alphabetagame.NewEvaluators(e.evaluators.Evaluation)
}

// search searches a position for its best lines; again, if the latest search was of the same one.
func (e *estimator) search(ctx context.Context, p rules.Position, limits search.Limits, lines int, again bool,
	report func(search.Info)) search.Result {
	settings := alphabeta.Settings{MultiPV: lines, Resume: again}
	return e.searcher.Search(ctx, root(p, e.evaluators), limits, settings, report)
}
