// Package jobs is what the subcommands that spread work over machines share: the kinds of jobs, their
// version, the worker that does them, and the flags by which a queue is reached.
package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobproof/games"
	"trefoil/cmd/trefoil-queue/internal/queue"
)

// Body is a job of one kind: one field is set.
type Body struct {
	Proof *jobproof.Job `json:"proof,omitempty"`
	Score *Score        `json:"score,omitempty"`
}

// Version is the version of the jobs of all kinds. It follows from what these mean, not from the build.
var Version = sync.OnceValue(func() string {
	h := fnv.New64a()
	fmt.Fprintln(h, queue.Protocol)
	fmt.Fprintln(h, ScoreVersion())
	for _, g := range games.All() {
		fmt.Fprintln(h, jobproof.Version(g))
	}
	return fmt.Sprintf("jobs %016x", h.Sum64())
})

// Task returns a task. Its results depend on the title and on the version of its kind of jobs alone, so a
// build with other jobs of another kind finds them too.
func Task(kind, title string) queue.Task {
	return queue.Task{
		Name: queue.Protocol + "\n" + kind + "\n" + title, Title: title, Version: Version(), Coordinator: ProcessName(),
	}
}

// EachMinute returns a function for queue.Task.Report that prints the status once a minute.
func EachMinute(warn func(format string, args ...any)) func(queue.Status) {
	reports := 0
	return func(s queue.Status) {
		if reports++; reports%int(time.Minute/queue.HeartbeatInterval) == 0 {
			warn("%s", s.Line())
		}
	}
}

// WarnOfLiars names workers that have sent false results.
func WarnOfLiars(warn func(format string, args ...any), names []string) {
	warn("these workers have sent false results, and all their results are dropped: %q", names)
}

// Worker does jobs of all kinds, one at a time. It has one table, for the last kind.
type Worker struct {
	name    string
	threads int
	hash    uint64 // MiB
	proofs  *jobproof.Worker
	scores  *scorer
}

// NewWorker returns a worker. Its name stands in its results; for Work it is the name of an identity. The
// caller closes it.
func NewWorker(name string, threads int, hash uint64) *Worker {
	return &Worker{name: name, threads: threads, hash: hash}
}

// Close frees the table.
func (w *Worker) Close() (err error) {
	if w.proofs != nil {
		err = w.proofs.Close()
	}
	if w.scores != nil {
		err = errors.Join(err, w.scores.Close())
	}
	w.proofs, w.scores = nil, nil
	return err
}

// Work does the jobs of a queue until ctx ends. The identity has the name of the worker.
func (w *Worker) Work(ctx context.Context, q *queue.Queue, as *queue.Identity) error {
	return q.Work(ctx, queue.Worker{Identity: as, Version: Version()},
		func(ctx context.Context, j queue.Job) (any, error) {
			var b Body
			if err := json.Unmarshal(j.Body, &b); err != nil {
				return nil, err
			}
			return w.Do(ctx, b)
		})
}

// Do does a job: the result is a jobproof.Result or a Scored.
func (w *Worker) Do(ctx context.Context, b Body) (any, error) {
	switch {
	case b.Proof != nil && b.Score == nil:
		p, err := w.Prover()
		if err != nil {
			return nil, err
		}
		return p.Run(ctx, *b.Proof)
	case b.Score != nil && b.Proof == nil:
		return w.score(ctx, *b.Score)
	}
	return nil, errors.New("it is not one job of a known kind")
}

// Prover returns the worker for proofs. It is of use until the next job of another kind.
func (w *Worker) Prover() (*jobproof.Worker, error) {
	if w.proofs == nil {
		if err := w.Close(); err != nil {
			return nil, err
		}
		p, err := jobproof.NewWorker(jobproof.WorkerOptions{Name: w.name, Hash: w.hash, Threads: w.threads},
			games.All()...)
		if err != nil {
			return nil, &queue.Unable{Err: err} // there is no memory for the table
		}
		w.proofs = p
	}
	return w.proofs, nil
}
