package certificate

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// A key orders the positions of a strategy: two bytes of level, the high one first, then the code of the
// position. An entry leads to higher levels alone, so a level is complete when its first position is passed
// on.
type key string

// maxLevel is the highest level.
const maxLevel = 1<<16 - 1

func newKey(level int, code string) key {
	return key([]byte{byte(level >> 8), byte(level)}) + key(code)
}

func (k key) level() int   { return int(k[0])<<8 | int(k[1]) }
func (k key) code() string { return string(k[2:]) }

// A queue has the positions that have been met and have no entry yet. It keeps some in memory and the
// others in sorted temporary files, which are merged when there are many.
type queue struct {
	later []key         // of higher levels than the present one, in any order
	bytes int           // that later takes
	now   []key         // of the present level, in order
	files []*file       // each in order, with a head, of no level that has passed
	left  func() uint64 // more positions are an error
}

// Bounds of a queue; variables for the tests. now was a part of later, so it takes as much at most.
var (
	memoryBytes = 8 << 20
	mostFiles   = 16
)

// add adds a position of a higher level than the present one.
func (q *queue) add(k key) error {
	q.later = append(q.later, k)
	if q.bytes += size(k); q.bytes < memoryBytes {
		return nil
	}
	if q.sort(); q.bytes < memoryBytes/2 {
		return nil
	}
	return q.spill()
}

// size is what a key takes in memory.
func size(k key) int { return 16 + len(k) }

// sort sorts the later positions and removes repetitions.
func (q *queue) sort() {
	slices.Sort(q.later)
	q.later = slices.Compact(q.later)
	q.bytes = 0
	for _, k := range q.later {
		q.bytes += size(k)
	}
}

// each passes on every position once, in order, with those that do adds meanwhile.
func (q *queue) each(do func(key) error) error {
	for {
		level, ok := q.begin()
		for ok {
			var k key
			var err error
			if k, ok, err = q.next(level); ok {
				err = do(k)
			}
			if err != nil {
				return err
			}
		}
		if len(q.later) == 0 && len(q.files) == 0 {
			return nil
		}
	}
}

// begin begins the lowest level that has positions, if there is one.
func (q *queue) begin() (level int, ok bool) {
	q.sort()
	if ok = len(q.later) > 0; ok {
		level = q.later[0].level()
	}
	for _, f := range q.files {
		if at := f.head.level(); !ok || at < level {
			level, ok = at, true
		}
	}
	n := 0
	for n < len(q.later) && q.later[n].level() == level {
		q.bytes -= size(q.later[n])
		n++
	}
	q.now, q.later = q.later[:n:n], q.later[n:]
	return level, ok
}

// next removes and returns the first position of now and the files, if it is not above a level.
func (q *queue) next(level int) (first key, ok bool, err error) {
	if ok = len(q.now) > 0; ok {
		first = q.now[0]
	}
	for _, f := range q.files {
		if f.head.level() <= level && (!ok || f.head < first) {
			first, ok = f.head, true
		}
	}
	if !ok {
		return first, false, nil
	}
	if len(q.now) > 0 && q.now[0] == first {
		q.now = q.now[1:]
	}
	for i := 0; i < len(q.files); {
		f := q.files[i]
		if f.head == first {
			err = f.advance()
		}
		switch {
		case err == io.EOF:
			f.remove()
			q.files = slices.Delete(q.files, i, i+1)
		case err != nil:
			return first, false, err
		default:
			i++
		}
		err = nil
	}
	return first, true, nil
}

// spill writes the later positions to a file, and joins all files to one if there are many.
func (q *queue) spill() error {
	from := queue{now: q.later}
	if len(q.files) == mostFiles {
		from.files, q.files = q.files, nil
	}
	defer from.close()
	merged := len(from.files) > 0
	f, n, err := writeFile(&from)
	if err != nil {
		return err
	}
	q.files, q.later, q.bytes = append(q.files, f), q.later[:0], 0
	if most := q.left(); merged && n > most {
		return &Error{Problem: fmt.Sprintf("%d moves are left for %d positions at least", most, n)}
	}
	return nil
}

// close removes the files.
func (q *queue) close() {
	for _, f := range q.files {
		f.remove()
	}
}

// A file is a temporary file of keys in ascending order, each after its length in two bytes.
type file struct {
	*os.File
	in   *bufio.Reader
	head key // the next one
}

// writeFile writes a file of all positions of a queue and returns their number, which is not 0.
func writeFile(from *queue) (_ *file, n uint64, err error) {
	f, err := os.CreateTemp("", "trefoil-certificate-")
	if err != nil {
		return nil, 0, err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	for {
		k, ok, nextErr := from.next(maxLevel)
		if !ok {
			err = nextErr
			break
		}
		n++
		_, _ = w.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(k))))
		_, _ = w.WriteString(string(k)) // Flush returns the error
	}
	to := &file{File: f, in: bufio.NewReaderSize(f, 1<<16)}
	err = errors.Join(err, w.Flush())
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = to.advance()
	}
	if err != nil {
		to.remove()
		return nil, 0, err
	}
	return to, n, nil
}

// advance reads the next head. It returns io.EOF after the last one.
func (f *file) advance() error {
	var length [2]byte
	if _, err := io.ReadFull(f.in, length[:]); err != nil {
		return err
	}
	b := make([]byte, binary.LittleEndian.Uint16(length[:]))
	if _, err := io.ReadFull(f.in, b); err != nil {
		return errors.Join(errors.New(f.Name()), err)
	}
	f.head = key(b)
	return nil
}

// remove closes and removes the file.
func (f *file) remove() {
	_ = f.Close()
	_ = os.Remove(f.Name())
}
