package jobproof

import (
	"context"
	"slices"
	"sync"
)

// Run proves the position of a tree with workers in this process, each in its own goroutine. own is the
// coordinator's worker, for what no other may search: it judges, and confirms what all others have solved
// already. Run returns the value of the position, or an error if a job fails or the context ends. The
// workers have different names.
func (t *Tree) Run(ctx context.Context, own *Worker, workers ...*Worker) (value string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l := local{tree: t, own: own, workers: workers}
	l.changed.L = &l.mutex
	defer context.AfterFunc(ctx, l.wake)()
	var group sync.WaitGroup
	for _, w := range slices.Concat(workers, []*Worker{own}) {
		group.Go(func() {
			if err := l.work(ctx, w); err != nil {
				cancel(err)
			}
		})
	}
	group.Wait()
	if value, done := t.Done(); done {
		return value, nil
	}
	return "", context.Cause(ctx)
}

// local is the state of Tree.Run.
type local struct {
	mutex   sync.Mutex // of all fields
	changed sync.Cond  // a result has been taken over, or the context is done
	tree    *Tree
	own     *Worker
	workers []*Worker
	pool    []Job // given by the tree, and not yet taken
}

func (l *local) wake() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.changed.Broadcast()
}

// work searches jobs until the value is known.
func (l *local) work(ctx context.Context, w *Worker) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	defer l.changed.Broadcast()
	for {
		if _, done := l.tree.Done(); done || ctx.Err() != nil {
			return nil
		}
		job, ok := l.take(w)
		if !ok {
			l.changed.Wait()
			continue
		}
		l.mutex.Unlock()
		r, err := w.Run(ctx, job)
		l.mutex.Lock()
		if err == nil {
			err = l.tree.apply(r, w == l.own)
		}
		if err != nil {
			return err
		}
		l.changed.Broadcast()
	}
}

// take returns a job for a worker. The coordinator's own takes only what the others leave, so as not to
// draw jobs from the tree before they are wanted.
func (l *local) take(w *Worker) (Job, bool) {
	for i, job := range l.pool {
		if l.suits(w, &job) {
			l.pool = slices.Delete(l.pool, i, i+1)
			return job, true
		}
	}
	for w != l.own {
		job, ok := l.tree.Next()
		if !ok || l.suits(w, &job) {
			return job, ok
		}
		l.pool = append(l.pool, job)
		l.changed.Broadcast()
	}
	return Job{}, false
}

// suits reports whether a worker may do a job.
func (l *local) suits(w *Worker, job *Job) bool {
	forOthers := job.Purpose != Judge && slices.ContainsFunc(l.workers, func(w *Worker) bool {
		return !slices.Contains(job.Not, w.options.Name)
	})
	if w == l.own {
		return !forOthers
	}
	return forOthers && !slices.Contains(job.Not, w.options.Name)
}
