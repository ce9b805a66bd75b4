package container

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"trefoil/internal/disk"
)

// streamBuffer is as much as a pipe of Linux holds.
const streamBuffer = 64 << 10

// newStream reads the beginning of a stream. name is only named in errors.
func newStream(in io.Reader, name string, kind Kind) (*Reader, error) {
	r := &Reader{path: name, want: anyBytes, in: bufio.NewReaderSize(in, streamBuffer), close: func() error { return nil }}
	head := make([]byte, prefixBytes)
	n, err := io.ReadFull(r.in, head)
	r.size = int64(n)
	if err != nil && !ended(err) {
		return nil, r.failed(err)
	}
	length, err := r.checkPrefix(head[:n], kind)
	if err != nil {
		return nil, err
	}
	text := make([]byte, length+sumBytes)
	if err := r.fill(text); err != nil {
		return nil, err
	}
	if err := r.checkBeginning(head, text); err != nil {
		return nil, err
	}
	r.at, r.sum = r.first, r.sum0
	return r, nil
}

// ended reports whether an error is the end of a stream.
func ended(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// failed is the error of reading a stream.
func (r *Reader) failed(err error) error { return nameError(r.path, err) }

// nameError names the stream that an error is about. An error of the system says "|0" of some pipes.
func nameError(name string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// filled is the result of filling b with n bytes of a stream.
func (r *Reader) filled(b []byte, n int, err error) error {
	r.size += int64(n)
	switch {
	case ended(err):
		return r.cutShort(r.size)
	case err != nil:
		return r.failed(err)
	}
	if r.kept != nil {
		err = r.kept.write(b)
	}
	return err
}

// finish reads the end of a stream, whose first bytes are zeros, and returns io.EOF if nothing is wrong.
func (r *Reader) finish(zeros []byte) error {
	end := make([]byte, endBytes)
	if err := r.fill(end[copy(end, zeros):]); err != nil {
		return err
	}
	if err := r.parseEnd(r.sum, end); err != nil {
		return err
	}
	switch {
	case r.blocks != r.read || r.bytes != r.done:
		return r.Errorf("%d blocks with %d bytes of data, expected %d with %d: damaged", r.read, r.done, r.blocks, r.bytes)
	case r.want != anyBytes && r.want != r.bytes:
		return r.Errorf("length of all blocks is %d, expected %d", r.bytes, r.want)
	}
	if _, err := r.in.ReadByte(); err == nil {
		return r.Errorf("there is more after its end, from byte %d on", r.size)
	} else if err != io.EOF {
		return r.failed(err)
	}
	if err := r.decodeSummary(); err != nil {
		return err
	}
	r.complete = true
	if r.kept != nil {
		if err := r.kept.Flush(); err != nil {
			return err
		}
		r.file = r.kept.file
	}
	return io.EOF
}

// Keep makes a stream one that can be read again, from a temporary file that gets a copy of the blocks as they are
// read. It is called before the first of them, and does nothing for a regular file.
func (r *Reader) Keep() error {
	if r.file != nil || r.kept != nil {
		return nil
	}
	f, err := disk.CreateTemp("trefoil-stream-")
	if err != nil {
		return err
	}
	_ = disk.Remove(f.Name()) // where the system does not allow that yet, remove does it
	if _, err := f.Seek(r.first, io.SeekStart); err != nil {
		return errors.Join(err, f.Close())
	}
	r.kept = &keeper{bufio.NewWriterSize(f, streamBuffer), f}
	return nil
}

// ReadAhead reads a stream to its end and keeps it, so that Complete is true and Next begins with the first block. For
// a regular file, it does nothing.
func (r *Reader) ReadAhead(ctx context.Context) error {
	if r.complete {
		return nil
	}
	err := r.Keep()
	if err == nil {
		err = r.Each(ctx, func([]byte, uint64) error { return nil })
	}
	if err == nil {
		err = r.Rewind()
	}
	return err
}

// A keeper is the temporary copy of a stream.
type keeper struct {
	*bufio.Writer
	file *disk.File
}

func (k *keeper) write(b []byte) error {
	_, err := k.Write(b)
	return err
}

func (k *keeper) remove() {
	_ = k.file.Close()
	_ = disk.Remove(k.file.Name())
}
