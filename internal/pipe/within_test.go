package pipe

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
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
