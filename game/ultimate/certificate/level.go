package certificate

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"trefoil/game/ultimate"
)

// A level is a set of positions in the order of their codes. It keeps some in memory, and the others in sorted
// temporary files, which are merged when there are many.
type level struct {
	codes []ultimate.Code
	files []*os.File
	left  func() uint64 // a level of more positions is an error
}

// Bounds of what a level has; variables for the tests.
var (
	memoryCodes = 1 << 18 // 5 MB
	mostFiles   = 16
)

// add adds a position.
func (l *level) add(c ultimate.Code) error {
	l.codes = append(l.codes, c)
	if len(l.codes) < memoryCodes {
		return nil
	}
	if l.sort(); len(l.codes) < memoryCodes/2 {
		return nil
	}
	return l.spill()
}

// sort sorts the positions in memory and removes repetitions.
func (l *level) sort() {
	slices.SortFunc(l.codes, func(a, b ultimate.Code) int { return bytes.Compare(a[:], b[:]) })
	l.codes = slices.Compact(l.codes)
}

// spill writes the positions in memory to a file.
func (l *level) spill() error {
	if len(l.files) == mostFiles {
		return l.merge()
	}
	f, _, err := writeFile(func(write func(ultimate.Code) error) error {
		for _, c := range l.codes {
			if err := write(c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.files, l.codes = append(l.files, f), l.codes[:0]
	return nil
}

// merge makes one file of all files and the positions in memory.
func (l *level) merge() error {
	f, n, err := writeFile(l.each)
	if err != nil {
		return err
	}
	one := l.codes[0]
	l.close()
	l.files = []*os.File{f}
	if most := l.left(); n > most {
		return &Error{one.Position(),
			fmt.Sprintf("%d moves are left for at least %d positions, among them this one", most, n)}
	}
	return nil
}

// writeFile writes a temporary file with the codes that all passes on.
func writeFile(all func(write func(ultimate.Code) error) error) (f *os.File, n uint64, err error) {
	if f, err = os.CreateTemp("", "trefoil-certificate-"); err != nil {
		return nil, 0, err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = all(func(c ultimate.Code) error {
		n++
		_, err := w.Write(c[:])
		return err
	})
	if err = errors.Join(err, w.Flush()); err != nil {
		remove(f)
		return nil, 0, err
	}
	return f, n, nil
}

// remove closes and removes a temporary file.
func remove(f *os.File) {
	_ = f.Close()
	_ = os.Remove(f.Name())
}

// each passes on every position once, in order.
func (l *level) each(do func(ultimate.Code) error) error {
	l.sort()
	sources := []source{&memory{codes: l.codes}}
	for _, f := range l.files {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		sources = append(sources, &file{in: bufio.NewReaderSize(f, 1<<16)})
	}
	heads := make([]ultimate.Code, 0, len(sources))
	for i := 0; i < len(sources); {
		if c, ok, err := sources[i].next(); err != nil {
			return err
		} else if ok {
			heads = append(heads, c)
			i++
		} else {
			sources = slices.Delete(sources, i, i+1)
		}
	}
	for len(sources) > 0 {
		least := heads[0]
		for _, c := range heads[1:] {
			if bytes.Compare(c[:], least[:]) < 0 {
				least = c
			}
		}
		if err := do(least); err != nil {
			return err
		}
		for i := 0; i < len(sources); {
			if heads[i] != least {
				i++
				continue
			}
			c, ok, err := sources[i].next()
			if err != nil {
				return err
			}
			if heads[i] = c; !ok {
				sources, heads = slices.Delete(sources, i, i+1), slices.Delete(heads, i, i+1)
			}
		}
	}
	return nil
}

// close removes the files and frees the memory.
func (l *level) close() {
	for _, f := range l.files {
		remove(f)
	}
	l.files, l.codes = nil, nil
}

// A source returns ascending codes, ok false after the last one.
type source interface {
	next() (c ultimate.Code, ok bool, err error)
}

type memory struct{ codes []ultimate.Code }

func (m *memory) next() (c ultimate.Code, ok bool, err error) {
	if len(m.codes) == 0 {
		return c, false, nil
	}
	c, m.codes = m.codes[0], m.codes[1:]
	return c, true, nil
}

type file struct{ in *bufio.Reader }

func (f *file) next() (c ultimate.Code, ok bool, err error) {
	if _, err = io.ReadFull(f.in, c[:]); err == io.EOF {
		return c, false, nil
	}
	return c, err == nil, err
}
