package selfplay

import (
	"context"
	"fmt"
)

// InOrder calls work(i) for i = first, first+1, … on several workers, each with a Player and a
// table of mib MiB of its own, and calls take with the results in the order of i, so that they do
// not depend on timing. It ends when take returns false, with the first error, or when ctx ends.
func InOrder[T any](ctx context.Context, first, workers int, mib uint64,
	work func(ctx context.Context, p *Player, i int) (T, error), take func(i int, result T) (more bool, err error)) error {
	type outcome struct {
		result T
		err    error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// Each worker has a channel of its own and does every workers-th game, so receiving from the
	// channels in turn gives the results in order.
	results := make([]chan outcome, workers)
	run := func(k int) {
		defer close(results[k])
		p, err := New(mib)
		if err != nil {
			results[k] <- outcome{err: err}
			return
		}
		defer p.Close()
		for i := first + k; ctx.Err() == nil; i += workers {
			var o outcome
			if o.err = p.NewGame(ctx); o.err == nil {
				o.result, o.err = work(ctx, p, i)
			}
			select {
			case results[k] <- o:
			case <-ctx.Done():
			}
		}
	}
	for k := range results {
		results[k] = make(chan outcome, 4)
		go run(k)
	}
	for i := first; ; i++ {
		o, ok := <-results[(i-first)%workers]
		if err := ctx.Err(); err != nil || !ok {
			return err
		}
		if o.err != nil {
			return fmt.Errorf("game %d: %w", i, o.err)
		}
		if more, err := take(i, o.result); err != nil || !more {
			return err
		}
	}
}
