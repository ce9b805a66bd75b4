package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobproof/games"
	"trefoil/cmd/trefoil-queue/internal/queue"
	"trefoil/internal/cli"
)

// scores is a coordinator of two jobs, one of which no worker can read.
type scores struct {
	given   int
	results []queue.Result
}

func (s *scores) Result(r queue.Result) error {
	s.results = append(s.results, r)
	return nil
}

func (s *scores) Next() (queue.Request, bool) {
	bodies := []any{"no body", Body{Score: &Score{Size: "5x4", Connect: 4, Columns: []string{"3"}}}}
	if s.given == len(bodies) {
		return queue.Request{}, false
	}
	s.given++
	return queue.Request{ID: fmt.Sprint(s.given), About: fmt.Sprint(s.given), Body: bodies[s.given-1]}, true
}

func (*scores) Do(context.Context, queue.Request) (any, error) { return nil, nil }
func (*scores) Lost(queue.Request)                             {}
func (s *scores) Done() bool                                   { return len(s.results) > 0 }
func (*scores) Status() (any, string)                          { return nil, "" }

// TestWork: a worker and a coordinator meet at the queue that their files name, each as its own user. A
// job that cannot be read is refused.
func TestWork(t *testing.T) {
	s, err := queue.Serve(queue.ServerOptions{Dir: t.TempDir(), Warn: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	var errs, workerErrs bytes.Buffer
	std, workerStd := &cli.Console{Prefix: "test", Err: &errs}, &cli.Console{Prefix: "test", Err: &workerErrs}
	access := &Access{}
	q, err := access.Open(t.Context(), std, s.CoordinatorFile(), queue.Options{AckWait: queue.MinAckWait})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if q, err := access.Open(t.Context(), std, s.WorkerFile(), queue.Options{}); err == nil {
		q.Close()
		t.Error("a worker coordinates")
	}
	if _, err := access.Open(t.Context(), std, "nowhere", queue.Options{}); err == nil {
		t.Error("there is a queue at nowhere")
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		wq, err := access.Open(ctx, workerStd, s.WorkerFile(), queue.Options{Worker: true})
		if err == nil {
			as := queue.NewIdentity("w")
			w := NewWorker(as.Name(), 1, 1)
			err = w.Work(ctx, wq, as)
			_ = w.Close()
			wq.Close()
		}
		ended <- err
	}()
	c := &scores{}
	err = q.Coordinate(t.Context(), Task(ScoreVersion(), "scores"), c)
	stop()
	if ended := <-ended; err != nil || ended != nil {
		t.Fatal(err, ended)
	}
	var scored Scored
	if len(c.results) != 1 || json.Unmarshal(c.results[0].Body, &scored) != nil ||
		len(scored.Scores) != 1 {
		t.Errorf("%+v", c)
	}
	if !strings.Contains(workerErrs.String(), "a job is refused: json") {
		t.Error(workerErrs.String())
	}
}

// TestScored: a result has the work of all its positions.
func TestScored(t *testing.T) {
	w := NewWorker("w", 1, 1)
	defer w.Close()
	nodes := func(columns ...string) uint64 {
		t.Helper()
		if err := w.Close(); err != nil { // the next has an empty table
			t.Fatal(err)
		}
		result, err := w.Do(t.Context(), Body{Score: &Score{Size: "5x4", Connect: 4, Columns: columns}})
		if err != nil {
			t.Fatal(err)
		}
		s := result.(Scored)
		if s.Seconds <= 0 || s.Seconds > time.Minute.Seconds() {
			t.Errorf("%v seconds", s.Seconds)
		}
		return s.Nodes
	}
	one, two := nodes("3"), nodes("3", "1")
	if one == 0 || two <= one || two > 1<<40 {
		t.Errorf("%d nodes and %d", one, two)
	}
	if err := w.Close(); err != nil || w.scores != nil || w.proofs != nil {
		t.Error(err)
	}
}

// TestProver: the worker of a coordinator continues a main line.
func TestProver(t *testing.T) {
	w := NewWorker("w", 1, 1)
	defer w.Close()
	g := games.Chess()
	p, err := g.Problem("kbK5/pp6/1P6/8/8/8/8/R7 w - - bm #2;")
	if err != nil {
		t.Fatal(err)
	}
	own, err := w.Prover()
	if err != nil {
		t.Fatal(err)
	}
	line, err := own.Continue(t.Context(), g, jobproof.Line{Goal: p.Goals[0]}, 1<<20)
	if err != nil || len(line) != 3 || line[0] != "a1a6" {
		t.Errorf("%q, %v", line, err)
	}
	large := NewWorker("large", 1, 1<<40)
	if _, err := large.Prover(); err == nil {
		t.Error("a table of 2^60 bytes")
	}
}

// TestMessages: the status comes once a minute, and liars are named.
func TestMessages(t *testing.T) {
	var said []string
	warn := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	perMinute := int(time.Minute / queue.HeartbeatInterval)
	report := EachMinute(warn)
	for i := range 2*perMinute + 1 {
		if report(queue.Status{Task: fmt.Sprint(i + 1)}); len(said) != (i+1)/perMinute {
			t.Fatalf("%d messages after %d heartbeats", len(said), i+1)
		}
	}
	if !strings.HasPrefix(said[0], fmt.Sprint(perMinute, ": ")) {
		t.Errorf("%q", said)
	}
	WarnOfLiars(warn, []string{"a"})
	if last := said[len(said)-1]; !strings.Contains(last, `["a"]`) {
		t.Error(last)
	}
	host, err := os.Hostname()
	if name := ProcessName(); err == nil && name != fmt.Sprintf("%s-%d", host, os.Getpid()) {
		t.Error(name)
	}
}
