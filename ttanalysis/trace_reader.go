package ttanalysis

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// A TraceReader reads a trace from its first record to its last.
type TraceReader struct {
	TraceHeader
	in    io.Reader
	close func() error
	path  string
	read  uint64 // records
	block [blockBytes]byte
}

// OpenTrace begins to read a trace. It refuses, by name, what is no file, no trace, of another
// version, truncated, or damaged in its header; damage further on is for Next to find.
func OpenTrace(path string) (*TraceReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("is a directory")
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("trace %s: %w", path, err)
	}
	size := int64(-1)
	if info.Mode().IsRegular() {
		size = info.Size()
	}
	r, err := newReader(f, size, path)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	r.close = f.Close
	return r, nil
}

// newReader reads a trace of so many bytes, or nobody knows how many if it is negative.
func newReader(in io.Reader, size int64, path string) (*TraceReader, error) {
	top := make([]byte, headerBytes)
	n, err := io.ReadFull(in, top)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("trace %s: %w", path, err)
	}
	head, err := parseHeader(top[:n], path)
	if err != nil {
		return nil, err
	}
	if want := fileBytes(head.Records); size >= 0 && uint64(size) != want {
		return nil, &FileError{path, "length", fmt.Sprint(size), fmt.Sprintf("%d: truncated or damaged", want)}
	}
	return &TraceReader{TraceHeader: head, in: in, path: path}, nil
}

// Next appends the records of the next block to list, without the last of all, which is
// End; after it the error is io.EOF.
func (r *TraceReader) Next(list []Record) ([]Record, error) {
	left := r.Records - r.read
	if left == 0 {
		return list, io.EOF
	}
	n := min(left, perBlock)
	b := r.block[:n*recordBytes+sumBytes]
	number := r.read / perBlock
	if _, err := io.ReadFull(r.in, b); err != nil {
		return list, fmt.Errorf("trace %s: block %d: %w", r.path, number, err)
	}
	records := b[:n*recordBytes]
	if got, want := blockSum(number, records), binary.LittleEndian.Uint32(b[n*recordBytes:]); got != want {
		return list, &FileError{r.path, fmt.Sprintf("checksum of block %d", number), fmt.Sprintf("%#x", got), fmt.Sprintf("%#x: damaged", want)}
	}
	r.read += n
	for i := range n {
		at := records[i*recordBytes:]
		rec := Record{binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])}
		last := r.read-n+i == r.Records-1
		if rec.Kind() >= kinds || (rec.Kind() == KindEnd) != last || last && rec.Key != r.Records-1 {
			return list, &FileError{r.path, fmt.Sprintf("kind of record %d", r.read-n+i), fmt.Sprint(rec.Kind()), "one that belongs there: damaged"}
		}
		if !last {
			list = append(list, rec)
		}
	}
	return list, nil
}

// Close ends reading.
func (r *TraceReader) Close() error { return r.close() }
