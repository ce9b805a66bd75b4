package container

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"trefoil/internal/atomicfile"
)

// encoder writes the bytes of a container.
type encoder struct {
	out    io.Writer
	sum    uint32 // of all written bytes, without checksums
	blocks uint64
	bytes  uint64 // of data
	number [4]byte
}

func (e *encoder) write(b []byte) error {
	e.sum = crc32.Update(e.sum, castagnoli(), b)
	_, err := e.out.Write(b)
	return err
}

func (e *encoder) writeSum() error {
	binary.LittleEndian.PutUint32(e.number[:], e.sum)
	_, err := e.out.Write(e.number[:])
	return err
}

// begin writes everything before the first block.
func (e *encoder) begin(kind Kind, header any) error {
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	if len(text) > MaxHeader {
		return fmt.Errorf("header of %d bytes: at most %d fit", len(text), MaxHeader)
	}
	b := binary.LittleEndian.AppendUint32(kind.signature(), Version)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	return cmp.Or(e.write(append(b, text...)), e.writeSum())
}

// EncodeHeader returns the beginning of a container of a kind, for memory that has nothing else of
// the format.
func EncodeHeader(kind Kind, header any) ([]byte, error) {
	var out bytes.Buffer
	err := (&encoder{out: &out}).begin(kind, header)
	return out.Bytes(), err
}

// block writes a block of 1 to MaxBlock bytes.
func (e *encoder) block(data []byte) error {
	if len(data) == 0 || len(data) > MaxBlock {
		return fmt.Errorf("block of %d bytes: expected 1 to %d", len(data), MaxBlock)
	}
	e.blocks++
	e.bytes += uint64(len(data))
	binary.LittleEndian.PutUint32(e.number[:], uint32(len(data)))
	return cmp.Or(e.write(e.number[:]), e.write(data), e.writeSum())
}

// end writes everything after the last block.
func (e *encoder) end(summary any) error {
	text, err := json.Marshal(summary)
	if err != nil {
		return err
	}
	if len(text) > summaryBytes {
		return fmt.Errorf("summary of %d bytes: at most %d fit", len(text), summaryBytes)
	}
	b := make([]byte, lengthBytes, endBytes)
	b = append(b, text...)
	b = append(b, bytes.Repeat([]byte(" "), summaryBytes-len(text))...)
	b = binary.LittleEndian.AppendUint64(b, e.blocks)
	b = binary.LittleEndian.AppendUint64(b, e.bytes)
	return cmp.Or(e.write(b), e.writeSum())
}

// An Output is what a file is written to: a regular file, or a stream such as a pipe.
type Output struct {
	Name string // the path of the file; of a stream, what errors call it
	// Open opens the stream. It is nil for a regular file.
	Open func() (io.WriteCloser, error)
}

// Replace is the Output that replaces the regular file at path, as Create does.
func Replace(path string) Output { return Output{Name: path} }

// WriteStream is the Output that writes to a stream, called name in errors.
func WriteStream(out io.Writer, name string) Output {
	return Output{name, func() (io.WriteCloser, error) { return unclosed{out}, nil }}
}

// unclosed is a writer that its owner closes.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// A Writer writes a file or a stream. A file appears under its name when Commit has completed it. A stream
// is not complete before Commit has written its end.
type Writer struct {
	encoder
	to   target
	name string
	err  error
}

// A target is what a Writer writes to. Exactly one of Commit and Discard ends it.
type target interface {
	io.Writer
	Commit() error
	Discard() error
}

// streamTarget is a target that has nothing to be taken back.
type streamTarget struct{ io.WriteCloser }

func (s streamTarget) Commit() error  { return s.Close() }
func (s streamTarget) Discard() error { return s.Close() }

// Create begins a file of a kind with a header, which is encoded as JSON. It refuses to replace anything
// but a file of that kind; see atomicfile.Create for what else it refuses. Exactly one of Commit and
// Discard must follow.
func Create(out Output, kind Kind, header any) (*Writer, error) {
	to, err := out.open(kind)
	if err != nil {
		return nil, err
	}
	w := &Writer{encoder: encoder{out: bufio.NewWriterSize(to, streamBuffer)}, to: to, name: out.Name}
	if w.err = w.begin(kind, header); w.err != nil {
		err := w.named(w.err)
		w.Discard()
		return nil, err
	}
	return w, nil
}

func (out Output) open(kind Kind) (target, error) {
	if out.Open == nil {
		return atomicfile.Create(out.Name, replaceable(kind))
	}
	stream, err := out.Open()
	return streamTarget{stream}, err
}

// Writable returns the error that Create would return now, other than for its header. A stream is not opened.
func Writable(out Output, kind Kind) error {
	if out.Open != nil {
		return nil
	}
	return atomicfile.Writable(out.Name, replaceable(kind))
}

func replaceable(kind Kind) atomicfile.Check {
	return func(head []byte) error {
		if err := kind.is(head); err != nil {
			return fmt.Errorf("not replaced: %w", err)
		}
		return nil
	}
}

// Write writes a whole file: fill writes its blocks and returns its summary. After an error the old
// file is unchanged; a stream is then not complete, so that no reader accepts it.
func Write(out Output, kind Kind, header any, fill func(*Writer) (summary any, err error)) error {
	w, err := Create(out, kind, header)
	if err != nil {
		return err
	}
	summary, err := fill(w)
	if err != nil {
		w.Discard()
		return err
	}
	return w.Commit(summary)
}

// named names the file in an error.
func (w *Writer) named(err error) error { return nameError(w.name, err) }

// WriteBlock writes a block of 1 to MaxBlock bytes. After an error it writes nothing more and
// returns the same error.
func (w *Writer) WriteBlock(data []byte) error {
	if w.err == nil {
		if err := w.block(data); err != nil {
			w.err = w.named(err)
		}
	}
	return w.err
}

// Err is the first error of WriteBlock.
func (w *Writer) Err() error { return w.err }

// Commit ends the file with a summary, which is encoded as JSON, and puts it in its place. After
// an error, also of an earlier WriteBlock, the old file is unchanged.
func (w *Writer) Commit(summary any) error {
	if w.err == nil {
		err := w.end(summary)
		if err == nil {
			err = w.out.(*bufio.Writer).Flush()
		}
		if err != nil {
			w.err = w.named(err)
		}
	}
	if w.err != nil {
		return errors.Join(w.err, w.to.Discard())
	}
	return w.to.Commit()
}

// Discard ends the Writer and leaves the old file unchanged.
func (w *Writer) Discard() { _ = w.to.Discard() }
