package queue

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Coordinator has a task that consists of jobs. Its methods are called by one goroutine, but for Do.
type Coordinator interface {
	// Result takes the result of a job of this run or of an earlier run of the same task. Results come in any
	// order and may come twice. An error says what is wrong with a result. The result is then ignored, with a
	// warning, and Next may return the job again.
	Result(Result) error
	// Next returns the next job, if there is one that is worth doing now.
	Next() (Request, bool)
	// Do does a job that no worker may do. One job is done at a time.
	Do(ctx context.Context, job Request) (result any, err error)
	// Lost says that a job will have no result; Next may return it again.
	Lost(job Request)
	// Done reports whether the task is done.
	Done() bool
	// Status returns what is known, for Status.Detail and Status.Text.
	Status() (detail any, text string)
}

// Request is a job to be done.
type Request struct {
	ID    string   // unique in the task: letters, digits and -
	About string   // in words, the same for the same work
	Not   []string // workers that must not do it; if there are no others, the coordinator does it
	Judge bool     // the coordinator does it
	Body  any
}

// Result is what a worker has found, or the coordinator itself.
type Result struct {
	ID      string // of the job
	Worker  string
	Verdict bool // the coordinator has found it
	Body    json.RawMessage
}

// Task is what a coordinator works on.
type Task struct {
	Name        string // all that its results depend on; the same name finds the results of earlier runs
	Title       string // in words, for people
	Version     string // see Worker.Version
	Coordinator string // who coordinates it, in words
	Ahead       int    // jobs that wait for each worker; 0 is a few for all of them, where jobs depend on results
	// Report, unless nil, is called with the status every Options.Heartbeat, and at the end.
	Report func(Status)
}

// ErrTakenOver is the error of Coordinate if another coordinator has begun the same task.
var ErrTakenOver = errors.New("another coordinator has taken over")

// Coordinate submits the jobs of a coordinator and passes their results to it, until it is done or ctx ends. The
// results of earlier runs come first. Another coordinator of the same task is stopped (ErrTakenOver).
func (q *Queue) Coordinate(ctx context.Context, task Task, c Coordinator) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{
		Queue: q, task: task, coordinator: c, key: token(task.Name), began: time.Now(),
		members: map[string]member{}, times: map[string]int64{}, warned: map[string]bool{},
		outstanding: map[string]*submitted{}, lost: map[string]int{},
		judged: make(chan judgement),
	}
	r.status = Status{Run: r.key, Task: task.Title, Coordinator: task.Coordinator, Version: task.Version}
	if err := r.begin(ctx); err != nil {
		return err
	}
	defer r.end()
	results, err := r.read(ctx)
	if err != nil {
		return err
	}
	workers, err := r.watchWorkers(ctx)
	if err != nil {
		return err
	}
	defer r.stop(workers)
	defer r.judges.Wait()
	defer cancel()
	return r.loop(ctx, results, workers)
}

// begin takes over the run and removes the jobs that an earlier coordinator has left. Workers that are
// doing such a job go on; their results count.
func (r *run) begin(ctx context.Context) (err error) {
	if err := r.retry(ctx, func(ctx context.Context) (err error) {
		r.revision, err = r.runs.Put(ctx, r.key, r.statusJSON())
		return err
	}); err != nil {
		return r.notStored("status", err)
	}
	if r.consumer, err = r.Queue.consumer(ctx, r.task.Version); err != nil {
		return err
	}
	return r.retry(ctx, func(ctx context.Context) error {
		return r.jobs.Purge(ctx, jetstream.WithPurgeSubject(r.subject(">")))
	})
}

// end removes the jobs that are left and the status.
func (r *run) end() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if r.nc.IsConnected() && r.runs.Delete(ctx, r.key, jetstream.LastRevision(r.revision)) == nil {
		_ = r.jobs.Purge(ctx, jetstream.WithPurgeSubject(r.subject(">")))
	}
}

// loop is the life of a run.
func (r *run) loop(ctx context.Context, results <-chan arrival, workers jetstream.KeyWatcher) error {
	ticker := time.NewTicker(r.options.Heartbeat)
	defer ticker.Stop()
	complete := false // the results that were there have been read
	for {
		if complete {
			if r.coordinator.Done() {
				r.report()
				return nil
			}
			if err := r.submit(ctx); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case a := <-results:
			if a.err != nil {
				return r.cause(ctx, a.err)
			}
			if a.msg != nil {
				r.result(a.msg)
				if meta, err := a.msg.Metadata(); err == nil {
					r.readTo = meta.Sequence.Stream
				}
			}
			complete = complete || a.last
		case j := <-r.judged:
			if err := r.verdict(ctx, j); err != nil {
				return err
			}
		case entry, ok := <-workers.Updates():
			if !ok {
				return r.cause(ctx, nats.ErrConnectionClosed)
			}
			if entry != nil {
				r.sawWorker(entry)
			}
		case <-ticker.C:
			if err := r.heartbeat(ctx, complete); err != nil {
				return err
			}
		}
	}
}

// ahead is how many jobs are submitted at a time: one for each worker, and some that wait so that no worker does.
func (r *run) ahead() int {
	n := len(r.members)
	return n + max(n/4, n*r.task.Ahead) + 1
}

// submit submits jobs until enough are.
func (r *run) submit(ctx context.Context) error {
	for len(r.outstanding) < r.ahead() {
		job, ok := r.coordinator.Next()
		if !ok {
			return nil
		}
		if r.outstanding[job.ID] != nil {
			continue
		}
		s := &submitted{Request: job}
		if r.outstanding[job.ID] = s; job.Judge || !r.othersThan(job.Not) {
			r.judge(ctx, s)
			continue
		}
		body, err := json.Marshal(job.Body)
		if err != nil {
			return err
		}
		err = r.publish(ctx, r.subject(job.ID), rand.Text(), jobMessage{r.task.Version, r.key, job.ID, job.Not, body})
		if api, ok := errors.AsType[*jetstream.APIError](err); ok && api.ErrorCode == codePerSubject {
			err = nil // it is there
		}
		if err != nil {
			return r.notStored("jobs", err)
		}
	}
	return nil
}

// codePerSubject is the error of a stream that has a message of this subject already.
const codePerSubject = 10077

// notStored is the error of a queue that takes no messages.
func (q *Queue) notStored(what string, err error) error {
	return fmt.Errorf("the queue at %s does not store %s (is its disk full?): %w", q.address(), what, err)
}

// othersThan reports whether there is a worker whose name is not in a list. If the list is empty there may
// be one later.
func (r *run) othersThan(names []string) bool {
	for _, m := range r.members {
		if !slices.Contains(names, m.name) {
			return true
		}
	}
	return len(names) == 0
}

// judgement is the result of a job that the coordinator has done.
type judgement struct {
	job    Request
	result any
	err    error
}

// judge lets the coordinator do a job.
func (r *run) judge(ctx context.Context, s *submitted) {
	s.judged = true
	r.judges.Go(func() {
		r.judging.Lock()
		defer r.judging.Unlock()
		result, err := r.coordinator.Do(ctx, s.Request)
		select {
		case r.judged <- judgement{s.Request, result, err}:
		case <-ctx.Done():
		}
	})
}

// verdict stores what the coordinator has found. It comes back as a Result, also in later runs.
func (r *run) verdict(ctx context.Context, j judgement) error {
	if j.err != nil {
		return j.err
	}
	body, err := json.Marshal(j.result)
	if err != nil {
		return err
	}
	err = r.publish(ctx, verdictsSubject+r.key, rand.Text(),
		resultMessage{Job: j.job.ID, Worker: r.task.Coordinator, Body: body})
	if err != nil {
		return r.notStored("results", err)
	}
	return nil
}
