package lab

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// A Reader reads a trace from its first record to its last.
type Reader struct {
	Header
	file  *os.File
	path  string
	read  uint64 // records
	block [blockBytes]byte
}

// Open begins to read a trace. It refuses, by name, what is no file, no trace, of another
// version, truncated, or damaged in its header; damage further on is for Next to find.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("lab: trace: %w", err)
	}
	r := &Reader{file: f, path: path}
	if err := r.open(); err != nil {
		_ = f.Close()
		return nil, err
	}
	return r, nil
}

func (r *Reader) open() error {
	info, err := r.file.Stat()
	if err != nil {
		return fmt.Errorf("lab: trace: %w", err)
	}
	if info.IsDir() {
		return fmt.Errorf("lab: trace %s: is a directory", r.path)
	}
	top := make([]byte, headerBytes)
	n, err := io.ReadFull(r.file, top)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("lab: trace: %w", err)
	}
	if r.Header, err = parseHeader(top[:n], r.path); err != nil {
		return err
	}
	if want := fileBytes(r.Records); info.Mode().IsRegular() && uint64(info.Size()) != want {
		return &FileError{r.path, "length", fmt.Sprint(info.Size()), fmt.Sprintf("%d: truncated or damaged", want)}
	}
	return nil
}

// Next appends the records of the next block to list, without the last of all, which is
// End; after it the error is io.EOF.
func (r *Reader) Next(list []Record) ([]Record, error) {
	left := r.Records - r.read
	if left == 0 {
		return list, io.EOF
	}
	n := min(left, perBlock)
	b := r.block[:n*recordBytes+sumBytes]
	number := r.read / perBlock
	if _, err := io.ReadFull(r.file, b); err != nil {
		return list, fmt.Errorf("lab: trace %s: block %d: %w", r.path, number, err)
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
		if rec.Kind() >= kinds || (rec.Kind() == End) != last || last && rec.Key != r.Records-1 {
			return list, &FileError{r.path, fmt.Sprintf("kind of record %d", r.read-n+i), fmt.Sprint(rec.Kind()), "one that belongs there: damaged"}
		}
		if !last {
			list = append(list, rec)
		}
	}
	return list, nil
}

// Close ends reading.
func (r *Reader) Close() error { return r.file.Close() }
