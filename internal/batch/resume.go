package batch

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"

	"trefoil/internal/atomicfile"
	"trefoil/internal/cli"
	"trefoil/internal/disk"
)

// resumption is the file of --resume: the records of earlier runs, followed by the records of this one.
// Each record is written by one call, so a killed run leaves at most one torn line, the last.
type resumption struct {
	path    string
	release func() // the lock
	file    *disk.File
	whole   int64 // bytes without a torn line
	begun   bool  // it may have been written
	done    map[int]earlier
	seed    maphash.Seed
}

// earlier is a record that the file had.
type earlier struct {
	row  int // of the file, from 1
	line int
	of   int
	sum  uint64 // of its input
}

// resume locks and reads the file at path, which need not exist, and calls each for its records. It
// changes nothing.
func resume(path, command string, shard Shard, each func(Record, []byte) error) (*resumption, error) {
	r := &resumption{path: path, done: make(map[int]earlier), seed: maphash.MakeSeed()}
	if err := r.open(command, shard, each); err != nil {
		return nil, errors.Join(fmt.Errorf("--resume: %w", err), r.close())
	}
	return r, nil
}

func (r *resumption) open(command string, shard Shard, each func(Record, []byte) error) (err error) {
	if r.path == cli.Standard {
		return errors.New("- is not a file that a later run can read; use --json to print records")
	}
	if r.release, err = atomicfile.Lock(r.path); err != nil {
		return err
	}
	if _, err := disk.Lstat(r.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if r.file, err = atomicfile.OpenAppend(r.path); err != nil {
		return err
	}
	in := newRecordReader(r.file, r.path)
	for in.next() {
		if err := r.add(in, command, shard); err != nil {
			return in.errorf("%w", err)
		}
		if err := each(in.record, in.text); err != nil {
			return in.errorf("it is not a record of %s: %w", command, err)
		}
	}
	r.whole = in.whole
	return in.end()
}

// add checks a record and remembers it.
func (r *resumption) add(in *recordReader, command string, shard Shard) error {
	record := &in.record
	before, twice := r.done[record.Number]
	switch {
	case record.Command != command:
		return fmt.Errorf("it belongs to the command %q, not %q", record.Command, command)
	case !shard.has(record.Number):
		return fmt.Errorf("position %d is not of shard %v", record.Number, shard)
	case twice:
		return fmt.Errorf("position %d occurs again, after line %d", record.Number, before.row)
	}
	r.done[record.Number] = earlier{in.row, record.Line, record.Of, maphash.String(r.seed, record.Input)}
	return nil
}

// check refuses a record that does not fit a line of the input.
func (r *resumption) check(l Line) error {
	e, ok := r.done[l.Number]
	if ok && (e.line != l.Line || e.sum != maphash.String(r.seed, l.Text)) {
		return fmt.Errorf("--resume: %s: line %d: it does not match line %d of the input: %.200q", r.path, e.row,
			l.Line, l.Text)
	}
	return nil
}

// checkTotal refuses records of an input with another number of positions, and names the first of them.
func (r *resumption) checkTotal(of int) error {
	row := 0
	for n, e := range r.done {
		if (n > of || e.of != 0 && e.of != of) && (row == 0 || e.row < row) {
			row = e.row
		}
	}
	if row == 0 {
		return nil
	}
	return fmt.Errorf("--resume: %s: line %d: it belongs to another input: this one has %s", r.path, row,
		cli.Count(of, "position"))
}

// begin cuts off a torn line, or creates the file.
func (r *resumption) begin() (err error) {
	r.begun = true
	if r.file == nil {
		r.file, err = atomicfile.OpenAppend(r.path)
		return err
	}
	return r.file.Truncate(r.whole)
}

// write appends a record.
func (r *resumption) write(line string) error {
	_, err := r.file.WriteString(line)
	return err
}

// close closes the file and gives the lock back.
func (r *resumption) close() (err error) {
	if r.file != nil && r.begun {
		err = r.file.Sync()
	}
	if r.file != nil {
		err = errors.Join(err, r.file.Close())
	}
	if r.release != nil {
		r.release()
	}
	return err
}
