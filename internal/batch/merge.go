package batch

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"trefoil/internal/cli"
	"trefoil/internal/disk"
	"trefoil/internal/pipe"
)

// Merge reads the records of files and prints them in the order of their lines. The file "-" is standard
// input. Merge needs some forty bytes of memory for a record. newSummary returns the summary of a
// subcommand.
//
// A file that does not belong to the others ends it before anything is printed. Merge names lines without a
// record, and lines whose records contradict each other; of these it prints the first record. The error is
// then a cli.Status (StatusWrong).
func Merge(ctx context.Context, files []string, std *cli.Console,
	newSummary func(command string) (*Summary, error)) (err error) {
	m := merger{std: std, newSummary: newSummary}
	defer func() {
		for _, f := range m.files {
			err = errors.Join(err, f.close())
		}
	}()
	for _, path := range files {
		if err := m.read(ctx, path); err != nil {
			return err
		}
	}
	if len(m.found) == 0 {
		m.warnf("no records")
		return &cli.Status{Code: cli.StatusWrong}
	}
	summary, err := newSummary(m.first.Command)
	if err != nil {
		return err
	}
	slices.SortStableFunc(m.found, func(a, b place) int { return cmp.Compare(a.number, b.number) })
	if err := m.print(ctx, summary); err != nil {
		return err
	}
	fmt.Fprintln(std.Err, summary.Text())
	if m.wrong {
		return &cli.Status{Code: cli.StatusWrong}
	}
	return nil
}

// merger is a merge under way.
type merger struct {
	std        *cli.Console
	newSummary func(command string) (*Summary, error)
	files      []*recordFile
	found      []place
	first      Record   // of all files
	check      *Summary // of all records; one that it refuses is no record of the subcommand
	of         place    // a record that says of how many positions it is
	total      int      // that number, 0 if none says so
	wrong      bool
}

// place is where a record stands.
type place struct {
	number, line int // of the record
	file, row    int
	at           int64
	size         int
}

// maxOpen is how many files stay open, as systems limit their number. A further file is opened again for each record.
const maxOpen = 256

// recordFile is an input of records.
type recordFile struct {
	path   string
	in     io.Reader  // reads it once, until a context ends
	file   *disk.File // nil for standard input, and for a file that has been closed
	stream bool       // it can be read only once
	copy   *disk.File // a temporary file with what was read of a stream
}

func (f *recordFile) close() (err error) {
	if f.copy != nil {
		err = errors.Join(f.copy.Close(), disk.Remove(f.copy.Name()))
	}
	if f.file != nil {
		err = errors.Join(err, f.file.Close())
	}
	return err
}

// openRecords opens a file; "-" is standard input. Reading it ends with ctx.
func openRecords(ctx context.Context, path string, std *cli.Console) (*recordFile, error) {
	if path == cli.Standard {
		return &recordFile{path: "standard input", in: pipe.Reader(ctx, std.In, pipe.Limits{}), stream: true}, nil
	}
	std.NotePipe(path)
	file, err := pipe.Within(ctx, func() (*disk.File, error) { return disk.Open(path) })
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	switch {
	case err == nil && info.IsDir():
		err = fmt.Errorf("%s: it is a directory", path)
		fallthrough
	case err != nil:
		return nil, errors.Join(err, file.Close())
	case info.Mode().IsRegular():
		return &recordFile{path: path, in: file, file: file}, nil
	}
	return &recordFile{path: path, in: pipe.Reader(ctx, file, pipe.Limits{}), file: file, stream: true}, nil
}

// keep copies what is read of a stream from now on to a temporary file.
func (f *recordFile) keep() (err error) {
	if f.stream {
		f.copy, err = disk.CreateTemp("trefoil-merge-")
		f.in = io.TeeReader(f.in, f.copy)
	}
	return err
}

// readAgain fills b with what has been read, from an offset on.
func (f *recordFile) readAgain(b []byte, at int64) error {
	file := f.file
	if f.copy != nil {
		file = f.copy
	}
	if file == nil {
		again, err := disk.Open(f.path)
		if err != nil {
			return err
		}
		defer again.Close()
		file = again
	}
	_, err := file.ReadAt(b, at)
	return err
}

func (m *merger) warnf(format string, args ...any) {
	m.wrong = true
	m.std.Warnf(format, args...)
}

// Read calls each for the records of a file; "-" is standard input. An error of each becomes an error about
// the line.
func Read(ctx context.Context, path string, std *cli.Console, each func(Record, []byte) error) (err error) {
	f, err := openRecords(ctx, path, std)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	in := newRecordReader(f.in, f.path)
	for in.next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := each(in.record, in.text); err != nil {
			return in.errorf("%w", err)
		}
	}
	return in.end()
}

// read notes the places of the records of a file.
func (m *merger) read(ctx context.Context, path string) error {
	f, err := openRecords(ctx, path, m.std)
	if err != nil {
		return err
	}
	m.files = append(m.files, f)
	if err := f.keep(); err != nil {
		return err
	}
	in := newRecordReader(f.in, f.path)
	for in.next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.add(in); err != nil {
			return err
		}
	}
	if err := in.end(); err != nil {
		return err
	}
	if len(in.torn) > 0 {
		m.std.Warnf("%s: line %d is cut off and left out", f.path, in.row+1)
	}
	if len(m.files) > maxOpen && !f.stream {
		err = f.file.Close()
		f.file = nil
	}
	return err
}

// add notes the place of a record, which must belong to the first one.
func (m *merger) add(in *recordReader) error {
	r, here := &in.record, place{in.record.Number, in.record.Line, len(m.files) - 1, in.row, in.at, len(in.text)}
	if len(m.found) == 0 {
		var err error
		if m.check, err = m.newSummary(r.Command); err != nil {
			return in.errorf("%w", err)
		}
		m.first = *r
	}
	if r.Command != m.first.Command {
		return in.errorf("it belongs to the command %q, but line %d of %s to %q", r.Command, m.found[0].row,
			m.path(m.found[0]), m.first.Command)
	}
	if r.Of != 0 && m.total == 0 {
		m.of, m.total = here, r.Of
	}
	if r.Of != 0 && r.Of != m.total {
		return in.errorf("it belongs to an input of %d positions, but line %d of %s to one of %d", r.Of, m.of.row,
			m.path(m.of), m.total)
	}
	if err := m.check.Add(*r, in.text); err != nil {
		return in.errorf("it is not a record of %s: %w", r.Command, err)
	}
	m.found = append(m.found, here)
	return nil
}

func (m *merger) path(p place) string { return m.files[p.file].path }

// errorAt is an error about the record at a place.
func (m *merger) errorAt(p place, err error) error {
	return fmt.Errorf("%s: line %d: %w", m.path(p), p.row, err)
}

// text reads a record again.
func (m *merger) text(p place) ([]byte, error) {
	text := make([]byte, p.size)
	if err := m.files[p.file].readAgain(text, p.at); err != nil {
		return nil, m.errorAt(p, err)
	}
	return text, nil
}

// print prints the records, and names what is wrong with them.
func (m *merger) print(ctx context.Context, summary *Summary) error {
	out := bufio.NewWriter(m.std.Out)
	var last place
	var lastText []byte
	missing := gaps{}
	for _, p := range m.found {
		text, err := m.text(p)
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		r, err := decode(text)
		if err == nil && r.Number != p.number {
			err = errors.New("the file has changed")
		}
		if err != nil {
			return m.errorAt(p, err)
		}
		if p.number == last.number {
			if !same(text, lastText) {
				m.warnf("%s: line %d contradicts line %d of %s: position %d", m.path(p), p.row, last.row, m.path(last), p.number)
			}
			continue
		}
		if p.line <= last.line {
			m.warnf("%s: line %d contradicts line %d of %s: position %d is on line %d, but position %d on line %d",
				m.path(p), p.row, last.row, m.path(last), p.number, p.line, last.number, last.line)
		}
		missing.between(last.number, p.number)
		last, lastText = p, text
		if err := summary.Add(r, text); err != nil {
			return m.errorAt(p, err)
		}
		_, _ = out.Write(append(text, '\n')) // Flush returns the error
	}
	if missing.between(last.number, m.total+1); missing.n > 0 {
		m.warnf("%d of %d positions have no record: %v", missing.n, max(m.total, last.number), &missing)
	}
	if m.total == 0 {
		m.std.Warnf("the records do not say how many positions the input has")
	}
	return out.Flush()
}

// gaps are numbers that are missing.
type gaps struct {
	n     int
	texts []string // the first of them, and how many more
	more  int
}

// between adds the numbers between low and high.
func (g *gaps) between(low, high int) {
	const most = 10
	n := high - low - 1
	if n <= 0 {
		return
	}
	g.n += n
	switch {
	case len(g.texts) == most:
		g.more += n
	case n == 1:
		g.texts = append(g.texts, fmt.Sprint(low+1))
	default:
		g.texts = append(g.texts, fmt.Sprintf("%d to %d", low+1, high-1))
	}
}

func (g *gaps) String() string {
	text := strings.Join(g.texts, ", ")
	if g.more > 0 {
		text += fmt.Sprintf(" and %d more", g.more)
	}
	return text
}

// varying are the fields that may differ between two runs.
var varying = []string{"nodes", "seconds", "pv", "moves", "jobs"}

// same reports whether two records of a position differ in nothing but fields that vary.
func same(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, y := map[string]any{}, map[string]any{}
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	for _, fields := range []map[string]any{x, y} {
		maps.DeleteFunc(fields, func(name string, _ any) bool { return slices.Contains(varying, name) })
		delete(fields, "of") // which may be unknown
	}
	return reflect.DeepEqual(x, y)
}
