package queue

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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
	serve(t, ServerOptions{Dir: dir, Listen: address})
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
	tries, err := q.nc.SubscribeSync(resultsSubject + token("a"))
	if err != nil {
		t.Fatal(err)
	}
	var once, first sync.Once
	warn := func(format string, args ...any) {
		first.Do(func() {
			err := q.nc.Flush()
			if n, _, _ := tries.Pending(); n > 1 || err != nil {
				t.Errorf("the first warning comes after %d tries (%v)", n, err)
			}
		})
		m.warn(format, args...)
	}
	startWorker(t, connect(t, Options{URL: url, Warn: warn}), Worker{NewIdentity("w"), "1"},
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
	serve(t, ServerOptions{Dir: dir, Listen: address})
	if err := q.Coordinate(t.Context(), task("a"), newSquares(3)); err != nil {
		t.Error(err)
	}
}

// TestDiskGrows: a server that was started on a small disk uses what a larger one has.
func TestDiskGrows(t *testing.T) {
	dir := t.TempDir()
	if runtime.GOOS != "linux" {
		t.Skip("a small file system is mounted on Linux only")
	}
	mount := func(options string) {
		if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
			t.Skipf("no small file system can be mounted: %s", out)
		}
	}
	mount("size=4m")
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	s := serve(t, ServerOptions{Dir: dir})
	q := connect(t, Options{Server: s})
	mount("remount,size=64m")
	incompressible := make([]byte, MaxMessage/2)
	_, _ = rand.Read(incompressible)
	for i := range 32 {
		reply, err := q.nc.Request(resultsSubject+"x", incompressible, time.Minute)
		if err != nil || strings.Contains(string(reply.Data), "error") {
			t.Fatal(i, err, string(reply.Data))
		}
	}
}

// TestIndex: a stream whose index is damaged, as it may be after a kill, has all its messages, and nobody
// is warned.
func TestIndex(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, ServerOptions{Dir: dir})
	q := connect(t, Options{Server: s})
	for range 3 {
		if _, err := q.js.Publish(t.Context(), resultsSubject+"x", []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	q.Close()
	s.Close()
	damaged := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "index.db" {
			return err
		}
		index, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		damaged++
		return os.WriteFile(path, index[:len(index)/2], 0o600)
	})
	if err != nil || damaged == 0 {
		t.Fatal(err, damaged)
	}
	s = serve(t, ServerOptions{Dir: dir, Warn: t.Errorf})
	if n := connect(t, Options{Server: s}).results.CachedInfo().State.Msgs; n != 3 {
		t.Errorf("%d messages", n)
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
	serve(t, ServerOptions{Dir: dir, Listen: address})
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
