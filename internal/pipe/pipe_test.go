//go:build unix

package pipe

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"trefoil/internal/filetest"
)

func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}

func TestIs(t *testing.T) {
	path := fifo(t)
	file := filepath.Join(filepath.Dir(path), "file")
	filetest.Write(t, file, "")
	for path, want := range map[string]bool{path: true, os.DevNull: true, file: false, filepath.Dir(path): false,
		path + "2": false} {
		if Is(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	regular, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer regular.Close()
	if !Same(path, f) || Same(path, r) || Same(file, f) || Same(file, regular) || Same(path+"2", f) {
		t.Error("a file is another one")
	}
}

// What goes in at one end comes out at the other.
func TestThrough(t *testing.T) {
	path, ctx, want := fifo(t), t.Context(), bytes.Repeat([]byte("0123456789"), 100_000)
	failed := make(chan error, 1)
	go func() {
		w, err := Create(ctx, ctx, path, Limits{})
		if err == nil {
			_, err = w.Write(want)
			err = errors.Join(err, w.Close())
		}
		failed <- err
	}()
	r, err := Open(ctx, ctx, path, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err := errors.Join(err, <-failed, r.Close()); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

var errStopped = errors.New("stopped")

// Opening a pipe that has no other end, and reading and writing where the other end does nothing, end with their
// context.
func TestStops(t *testing.T) {
	path := fifo(t)
	for i := range 4 { // none of them meets one before it
		ctx, cancel := context.WithTimeoutCause(t.Context(), 5*time.Millisecond, errStopped)
		var err error
		if i%2 == 0 {
			_, err = Create(ctx, ctx, path, Limits{})
		} else {
			_, err = Open(ctx, ctx, path, Limits{})
		}
		if !errors.Is(err, errStopped) {
			t.Errorf("%d: %v", i, err)
		}
		cancel()
	}
	both, err := os.OpenFile(path, os.O_RDWR, 0) // the other end
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	r, err := Open(ctx, ctx, path, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	time.AfterFunc(time.Millisecond, func() { cancel(errStopped) })
	if n, err := r.Read(make([]byte, 10)); n != 0 || !errors.Is(err, errStopped) {
		t.Errorf("read: %d, %v", n, err)
	}
	patient, err := Create(t.Context(), ctx, path, Limits{Ended: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer patient.Close()
	// what the pipe takes is written after the end of ctx, too
	if n, err := patient.Write(make([]byte, 10)); n != 10 || err != nil {
		t.Errorf("write: %d, %v", n, err)
	}
	w, err := Create(t.Context(), ctx, path, Limits{Ended: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if n, err := w.Write(make([]byte, 10<<20)); n == 10<<20 || !errors.Is(err, errStopped) {
		t.Errorf("write: %d, %v", n, err)
	}
}

// A reader that is gone is an error.
func TestBrokenPipe(t *testing.T) {
	path := fifo(t)
	both, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	w, err := Create(t.Context(), t.Context(), path, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	_ = both.Close()
	if _, err := w.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Error(err)
	}
}

// A program that does nothing is given up.
func TestIdle(t *testing.T) {
	path := fifo(t)
	both, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	const want = "the program at its other end has done nothing for 1ms"
	limits := Limits{Idle: time.Millisecond}
	r, err := Open(t.Context(), t.Context(), path, limits)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err == nil || err.Error() != want {
		t.Errorf("%d, %v", n, err)
	}
	_ = r.Close()
	w, err := Create(t.Context(), t.Context(), path, limits)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Write(make([]byte, 10<<20)); err == nil || err.Error() != want {
		t.Error(err)
	}
}
