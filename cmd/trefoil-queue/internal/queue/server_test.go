package queue

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestServerRestarts: a server that ends and starts again on the same folder has all results, and workers and the
// coordinator go on.
func TestServerRestarts(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, ServerOptions{Dir: dir})
	address := s.Address()
	url, err := ReadURL(s.CoordinatorFile())
	if err != nil {
		t.Fatal(err)
	}
	q := connect(t, Options{URL: url})
	forWorkers, err := ReadURL(s.WorkerFile())
	if err != nil {
		t.Fatal(err)
	}
	c := newSquares(20)
	pause, resume := make(chan struct{}, 100), make(chan struct{})
	startWorker(t, connect(t, Options{URL: forWorkers, Worker: true}), Worker{NewIdentity("w"), "1"},
		func(ctx context.Context, j Job) (any, error) {
			if j.ID == "10" {
				pause <- struct{}{}
				<-resume
			}
			return square(ctx, j)
		})
	done := make(chan error)
	go func() { done <- q.Coordinate(t.Context(), task("a"), c) }()
	<-pause
	s.Close()
	s = serve(t, ServerOptions{Dir: dir, Listen: address})
	t.Cleanup(s.Close)
	close(resume)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestStoreFull: if the queue takes no more messages the coordinator ends with an error that says so, and
// the worker keeps its result until there is room.
func TestStoreFull(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, ServerOptions{Dir: dir, MaxStore: 1 << 20})
	address := s.Address()
	url, err := ReadURL(s.CoordinatorFile())
	if err != nil {
		t.Fatal(err)
	}
	q, m := connect(t, Options{URL: url}), newMessages(t)
	fill := func() {
		for {
			reply, err := q.nc.Request(resultsSubject+"other", make([]byte, 1<<17), time.Minute)
			if err != nil {
				t.Error(err)
				return
			}
			if strings.Contains(string(reply.Data), "error") {
				return
			}
		}
	}
	var once sync.Once
	startWorker(t, connect(t, Options{URL: url, Warn: m.warn}), Worker{NewIdentity("w"), "1"},
		func(ctx context.Context, j Job) (any, error) {
			once.Do(fill)
			return square(ctx, j)
		})
	err = q.Coordinate(t.Context(), task("a"), newSquares(3))
	if err == nil || !strings.Contains(err.Error(), "is its disk full?") {
		t.Error(err)
	}
	m.wait("does not store results (is its disk full?)")
	s.Close()
	s = serve(t, ServerOptions{Dir: dir, Listen: address})
	t.Cleanup(s.Close)
	if err := q.Coordinate(t.Context(), task("a"), newSquares(3)); err != nil {
		t.Error(err)
	}
}

// TestOneServer: a folder has one server, and its passwords stay the same.
func TestOneServer(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, ServerOptions{Dir: dir})
	if _, err := Serve(ServerOptions{Dir: dir, Warn: t.Logf}); err == nil ||
		!strings.Contains(err.Error(), "another process serves this queue") {
		t.Errorf("%v", err)
	}
	coordinator, worker := s.coordinator, s.worker
	s.Close()
	s = serve(t, ServerOptions{Dir: dir})
	defer s.Close()
	if s.coordinator != coordinator || s.worker != worker || worker.password == coordinator.password {
		t.Error("other passwords")
	}
	for _, listen := range []string{"x", "127.0.0.1", ":99999", "127.0.0.1:y"} {
		if _, err := Serve(ServerOptions{Dir: t.TempDir(), Listen: listen, Warn: t.Logf}); err == nil ||
			!strings.Contains(err.Error(), "HOST:PORT") {
			t.Errorf("%q: %v", listen, err)
		}
	}
	if _, err := Serve(ServerOptions{Dir: t.TempDir(), Listen: s.Address(), Warn: t.Logf}); err == nil {
		t.Error("two servers at one port")
	}
}

// TestServerComesLater: a worker that starts first waits for the server, or for the end of its context.
func TestServerComesLater(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, ServerOptions{Dir: dir})
	address := s.Address()
	url, err := ReadURL(s.CoordinatorFile())
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	m := newMessages(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	try := func() {
		q, err := Connect(ctx, Options{URL: url, Warn: m.warn})
		if err == nil {
			q.Close()
		}
		done <- err
	}
	go try()
	m.wait("does not answer")
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	m, ctx = newMessages(t), t.Context()
	go try()
	m.wait("does not answer")
	s = serve(t, ServerOptions{Dir: dir, Listen: address})
	defer s.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestServerEnds: a server that ends while a worker connects is waited for as well, and one that has waited
// too long for the password.
func TestServerEnds(t *testing.T) {
	for name, end := range map[string]func(*net.TCPConn){
		"reset": func(c *net.TCPConn) { _ = c.SetLinger(0) }, // the other side reads "connection reset by peer"
		"late": func(c *net.TCPConn) {
			fmt.Fprint(c, "INFO {}\r\n")
			_, _ = bufio.NewReader(c).ReadString('\n')
			fmt.Fprint(c, "-ERR 'Authentication Timeout'\r\n")
		},
	} {
		t.Run(name, func(t *testing.T) { waitedFor(t, end) })
	}
}

// waitedFor expects that a server that ends all connections like this is waited for.
func waitedFor(t *testing.T, end func(*net.TCPConn)) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			end(c.(*net.TCPConn))
			_ = c.Close()
		}
	}()
	m := newMessages(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := Connect(ctx, Options{URL: "nats://" + l.Addr().String(), Warn: m.warn})
		done <- err
	}()
	m.wait("does not answer")
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
