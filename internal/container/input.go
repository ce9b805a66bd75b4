package container

import (
	"bufio"
	"cmp"
	"context"
	"io"

	"trefoil/internal/atomicfile"
)

// An Input is what a file is read from: a regular file, or a stream such as a pipe, which has no length and
// can be read once.
type Input struct {
	Name string // the path of the file; of a stream, what errors call it
	// Open opens the stream. It is nil for a regular file.
	Open func() (io.ReadCloser, error)
	ctx  context.Context // of a regular file; nil if reading it does not end early
}

// File is the Input that is the regular file at path.
func File(path string) Input { return Input{Name: path} }

// Within returns the Input whose reading, unless it is a stream, ends with ctx.
func (in Input) Within(ctx context.Context) Input {
	in.ctx = ctx
	return in
}

// Stream is the Input that reads a stream, called name in errors.
func Stream(in io.Reader, name string) Input {
	return Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(in), nil }}
}

// open opens the input. size is the size of a regular file.
func (in Input) open() (f io.ReadCloser, size int64, err error) {
	if in.Open != nil {
		f, err = in.Open()
		return f, 0, err
	}
	file, err := atomicfile.OpenRegular(cmp.Or(in.ctx, context.Background()), in.Name)
	if err != nil {
		return nil, 0, err
	}
	return file, file.Size(), nil
}

// Kind returns the kind of a file by its first bytes, 0 if this version has no such kind. If the Input is a
// stream, Kind opens it and leaves it open.
func (in *Input) Kind() (Kind, error) {
	f, _, err := in.open()
	if err != nil {
		return 0, err
	}
	start := bufio.NewReaderSize(f, streamBuffer)
	head, _ := start.Peek(len(magic) + kindBytes) // an error is found again when the file is read
	if in.Open == nil {
		_ = f.Close()
	} else {
		in.Open = func() (io.ReadCloser, error) { return peeked{start, f}, nil }
	}
	for kind := Kind(1); kind < kinds; kind++ {
		if kind.is(head) == nil {
			return kind, nil
		}
	}
	return 0, nil
}

// peeked is a stream whose first bytes are in a buffer.
type peeked struct {
	io.Reader
	io.Closer
}
