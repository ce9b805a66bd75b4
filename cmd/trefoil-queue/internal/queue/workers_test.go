package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// TestNoWorker: a coordinator says that it waits for workers, but not while one works.
func TestNoWorker(t *testing.T) {
	s := serve(t, ServerOptions{})
	m, done := newMessages(t), make(chan error, 1)
	q := connect(t, Options{Server: s, Warn: m.warn})
	go func() { done <- q.Coordinate(t.Context(), task("a"), newSquares(3)) }()
	m.wait("no worker is at the queue: the jobs wait for one")
	heartbeats := make(chan bool, 1000)
	startWorker(t, connect(t, Options{Server: s, Worker: true}), Worker{NewIdentity("w"), "1"},
		func(ctx context.Context, j Job) (any, error) {
			if j.Run == token("b") {
				for range 6 {
					<-heartbeats
				}
			}
			return square(ctx, j)
		})
	if err := <-done; err != nil {
		t.Error(err)
	}
	m = newMessages(t)
	b := task("b")
	b.Report = func(Status) { heartbeats <- true }
	err := connect(t, Options{Server: s, Warn: m.warn}).Coordinate(t.Context(), b, newSquares(1))
	if err != nil || strings.Contains(m.text, "no worker") {
		t.Error(err, m.text)
	}
}

// TestWorkers: workers are listed from their start to their end, and only those that have signed.
func TestWorkers(t *testing.T) {
	s := serve(t, ServerOptions{})
	q := connect(t, Options{Server: s})
	w := NewIdentity("w")
	stop := startWorker(t, connect(t, Options{Server: s, Worker: true}), Worker{w, "1"}, square)
	forged := strings.Replace(statusOf(NewIdentity("x"), "1", time.Now()), `"done":0`, `"done":1`, 1)
	if _, err := q.js.Publish(t.Context(), keys(workersBucket)+"x", []byte(forged)); err != nil {
		t.Fatal(err)
	}
	listed := func() (names []string) {
		t.Helper()
		all, err := q.Workers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			names = append(names, s.Worker)
		}
		return names
	}
	for began := time.Now(); len(listed()) == 0 && time.Since(began) < time.Minute; {
		time.Sleep(5 * time.Millisecond)
	}
	if names := listed(); len(names) != 1 || names[0] != w.Name() {
		t.Errorf("%q", names)
	}
	if err := stop(); err != nil || listed() != nil {
		t.Errorf("%v, %q", err, listed())
	}
}

// TestServerLog: a message of the server that differs by numbers only is said once, and none after a failure
// or the end.
func TestServerLog(t *testing.T) {
	for name, end := range map[string]func(*serverLog){
		"failure": func(l *serverLog) { l.Errorf("Critical write error: no space left") },
		"end":     func(l *serverLog) { l.close() },
	} {
		var said []string
		l := &serverLog{warn: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) },
			said: map[string]bool{}, failed: make(chan struct{})}
		l.Warnf("client %d is slow", 1)
		l.Warnf("client %d is slow", 2)
		l.Errorf("Stream state outdated, will rebuild")
		l.Errorf("client %d is gone", 1)
		end(l)
		l.Errorf("another client")
		if want := []string{"queue server: client 1 is slow", "queue server: client 1 is gone"}; !slices.Equal(said, want) {
			t.Errorf("%s: %q", name, said)
		}
		if failed := l.failure() != nil; failed != (name == "failure") {
			t.Errorf("%s: %v", name, l.failure())
		}
		l.close()
		l.Fatalf("late")
		if err := l.failure(); err != nil && err.Error() != "no space left" {
			t.Error(err)
		}
	}
}

// delivered is a message that was delivered some times, and what became of it.
type delivered struct {
	settled
	times uint64
	acks  *int
}

func (d delivered) Metadata() (*jetstream.MsgMetadata, error) {
	return &jetstream.MsgMetadata{NumDelivered: d.times}, nil
}

func (d delivered) DoubleAck(context.Context) error {
	*d.acks++
	return nil
}

// TestSettle: a job is acknowledged once its result is stored; a failure that passes is not worth a message,
// and a job that goes back waits longer each time.
func TestSettle(t *testing.T) {
	s := serve(t, ServerOptions{})
	connect(t, Options{Server: s})
	m, acks := newMessages(t), 0
	w := &work{Queue: connect(t, Options{Server: s, Worker: true, Warn: m.warn}), worker: Worker{NewIdentity("w"), "1"}}
	if err := w.deliver(t.Context(), delivered{acks: &acks}, jobMessage{Run: "x", Job: "1"}, 1); err != nil || acks != 1 {
		t.Errorf("%v, %d acknowledgements", err, acks)
	}
	for _, err := range []error{nats.ErrTimeout, jetstream.ErrMsgAlreadyAckd, nil} {
		if err := w.settle(t.Context(), func() error { return err }); err != nil || m.text != "" {
			t.Error(err, m.text)
		}
	}
	if err := w.settle(t.Context(), func() error { return errors.New("odd") }); err != nil ||
		!strings.Contains(m.text, "will be done again: odd") {
		t.Error(err, m.text)
	}
	for times, most := range map[uint64]time.Duration{1: 40, 3: 160, 5: 640, 100: 640} {
		for range 200 {
			if d := backOff(delivered{times: times}); d <= 0 || d > most*time.Millisecond {
				t.Fatalf("%v after %d", d, times)
			}
		}
	}
}

// TestAckWaitShortened: a worker keeps its jobs also if a coordinator makes the ack wait shorter after it came.
func TestAckWaitShortened(t *testing.T) {
	s := serve(t, ServerOptions{})
	const day = 24 * time.Hour
	before := connect(t, Options{Server: s, AckWait: day})
	after := connect(t, Options{Server: s, AckWait: MinAckWait})
	q, err := Connect(t.Context(), Options{Server: s, Heartbeat: day, Warn: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	if _, err := before.consumer(t.Context(), "1"); err != nil { // before the worker makes one
		t.Fatal(err)
	}
	answers, err := after.nc.SubscribeSync("$JS.ACK." + jobsStream + ".>")
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, q, Worker{NewIdentity("w"), "1"}, func(ctx context.Context, j Job) (any, error) {
		for kept := 0; j.Run == token("b") && kept < 2; {
			msg, err := answers.NextMsg(time.Minute)
			if err != nil {
				t.Errorf("the worker has kept its job %d times: %v", kept, err)
				break
			}
			if string(msg.Data) == "+WPI" {
				kept++
			}
		}
		return square(ctx, j)
	})
	for _, run := range []struct {
		name string
		*Queue
	}{{"a", before}, {"b", after}} {
		if err := run.Coordinate(t.Context(), task(run.name), newSquares(1)); err != nil {
			t.Error(err)
		}
	}
}

// TestRetryCause: what has ended the context is the error of a request that was not answered.
func TestRetryCause(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("no answer in time")
	if err := new(Queue).retry(ctx, func(context.Context) error { cancel(cause); return nats.ErrTimeout }); err != cause {
		t.Error(err)
	}
}

// TestResultNotRead: a job is not lost while its result may be among those that the coordinator has not read.
func TestResultNotRead(t *testing.T) {
	s := serve(t, ServerOptions{})
	q := connect(t, Options{Server: s})
	c := newSquares(1)
	r := &run{
		Queue: q, task: task("a"), coordinator: c, key: token("a"), lost: map[string]int{},
		outstanding: map[string]*submitted{"1": {Request: Request{ID: "1"}}},
	}
	if err := r.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	for read := range uint64(3) {
		if err := q.publish(t.Context(), resultsSubject+r.key, fmt.Sprint(read), "x"); err != nil {
			t.Fatal(err)
		}
		r.readTo = read
		for range 5 {
			if err := r.reconcile(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if lost := len(c.again) > 0; lost != (read > 0) { // the first result was the last when the job was missing
			t.Errorf("%d read: %v", read, lost)
		}
	}
}
