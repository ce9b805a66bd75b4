package queue

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	weak "math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Worker says who does jobs.
type Worker struct {
	Identity *Identity
	Version  string // of all its kinds of jobs, with Protocol; it takes no jobs of another version
}

// Job is what a worker gets to do.
type Job struct {
	Run  string
	ID   string // unique in its run
	Body json.RawMessage
}

// Do does a job. An error says that the job cannot be done by anyone of this version, unless ctx has ended
// or it is Unable.
type Do func(ctx context.Context, job Job) (result any, err error)

// Unable is an error of Do that says something about the worker, not about the job. It ends Work, and
// another worker gets the job.
type Unable struct{ Err error }

func (u *Unable) Error() string { return u.Err.Error() }
func (u *Unable) Unwrap() error { return u.Err }

const (
	pullWait      = 10 * time.Second // for a job
	pullHeartbeat = 2 * time.Second
)

// Work does jobs one at a time until ctx ends, which is no error. A job that is under way then goes to another worker.
func (q *Queue) Work(ctx context.Context, w Worker, do Do) error {
	work := &work{Queue: q, worker: w, do: do}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var beside sync.WaitGroup
	beside.Go(func() { work.heartbeat(ctx) })
	beside.Go(func() { work.watchRuns(ctx, cancel) })
	err := work.run(ctx)
	cancel(nil)
	beside.Wait()
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// work is a call of Work.
type work struct {
	*Queue
	worker Worker
	do     Do
	done   atomic.Uint64
	info   func(context.Context) (*jetstream.ConsumerInfo, error) // of the consumer
}

// run takes jobs.
func (w *work) run(ctx context.Context) error {
	var consumer jetstream.Consumer
	for ctx.Err() == nil {
		if consumer == nil {
			var err error
			if consumer, err = w.consumer(ctx, w.worker.Version); err != nil {
				return err
			}
			w.info = consumer.Info
		}
		// The server is asked again when its heartbeats stop, as they do when it has started again.
		next, cancel := context.WithTimeout(ctx, pullWait)
		msg, err := consumer.Next(jetstream.FetchContext(next), jetstream.FetchHeartbeat(pullHeartbeat))
		cancel()
		switch {
		case err == nil:
			if err := w.message(ctx, msg); err != nil {
				return err
			}
		case ctx.Err() != nil:
		case w.nc.IsClosed():
			return w.cause(ctx, err)
		case errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded): // there is no job
		default:
			consumer = nil // it may not exist any more
			pause(ctx, 200*time.Millisecond)
		}
	}
	return nil
}

// message does the job of a message.
func (w *work) message(ctx context.Context, msg jetstream.Msg) error {
	m, err := parse[jobMessage](msg.Data())
	if err == nil && m.Version != w.worker.Version {
		err = fmt.Errorf("its version is %s", short(m.Version))
	}
	if err == nil && msg.Subject() != jobSubject(m.Version, m.Run, m.Job) {
		err = fmt.Errorf("it is not the job of its subject")
	}
	if err != nil {
		w.options.Warn("a message among the jobs is refused: %v", err)
		return w.settle(ctx, msg.Term)
	}
	if slices.Contains(m.Not, w.worker.Identity.Name()) {
		return w.settle(ctx, func() error { return msg.NakWithDelay(backOff(msg)) }) // another worker is to take it
	}
	stop := w.keep(msg)
	defer stop()
	result, err := w.do(ctx, Job{m.Run, m.Job, m.Body})
	_, unable := errors.AsType[*Unable](err)
	switch {
	case ctx.Err() != nil, unable:
		stop()
		_ = msg.Nak()
		_ = w.nc.FlushTimeout(time.Second)
		if ctx.Err() != nil {
			return nil
		}
		return err
	case err != nil:
		w.options.Warn("a job is refused: %v", err)
		return w.settle(ctx, msg.Term)
	}
	if err := w.deliver(ctx, msg, m, result); err != nil {
		return err
	}
	w.done.Add(1)
	return nil
}

// backOff is how long a job waits after a worker that must not do it: longer each time, and at random, lest
// two workers get each other's job again and again.
func backOff(msg jetstream.Msg) time.Duration {
	const least, doubled = 20 * time.Millisecond, 5
	times := uint64(1)
	if meta, err := msg.Metadata(); err == nil {
		times = meta.NumDelivered
	}
	return 1 + weak.N(least<<min(times, doubled))
}

// keep tells the server until stop is called that the job is being worked on, the first time as early as any
// AckWait demands.
func (w *work) keep(msg jetstream.Msg) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	info := w.info
	go func() {
		for wait := MinAckWait / 3; ; wait = w.keepInterval(ctx, info) {
			if pause(ctx, wait); ctx.Err() != nil {
				return
			}
			_ = msg.InProgress() // if it does not arrive, another worker will get the job
		}
	}()
	return cancel
}

// keepInterval is how long the server need not be told that a job is being worked on. It asks each time, as a
// coordinator may have made AckWait shorter. NATS itself accepts a nanosecond.
func (w *work) keepInterval(ctx context.Context,
	info func(context.Context) (*jetstream.ConsumerInfo, error)) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	wait := AckWait
	if c, err := info(ctx); err == nil {
		wait = c.Config.AckWait
	}
	return max(min(wait/3, w.options.Heartbeat), MinAckWait/3)
}

// deliver stores a result, and then acknowledges the job.
func (w *work) deliver(ctx context.Context, msg jetstream.Msg, m jobMessage, result any) error {
	body, err := json.Marshal(result)
	if err != nil {
		return err
	}
	r := resultMessage{Job: m.Job, Worker: w.worker.Identity.Name(), Body: body}
	r.signature = w.worker.Identity.sign(signedResult(m.Run, &r))
	id := rand.Text() // others know the id of the job, and could send something else under it
	for warned := false; ; warned = true {
		err := w.publish(ctx, resultsSubject+m.Run, id, r)
		if err == nil {
			break
		}
		api, ok := errors.AsType[*jetstream.APIError](err)
		if ctx.Err() != nil || !ok || api.Code != 503 {
			return named(err, "a result was not stored")
		}
		if !warned {
			w.options.Warn("%v; trying again", w.notStored("results", err))
		}
		pause(ctx, time.Second)
	}
	return w.settle(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		return msg.DoubleAck(ctx)
	})
}

// settle sends an answer to the server. If it does not arrive, the job will be done again.
func (w *work) settle(ctx context.Context, send func() error) error {
	if err := send(); err != nil && ctx.Err() == nil && !passing(err) && !errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
		w.options.Warn("a job was not acknowledged and will be done again: %v", err)
	}
	return nil
}

// publish stores a message. A second one with the same id within the window of the stream is dropped.
func (q *Queue) publish(ctx context.Context, subject, id string, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return q.retry(ctx, func(ctx context.Context) error {
		_, err := q.js.Publish(ctx, subject, data, jetstream.WithMsgID(id))
		return err
	})
}

// heartbeat keeps the worker in its bucket.
func (w *work) heartbeat(ctx context.Context) {
	var last int64
	put := func(ctx context.Context, wait time.Duration, ended bool) {
		ctx, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		last = max(last+1, time.Now().UnixMilli())
		s := WorkerStatus{
			Worker: w.worker.Identity.Name(), Version: w.worker.Version, Done: w.done.Load(), Time: last, Ended: ended,
		}
		s.signature = w.worker.Identity.sign(signedStatus(&s))
		data, _ := json.Marshal(s)
		_, _ = w.js.Publish(ctx, keys(workersBucket)+token(s.Worker), data) // the next one may arrive
	}
	for ctx.Err() == nil {
		put(ctx, requestTimeout, false)
		pause(ctx, w.options.Heartbeat)
	}
	if w.nc.IsConnected() {
		put(context.Background(), time.Second, true)
	}
}

// stop stops a watcher. If the server does not answer it ends with the connection.
func (q *Queue) stop(w jetstream.KeyWatcher) {
	if q.nc.IsConnected() {
		_ = w.Stop()
	}
}

// OtherVersion is the error of Work if all coordinators at the queue have another version.
type OtherVersion struct{ Worker, Coordinator, Version string }

func (o *OtherVersion) Error() string {
	return fmt.Sprintf(
		"version %s does not fit coordinator %s, which has %s: use the same build of Trefoil on all machines, "+
			"or builds with equal jobs", o.Worker, o.Coordinator, o.Version)
}

// watchRuns ends the work if there are coordinators at the start, all of another version, and warns of such
// coordinators that come later. A worker in the process of a coordinator waits for it to begin.
func (w *work) watchRuns(ctx context.Context, end context.CancelCauseFunc) {
	warned := map[string]bool{}
	for begun := false; ctx.Err() == nil; begun = true {
		runs, err := w.Statuses(ctx)
		if err != nil {
			return
		}
		var other *OtherVersion
		same := false
		for _, s := range runs {
			if s.Version == w.worker.Version {
				same = true
				continue
			}
			other = &OtherVersion{w.worker.Version, strings.Trim(short(s.Coordinator), `"`), strings.Trim(short(s.Version), `"`)}
			if begun && !warned[s.Coordinator] {
				warned[s.Coordinator] = true
				w.options.Warn("%v; it gets no jobs of that", other)
			}
		}
		if !begun && other != nil && !same && w.options.Worker {
			end(other)
			return
		}
		pause(ctx, 5*w.options.Heartbeat)
	}
}
