package pipe

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

var errEnded = errors.New("ended")

// TestWithin: a call that blocks is left when ctx ends.
func TestWithin(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	if n, err := Within(ctx, func() (int, error) { return 7, io.EOF }); n != 7 || err != io.EOF {
		t.Errorf("%d, %v", n, err)
	}
	blocked := make(chan int)
	defer close(blocked)
	block := func() (int, error) {
		cancel(errEnded)
		return <-blocked, nil
	}
	for range 2 { // it ends during the call, and before it
		if n, err := Within(ctx, block); n != 0 || err != errEnded {
			t.Errorf("%d, %v", n, err)
		}
	}
}

// TestReader: after the end of its context a reader reads only if it may wait longer.
func TestReader(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errEnded)
	b := make([]byte, 4)
	if n, err := Reader(ctx, strings.NewReader("text"), Limits{}).Read(b); n != 0 || err != errEnded {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := Reader(ctx, strings.NewReader("text"), Limits{Ended: time.Hour}).Read(b); n != 4 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// blocking is a file whose bytes from an offset on cannot be read until it is closed.
type blocking struct {
	*bytes.Reader
	from   int64
	closed chan struct{}
	blocks func() // called then
}

func (b blocking) ReadAt(to []byte, at int64) (int, error) {
	if at+int64(len(to)) > b.from {
		b.blocks()
		<-b.closed
	}
	return b.Reader.ReadAt(to, at)
}

// TestReaderAt: bytes, counts and errors are as without it, until a read that blocks is left.
func TestReaderAt(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), chunk/4)
	plain := bytes.NewReader(data)
	ctx, cancel := context.WithCancelCause(t.Context())
	in := blocking{plain, 1 << 40, make(chan struct{}), func() { cancel(errEnded) }}
	for _, at := range []int64{0, 1, chunk - 1, chunk, int64(len(data)) - 3, int64(len(data)), int64(len(data)) + 1} {
		for _, size := range []int{0, 1, chunk, chunk + 1, 2*chunk + 7} {
			got, want := make([]byte, size), make([]byte, size)
			n, err := ReaderAt(ctx, in).ReadAt(got, at)
			m, wanted := plain.ReadAt(want, at)
			if n != m || size > 0 && err != wanted || !bytes.Equal(got, want) {
				t.Errorf("%d bytes at %d: %d, %v, want %d, %v", size, at, n, err, m, wanted)
			}
		}
	}
	in.from = chunk
	defer close(in.closed)
	got := make([]byte, 2*chunk)
	if n, err := ReaderAt(ctx, in).ReadAt(got, chunk); n != 0 || err != errEnded {
		t.Errorf("%d, %v", n, err)
	}
}

// readAt is a function as a file.
type readAt func(to []byte, at int64) (int, error)

func (f readAt) ReadAt(to []byte, at int64) (int, error) { return f(to, at) }

// TestLeftRead: a read that was left, and goes on, does not write into the bytes of a later one.
func TestLeftRead(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	proceed, written := make(chan int), make(chan int)
	left := readAt(func(to []byte, _ int64) (int, error) {
		cancel(errEnded)
		<-proceed
		n := copy(to, "left")
		close(written)
		return n, nil
	})
	if _, err := ReaderAt(ctx, left).ReadAt(make([]byte, 4), 0); err != errEnded {
		t.Fatal(err)
	}
	later, cancelLater := context.WithCancel(t.Context())
	defer cancelLater()
	got := make([]byte, 4)
	_, err := ReaderAt(later, readAt(func(to []byte, _ int64) (int, error) {
		n := copy(to, "mine")
		close(proceed)
		<-written
		return n, nil
	})).ReadAt(got, 0)
	if err != nil || string(got) != "mine" {
		t.Errorf("%q, %v", got, err)
	}
}
