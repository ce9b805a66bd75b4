package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// run is a task while a coordinator works on it.
type run struct {
	*Queue
	task        Task
	coordinator Coordinator
	key         string // token(task.Name)
	consumer    jetstream.Consumer
	began       time.Time

	status   Status
	revision uint64 // of the status in its bucket

	members     map[string]member // the workers, by their key in the bucket
	times       map[string]int64  // WorkerStatus.Time of the last sign of life, likewise
	alone       int               // heartbeats in turn with jobs and without workers
	outstanding map[string]*submitted
	lost        map[string]int // how often a job was, by Request.About
	readTo      uint64         // the number of the last message that was read from the stream of results
	warned      map[string]bool

	judges  sync.WaitGroup
	judging sync.Mutex
	judged  chan judgement
}

// member is a worker that lives.
type member struct {
	name string
	seen time.Time
}

// submitted is a job without a result.
type submitted struct {
	Request
	missing bool   // it is not in the stream of jobs
	last    uint64 // the number of the last result when that was found
	judged  bool   // the coordinator does it
}

// jobSubject is the subject of a job.
func jobSubject(version, run, job string) string {
	return jobsSubject + token(version) + "." + run + "." + job
}

func (r *run) subject(job string) string { return jobSubject(r.task.Version, r.key, job) }

// arrival is a message of the stream of results.
type arrival struct {
	msg  jetstream.Msg
	last bool // of those that were there
	err  error
}

// read delivers what the stream of results has for this run, and then what comes.
func (r *run) read(ctx context.Context) (<-chan arrival, error) {
	var consumer jetstream.Consumer
	var messages jetstream.MessagesContext
	var there uint64
	err := r.retry(ctx, func(ctx context.Context) (err error) {
		consumer, err = r.results.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
			FilterSubjects: []string{resultsSubject + r.key, verdictsSubject + r.key},
		})
		if err != nil {
			return err
		}
		there = consumer.CachedInfo().NumPending
		messages, err = consumer.Messages(jetstream.PullHeartbeat(time.Second), jetstream.PullExpiry(5*time.Second))
		return err
	})
	if err != nil {
		return nil, named(err, "stream "+resultsStream)
	}
	context.AfterFunc(ctx, messages.Stop)
	arrivals := make(chan arrival)
	go func() {
		a := arrival{last: there == 0}
		for n := uint64(0); ; {
			if a.msg != nil || a.last || a.err != nil {
				select {
				case arrivals <- a:
				case <-ctx.Done():
					return
				}
			}
			a = arrival{}
			msg, err := messages.Next(jetstream.NextMaxWait(time.Second))
			switch {
			case err == nil:
				n++
				a = arrival{msg: msg, last: n == there}
			case errors.Is(err, jetstream.ErrMsgIteratorClosed):
				a.err = errors.New("the stream of results has ended")
			case errors.Is(err, nats.ErrTimeout):
				if n < there && nothingPending(ctx, consumer) { // the rest has been removed from the stream
					a.last, there = true, n
				}
			default: // the consumer is made again
				pause(ctx, 100*time.Millisecond)
			}
		}
	}()
	return arrivals, nil
}

// nothingPending reports whether a consumer has been given all messages that there are.
func nothingPending(ctx context.Context, c jetstream.Consumer) bool {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	info, err := c.Info(ctx)
	return err == nil && info.NumPending == 0
}

// result passes a message of the stream of results on.
func (r *run) result(msg jetstream.Msg) {
	m, err := parse[resultMessage](msg.Data())
	verdict := msg.Subject() == verdictsSubject+r.key
	if err == nil {
		err = m.from(r.key, verdict)
	}
	if err == nil {
		if s := r.outstanding[m.Job]; s != nil && (verdict || !s.judged) {
			delete(r.outstanding, m.Job)
		}
		err = r.coordinator.Result(Result{ID: m.Job, Worker: m.Worker, Body: m.Body, Verdict: verdict})
		err = named(err, "result of worker "+short(m.Worker))
	}
	if err != nil {
		r.ignore("a message among the results is ignored: %v", err)
		return
	}
	r.status.Done++
}

// from checks who has sent a message among the results of a run.
func (m *resultMessage) from(run string, verdict bool) error {
	if !verdict {
		return named(m.verify(m.Worker, signedResult(run, m)), "result of worker "+short(m.Worker))
	}
	if m.Worker == "" || len(m.Key) > 0 || len(m.Signature) > 0 { // the server has sent it for someone else
		return errors.New("it stands among the verdicts, and is none")
	}
	return nil
}

// ignore counts a message from outside that is not used, and warns of it.
func (r *run) ignore(format string, args ...any) {
	r.status.Ignored++
	r.warn(format, args...)
}

// warn prints a warning, the same only once.
func (r *run) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !r.warned[text] && len(r.warned) < 100 {
		r.warned[text] = true
		r.options.Warn("%s", text)
	}
}

// watchWorkers follows the bucket of workers.
func (r *run) watchWorkers(ctx context.Context) (w jetstream.KeyWatcher, err error) {
	err = r.retry(ctx, func(context.Context) error {
		w, err = r.workers.WatchAll(ctx)
		return err
	})
	return w, named(err, "bucket "+workersBucket)
}

// sawWorker notes a sign of life of a worker, or its end. A deletion counts for nothing: any worker may
// have sent it.
func (r *run) sawWorker(entry jetstream.KeyValueEntry) {
	if entry.Operation() != jetstream.KeyValuePut {
		return
	}
	key := entry.Key()
	m, err := parse[WorkerStatus](entry.Value())
	if err == nil {
		err = named(m.verify(key), "worker "+short(m.Worker))
	}
	if err == nil && m.Time < r.times[key] {
		err = fmt.Errorf("worker %s: it is older than another one", short(m.Worker))
	}
	if err != nil {
		r.ignore("a message among the workers is ignored: %v", err)
		return
	}
	if m.Time == r.times[key] {
		return // the same again
	}
	r.times[key] = m.Time
	switch {
	case m.Ended:
		delete(r.members, key)
	case m.Version != r.task.Version:
		r.warn("worker %s has version %s, not %q: it gets no jobs", short(m.Worker), short(m.Version), r.task.Version)
	default:
		r.members[key] = member{m.Worker, time.Now()}
	}
}

// heartbeat renews the status, and finds jobs and workers that are lost.
func (r *run) heartbeat(ctx context.Context, complete bool) error {
	for key, m := range r.members {
		if time.Since(m.seen) > silence {
			delete(r.members, key)
		}
	}
	for key, last := range r.times {
		if time.Since(time.UnixMilli(last)) > maxSkew {
			delete(r.times, key)
		}
	}
	if complete {
		if err := r.reconcile(ctx); err != nil {
			return err
		}
		if len(r.members) > 0 || len(r.outstanding) == 0 {
			r.alone = 0
		} else if r.alone++; r.alone == 3 {
			r.warn("no worker is at the queue: the jobs wait for one")
		}
	}
	r.report()
	return r.renew(ctx)
}

// report completes the status and passes it on.
func (r *run) report() {
	detail, text := r.coordinator.Status()
	r.status.Detail, _ = json.Marshal(detail)
	r.status.Text, r.status.Workers, r.status.Seconds = text, len(r.members), time.Since(r.began).Seconds()
	if r.task.Report != nil {
		r.task.Report(r.status)
	}
}

func (r *run) statusJSON() []byte {
	data, _ := json.Marshal(r.status)
	return data
}

// renew writes the status, unless another coordinator has.
func (r *run) renew(ctx context.Context) error {
	write, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	revision, err := r.runs.Update(write, r.key, r.statusJSON(), r.revision)
	if errors.Is(err, jetstream.ErrKeyExists) { // our last status is not the latest
		revision, err = r.retake(write)
	}
	switch {
	case err == nil:
		r.revision = revision
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrTakenOver):
		return err
	case passing(err) && !r.nc.IsClosed():
		return nil
	}
	return r.notStored("the status", err)
}

// retake returns the revision of our status, which is stored again if it was too old.
func (r *run) retake(ctx context.Context) (revision uint64, err error) {
	entry, err := r.runs.Get(ctx, r.key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return r.runs.Create(ctx, r.key, r.statusJSON())
	}
	if err != nil {
		return 0, err
	}
	other, err := parse[Status](entry.Value())
	if err == nil && other.Run == r.key && other.Coordinator != r.task.Coordinator {
		return 0, fmt.Errorf("%w: %s", ErrTakenOver, short(other.Coordinator))
	}
	return entry.Revision(), nil // the answer to an earlier renewal was lost
}

// maxLost is how often the same work may be lost.
const maxLost = 5

// reconcile compares the jobs that should be there with those that are. A job that the stream has no more is lost if
// no result of it was stored before: a worker has refused it, or has acknowledged it without a result.
func (r *run) reconcile(ctx context.Context) error {
	look, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	info, err := r.jobs.Info(look, jetstream.WithSubjectFilter(r.subject(">")))
	if err != nil {
		return ctx.Err() // the next time
	}
	if c, err := r.consumer.Info(look); err == nil {
		// Jobs that wait to be given again are pending too.
		r.status.InWork = min(c.NumAckPending, len(r.outstanding), len(r.members))
		r.status.Waiting = len(r.outstanding) - r.status.InWork
	}
	for id, job := range r.outstanding {
		switch {
		case job.judged:
		case !r.othersThan(job.Not):
			r.judge(ctx, job)
		case info.State.Subjects[r.subject(id)] > 0:
			job.missing = false
		default:
			if !job.missing {
				if job.last, err = r.lastResult(look); err != nil {
					continue // the next time
				}
				job.missing = true
			}
			if r.readTo < job.last { // its result may be among those that have not been read
				continue
			}
			delete(r.outstanding, id)
			r.coordinator.Lost(job.Request)
			if r.lost[job.About]++; r.lost[job.About] == maxLost {
				return fmt.Errorf("workers have refused a job %d times (%s): see their messages", maxLost, job.About)
			}
		}
	}
	return nil
}

// lastResult returns the number of the last result of the run in its stream, 0 if there is none.
func (r *run) lastResult(ctx context.Context) (uint64, error) {
	msg, err := r.results.GetLastMsgForSubject(ctx, resultsSubject+r.key)
	switch {
	case err == nil:
		return msg.Sequence, nil
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return 0, nil
	}
	return 0, err
}

// Statuses returns the status of all coordinators that are alive.
func (q *Queue) Statuses(ctx context.Context) ([]Status, error) {
	list, err := all[Status](ctx, q, runsBucket)
	return slices.DeleteFunc(list, func(s Status) bool { return s.Run == "" }), err
}

// Workers returns the workers that are alive.
func (q *Queue) Workers(ctx context.Context) ([]WorkerStatus, error) {
	list, err := all[WorkerStatus](ctx, q, workersBucket)
	return slices.DeleteFunc(list, func(s WorkerStatus) bool { return s.Ended || s.verify(token(s.Worker)) != nil }), err
}

// all returns the messages of a bucket.
func all[M Status | WorkerStatus](ctx context.Context, q *Queue, bucket string) (list []M, err error) {
	err = q.retry(ctx, func(ctx context.Context) error {
		list = nil
		stream, err := q.js.Stream(ctx, "KV_"+bucket)
		for next := uint64(1); err == nil; {
			var msg *jetstream.RawStreamMsg
			if msg, err = stream.GetMsg(ctx, next, jetstream.WithGetMsgSubject(keys(bucket)+">")); err != nil {
				break
			}
			if m, err := parse[M](msg.Data); err == nil {
				list = append(list, m)
			}
			next = msg.Sequence + 1
		}
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		return err
	})
	return list, named(err, "bucket "+bucket)
}
