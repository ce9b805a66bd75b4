// Package pipe reads and writes what is no regular file: named pipes, /dev/fd/N, devices. Each operation may
// wait for another program for any time; here it ends with a context.
package pipe

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"
)

// Is reports whether there is something at path that is neither a regular file nor a directory. A link is followed.
func Is(path string) bool {
	info, err := os.Stat(path)
	return err == nil && Stream(info)
}

// Stream reports whether a file is neither a regular file nor a directory.
func Stream(info fs.FileInfo) bool { return !info.Mode().IsRegular() && !info.IsDir() }

// Same reports whether a path leads to an open file that is a pipe or the like.
func Same(path string, f *os.File) bool {
	a, err := os.Stat(path)
	if err != nil || !Stream(a) {
		return false
	}
	b, err := f.Stat()
	return err == nil && os.SameFile(a, b)
}

// Limits say how long a call may wait for another program that does nothing.
type Limits struct {
	Idle  time.Duration // 0: without limit
	Ended time.Duration // after the end of the context
}

// Open opens a pipe for reading. It waits, until opening ends, for a program that has opened it for writing. Reading
// ends as Reader says.
func Open(opening, ctx context.Context, path string, limits Limits) (io.ReadCloser, error) {
	f, err := open(opening, path, os.O_RDONLY, os.O_WRONLY)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{Reader(ctx, f, limits), f}, nil
}

// Create opens a pipe for writing. It waits, until opening ends, for a program that has opened it for reading. Writing
// ends as Writer says.
func Create(opening, ctx context.Context, path string, limits Limits) (io.WriteCloser, error) {
	f, err := open(opening, path, os.O_WRONLY, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Writer
		io.Closer
	}{Writer(ctx, f, limits), f}, nil
}

// open opens a named pipe for reading or for writing, by flag; other is the opposite flag. A call that the
// system does not return from before ctx ends is released by opening the other side for a moment.
func open(ctx context.Context, path string, flag, other int) (*os.File, error) {
	type result struct {
		file *os.File
		err  error
	}
	done := make(chan result, 1)
	go func() {
		f, err := os.OpenFile(path, flag, 0)
		done <- result{f, err}
	}()
	select {
	case r := <-done:
		return r.file, r.err
	case <-ctx.Done():
	}
	released := make(chan struct{})
	go func() {
		defer close(released)
		for {
			select {
			case r := <-done:
				if r.err == nil {
					_ = r.file.Close()
				}
				return
			case <-time.After(time.Millisecond):
				if f, err := os.OpenFile(path, other|nonBlocking, 0); err == nil {
					_ = f.Close()
				}
			}
		}
	}()
	select { // so that no later open of the pipe meets this one
	case <-released:
	case <-time.After(releaseTimeout):
	}
	return nil, context.Cause(ctx)
}

// releaseTimeout is how long an open waits for its own call to be released: some devices wait in other ways.
const releaseTimeout = time.Second

// chunk is as much as a pipe of Linux holds.
const chunk = 64 << 10

// Reader returns a reader of in whose calls return the cause of ctx once that has ended, and an error once a limit is
// exceeded. A call of in that is then waiting goes on, so neither of the two must be used any more.
func Reader(ctx context.Context, in io.Reader, limits Limits) io.Reader {
	return &interruptible{ctx: ctx, in: in, limits: limits, buffer: make([]byte, chunk)}
}

// ReaderAt is Reader for a file that several goroutines may read. It may be used on after the end of ctx: then all
// its calls return the cause.
func ReaderAt(ctx context.Context, in io.ReaderAt) io.ReaderAt {
	if ctx.Done() == nil {
		return in
	}
	return readerAt{ctx, in}
}

type readerAt struct {
	ctx context.Context
	in  io.ReaderAt
}

var buffers = sync.Pool{New: func() any { return new([chunk]byte) }}

func (r readerAt) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) && err == nil {
		var m int
		buffer, from := buffers.Get().(*[chunk]byte), at+int64(n)
		to := buffer[:min(len(b)-n, chunk)]
		m, err = Within(r.ctx, func() (int, error) { return r.in.ReadAt(to, from) })
		n += copy(b[n:], to[:m])
		if r.ctx.Err() == nil { // otherwise a call may still write to it
			buffers.Put(buffer)
		}
	}
	return n, err
}

// Within returns what call returns, or the cause of ctx if that ends first; the call then goes on.
func Within[T any](ctx context.Context, call func() (T, error)) (T, error) {
	if ctx.Err() != nil {
		var none T
		return none, context.Cause(ctx)
	}
	return within(ctx, Limits{}, call)
}

type interruptible struct {
	ctx    context.Context
	in     io.Reader
	limits Limits
	buffer []byte // the caller's could be used after Read has returned
}

func (r *interruptible) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil && r.limits.Ended == 0 {
		return 0, context.Cause(r.ctx)
	}
	to := r.buffer[:min(len(b), chunk)]
	n, err := within(r.ctx, r.limits, func() (int, error) { return r.in.Read(to) })
	return copy(b, to[:n]), err
}

// Writer is Reader for writing to out.
func Writer(ctx context.Context, out io.Writer, limits Limits) io.Writer {
	return &writer{ctx, out, limits}
}

type writer struct {
	ctx    context.Context
	out    io.Writer
	limits Limits
}

func (w *writer) Write(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		part := bytes.Clone(b[n:min(len(b), n+chunk)]) // which may be used after Write has returned
		var m int
		m, err = within(w.ctx, w.limits, func() (int, error) { return w.out.Write(part) })
		n += m
	}
	return n, err
}

// within returns what call returns, or an error if the call has not returned within the limits. The call
// then goes on.
func within[T any](ctx context.Context, limits Limits, call func() (T, error)) (none T, err error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := call()
		done <- result{value, err}
	}()
	var idle <-chan time.Time
	if limits.Idle > 0 {
		timer := time.NewTimer(limits.Idle)
		defer timer.Stop()
		idle = timer.C
	}
	select {
	case r := <-done:
		return r.value, r.err
	case <-idle:
		return none, fmt.Errorf("the program at its other end has done nothing for %v", limits.Idle)
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.value, r.err
	case <-time.After(limits.Ended):
		return none, context.Cause(ctx)
	}
}
