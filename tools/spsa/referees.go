package main

import (
	"context"
	"fmt"
	"sync"
)

// referees play the games of an iteration, each one at a time.
type referees []*referee

func newReferees(n int) (all referees, err error) {
	for range n {
		r, err := newReferee()
		if err != nil {
			all.close()
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

func (all referees) close() {
	for _, r := range all {
		_ = r.close()
	}
}

// play plays games and returns the half points of plus, in their order.
func (all referees) play(ctx context.Context, jobs []job) ([]int, error) {
	halves := make([]int, len(jobs))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var playing sync.WaitGroup
	for _, r := range all {
		playing.Go(func() {
			for i := range next {
				var err error
				if halves[i], err = r.play(ctx, jobs[i]); err != nil {
					cancel(fmt.Errorf("game %d: %w", jobs[i].Number, err)) // the other games are of no use
				}
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	playing.Wait()
	return halves, context.Cause(ctx)
}
