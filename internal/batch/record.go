package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Record is what the records of all subcommands have in common. The record of a line without a position has
// an error and no further fields.
type Record struct {
	Line    int    `json:"line"`
	Input   string `json:"input"`
	Number  int    `json:"number"`
	Of      int    `json:"of,omitempty"` // lines that are not skipped, 0 if not known
	Command string `json:"command"`
	Wrong   string `json:"wrong,omitempty"`
	Error   string `json:"error,omitempty"`
}

// encode returns a record with its further fields, unless those are nil, and a line end.
func encode(r Record, fields any) ([]byte, error) {
	line, err := object(r)
	if err != nil || fields == nil {
		return append(line, '\n'), err
	}
	more, err := object(fields)
	if err == nil && len(more) > len("{}") {
		line = append(append(line[:len(line)-1], ','), more[1:]...)
	}
	return append(line, '\n'), err
}

// object returns the JSON of a struct, in which < > and & are as they are.
func object(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// decode reads a record, a line without its end. It refuses a record that no run can have written.
func decode(text []byte) (r Record, err error) {
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("it is not a record: %w: %.80q", err, text)
	}
	if r.Number < 1 || r.Line < r.Number || r.Line > maxLines || r.Of != 0 && (r.Of < r.Number || r.Of > maxLines) ||
		r.Command == "" {
		return r, fmt.Errorf("it is not a record: line %d, number %d of %d, command %.40q", r.Line, r.Number, r.Of, r.Command)
	}
	return r, nil
}

// maxLines is more lines than any input has.
const maxLines = 1 << 40

// maxRecord is more bytes than a record has.
const maxRecord = 4 << 20

var errLongRecord = errors.New("it is not a record: it has more than 4 MiB")

// recordReader reads the records of a file.
type recordReader struct {
	in   *bufio.Reader
	path string

	row    int    // of the record, from 1
	at     int64  // where it begins
	text   []byte // as it stands there, without its end
	record Record
	whole  int64  // where the last whole line ends
	torn   []byte // what stands behind the last line end: a record that was cut off
	err    error
}

func newRecordReader(in io.Reader, path string) *recordReader {
	return &recordReader{in: bufio.NewReaderSize(in, maxLine), path: path}
}

// next reads a record. It returns false at the end of the file, before a torn line, and on an error.
func (r *recordReader) next() bool {
	r.at = r.whole
	line, err := r.readLine()
	switch {
	case err == io.EOF:
		r.torn = line
		return false
	case err != nil:
		r.err = fmt.Errorf("%s: %w", r.path, err)
		return false
	}
	r.row++
	r.text = bytes.TrimSuffix(line, []byte("\r"))
	r.whole += int64(len(line)) + 1
	if r.record, err = decode(r.text); err != nil {
		r.err = r.errorf("%w", err)
		return false
	}
	return true
}

// readLine returns the next line without its end, or what is behind the last line end, and io.EOF.
func (r *recordReader) readLine() (line []byte, err error) {
	for {
		part, err := r.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case len(line) > maxRecord:
			return nil, fmt.Errorf("line %d: %w", r.row+1, errLongRecord)
		case err != bufio.ErrBufferFull:
			return line, err
		}
	}
}

// end returns the error of the reader, also if what stands behind the last line end cannot be the beginning
// of a record.
func (r *recordReader) end() error {
	const start = `{"line":`
	if r.err == nil && !bytes.HasPrefix(r.torn, []byte(start)) && !bytes.HasPrefix([]byte(start), r.torn) {
		r.row++
		r.err = r.errorf("it is not a record: %.80q", r.torn)
	}
	return r.err
}

// errorf is an error about the present record.
func (r *recordReader) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: line %d: %w", r.path, r.row, fmt.Errorf(format, args...))
}
