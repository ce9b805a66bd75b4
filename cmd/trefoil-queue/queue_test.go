package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"trefoil/cmd/trefoil-queue/internal/jobs"
	"trefoil/cmd/trefoil-queue/internal/queue"
)

// process is a run of the program.
type process struct {
	t    *testing.T
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended

	mu   sync.Mutex
	out  bytes.Buffer // of standard output
	errs bytes.Buffer // of standard error
}

// stream is one of the streams of a program.
type stream struct {
	p  *process
	to *bytes.Buffer
}

func (s stream) Write(b []byte) (int, error) {
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	return s.to.Write(b)
}

// launch starts the program; it is killed at the end of the test.
func launch(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{t: t, name: strings.Join(args, " "), cmd: exec.Command(os.Args[0], args...),
		done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), asProgram+"=yes")
	p.cmd.Stdout, p.cmd.Stderr = stream{p, &p.out}, stream{p, &p.errs}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		p.kill()
		if out, errs := p.output(); t.Failed() {
			t.Logf("%s:\n%s%s", p.name, out, errs)
		}
	})
	return p
}

// kill ends the program as kill -9 does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// interrupt ends the program as Ctrl-C does.
func (p *process) interrupt() {
	if p.cmd.Process.Signal(os.Interrupt) != nil {
		p.kill() // there are no signals
	}
	<-p.done
}

// ended reports whether the program has ended.
func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (p *process) output() (out, errs string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String(), p.errs.String()
}

// patience is how long a test waits for something that comes, if nothing is wrong.
const patience = 2 * time.Minute

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for began := time.Now(); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatalf("not seen: %s", what)
		}
	}
}

// says waits until the program has printed a text.
func (p *process) says(text string) {
	p.t.Helper()
	eventually(p.t, text, func() bool {
		out, errs := p.output()
		return strings.Contains(out+errs, text)
	})
}

// ends waits for the end of the program and returns its output; it fails the test if its exit status is another one.
func (p *process) ends(status int) (out, errs string) {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		p.kill()
	}
	out, errs = p.output()
	if got := p.cmd.ProcessState.ExitCode(); got != status {
		p.t.Fatalf("%s: exit status %d, want %d\n%s%s", p.name, got, status, out, errs)
	}
	return out, errs
}

// queueServer is trefoil-queue queue serve.
type queueServer struct {
	*process
	dir, address string
	url, worker  string // files, for coordinators and for workers
}

// serveQueue starts a server on a folder, at an address or at a free port.
func serveQueue(t *testing.T, dir, address string, args ...string) *queueServer {
	t.Helper()
	s := &queueServer{dir: dir, address: address, url: filepath.Join(dir, "coordinator.url"),
		worker: filepath.Join(dir, "worker.url")}
	s.process = launch(t, append([]string{"queue", "serve", "--dir", dir, "--listen", address}, args...)...)
	s.says("serving at ")
	out, _ := s.output()
	s.address = strings.TrimPrefix(strings.Split(out, ";")[0], "serving at ")
	return s
}

// ownAddress returns an address for a server that is to come back to the same port: on Linux one that no other program
// has, which could get the port meanwhile.
func ownAddress() string {
	if runtime.GOOS == "linux" {
		address := fmt.Sprintf("127.%d.%d.%d:0", 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254))
		if l, err := net.Listen("tcp", address); err == nil {
			_ = l.Close()
			return address
		}
	}
	return "127.0.0.1:0"
}

// results returns a function that counts the results at a queue: 0 if the server does not answer.
func results(t *testing.T, url string) func() int {
	address, err := queue.ReadURL(url)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect(address, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(20*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return func() int {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		s, err := js.Stream(ctx, "TREFOIL_RESULTS")
		if err != nil {
			return 0
		}
		return int(s.CachedInfo().State.Msgs)
	}
}

// survive kills workers, a coordinator and the server, one after the other and all at once, while there is
// work. It returns the last coordinator, which has a worker again, and how many results there were before
// it. Where this process is suspended for so long that a coordinator finishes its work, there is less to
// survive.
func survive(t *testing.T, coordinate func(url string) *process) (coordinator *process, before int) {
	s := serveQueue(t, t.TempDir(), ownAddress())
	count := results(t, s.url)
	more := func(n int) {
		t.Helper()
		n += count()
		eventually(t, "more results", func() bool { return count() >= n || coordinator.ended() })
		if coordinator.ended() {
			coordinator.ends(0)
		}
	}
	work := func() *process { return launch(t, "work", "--queue", s.worker, "--hash", "8") }
	workers := []*process{work(), work()}
	coordinator = coordinate(s.url)
	more(5)
	workers[0].kill()
	workers[0] = work()
	more(5)
	coordinator.kill()
	coordinator = coordinate(s.url)
	more(5)
	before = count()
	s.kill()
	s = serveQueue(t, s.dir, s.address)
	eventually(t, "the results again", func() bool { return count() >= before })
	more(5)
	for _, p := range append(workers, coordinator) { // all at once
		p.kill()
	}
	s.kill()
	s = serveQueue(t, s.dir, s.address)
	eventually(t, "the results again", func() bool { return count() > 0 })
	before = count()
	coordinator = coordinate(s.url)
	worker := work()
	select {
	case <-coordinator.done:
	case <-time.After(patience):
	}
	worker.interrupt()
	worker.ends(0)
	s.interrupt()
	s.ends(0)
	return coordinator, before
}

// coordinatorVersion returns the version that coordinators at a queue have.
func coordinatorVersion(t *testing.T, q *queue.Queue) (v string) {
	eventually(t, "a coordinator", func() bool {
		all, err := q.Statuses(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			v = s.Version
		}
		return len(all) > 0
	})
	return v
}

func connectQueue(t *testing.T, url string) *queue.Queue {
	t.Helper()
	address, err := queue.ReadURL(url)
	if err != nil {
		t.Fatal(err)
	}
	q, err := queue.Connect(t.Context(), queue.Options{URL: address, Warn: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// startLiar starts a worker of the version of the coordinator at a queue that changes its results by a
// function, and waits until it has said a lie.
func startLiar(t *testing.T, url string, lie func(result any) (any, bool)) {
	t.Helper()
	q := connectQueue(t, url)
	v := coordinatorVersion(t, q)
	as := queue.NewIdentity("liar")
	w := jobs.NewWorker(as.Name(), 1, 1)
	lies, ended := make(chan struct{}, 1), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		ended <- errors.Join(q.Work(ctx, queue.Worker{Identity: as, Version: v},
			func(ctx context.Context, j queue.Job) (any, error) {
				var body jobs.Body
				if err := json.Unmarshal(j.Body, &body); err != nil {
					return nil, err
				}
				result, err := w.Do(ctx, body)
				if err != nil {
					return nil, err
				}
				result, lied := lie(result)
				if lied {
					select {
					case lies <- struct{}{}:
					default:
					}
				}
				return result, nil
			}), w.Close())
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	select {
	case <-lies:
	case err := <-ended:
		ended <- err
		t.Fatal(err)
	}
}

// liarNamed is what a coordinator says of the worker of startLiar.
const liarNamed = `these workers have sent false results, and all their results are dropped: ["liar-`

// otherVersion starts a worker of another version, which must get no jobs.
func otherVersion(t *testing.T, url string) {
	q := connectQueue(t, url)
	go func() {
		_ = q.Work(t.Context(), queue.Worker{Identity: queue.NewIdentity("old machine"), Version: "0"},
			func(context.Context, queue.Job) (any, error) {
				t.Error("a job of another version")
				return nil, errors.New("not for me")
			})
	}()
	eventually(t, "the worker", func() bool {
		workers, err := q.Workers(t.Context())
		return err == nil && len(workers) > 0
	})
}

// endless is a coordinator without jobs.
type endless struct{}

func (endless) Result(queue.Result) error                      { return nil }
func (endless) Next() (queue.Request, bool)                    { return queue.Request{}, false }
func (endless) Do(context.Context, queue.Request) (any, error) { return nil, nil }
func (endless) Lost(queue.Request)                             {}
func (endless) Done() bool                                     { return false }
func (endless) Status() (any, string)                          { return nil, "" }
