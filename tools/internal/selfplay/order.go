package selfplay

import (
	"context"
	"fmt"
)

// InOrder calls work(i) for i = first, first+1, … in that many workers, each
// with a Player of its own with a table of mib MiB, and hands the results to
// take in the order of i, so that they depend on no timing. It ends when take
// returns false, with the first error, or with that of ctx.
func InOrder[T any](ctx context.Context, first, workers int, mib uint64,
	work func(ctx context.Context, p *Player, i int) (T, error), take func(i int, result T) (more bool, err error)) error {
	type outcome struct {
		result T
		err    error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The i-th result comes from worker i mod workers through a lane of its own:
	// to take from the lanes in turn is to take in order.
	lanes := make([]chan outcome, workers)
	run := func(k int) {
		defer close(lanes[k])
		p, err := New(mib)
		if err != nil {
			lanes[k] <- outcome{err: err}
			return
		}
		defer p.Close()
		for i := first + k; ctx.Err() == nil; i += workers {
			var o outcome
			if o.err = p.NewGame(ctx); o.err == nil {
				o.result, o.err = work(ctx, p, i)
			}
			select {
			case lanes[k] <- o:
			case <-ctx.Done():
			}
		}
	}
	for k := range lanes {
		lanes[k] = make(chan outcome, 4)
		go run(k)
	}
	for i := first; ; i++ {
		o, ok := <-lanes[(i-first)%workers]
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
