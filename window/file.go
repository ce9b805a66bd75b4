package window

import (
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"unicode"

	"trefoil/internal/container"
)

// A Label says what the keys and goals of a saved table mean.
type Label struct {
	Game       string `json:"game"`       // its name
	Convention string `json:"convention"` // which side attacks, and what counts as success
	Seed       string `json:"seed"`       // of the key words
}

// A Header describes a saved table. Its first fields are the header of the container. The blocks are the
// used entries in the order of their slots: words 0 to 2, then, in place of the synchronisation, the number
// of slots since the previous entry, then the rest of word 3, little-endian.
type Header struct {
	Label
	Slots      uint64 `json:"slots"`
	Generation uint64 `json:"generation"`

	Entries   uint64 `json:"-"`
	Solved    uint64 `json:"-"` // of the entries; 0 unless the file was verified
	Blocks    uint64 `json:"-"` // only of a file that was read
	FileBytes uint64 `json:"-"` // likewise
}

// summary is written at the end of the container.
type summary struct {
	Entries uint64 `json:"entries"`
}

// Save writes the table to a file or a stream. A new file replaces the old one in one step at the end, so
// the file is complete at any time. Workers may continue; every entry is saved as it is at some moment,
// without its synchronisation. An unfinished Rehash is finished first. progress, unless nil, is called with
// the slots that have been saved and all in use.
func (t *Table) Save(ctx context.Context, out container.Output, label Label,
	progress func(done, total uint64)) (Header, error) {
	if err := t.Rehash(ctx); err != nil {
		return Header{}, fmt.Errorf("saving the table: %w", err)
	}
	h := Header{Label: label, Slots: t.slots, Generation: t.current.Load()}
	err := container.Write(out, container.Proofs, h, func(w *container.Writer) (any, error) {
		err := t.write(ctx, w, &h, progress)
		return summary{h.Entries}, err
	})
	if err != nil {
		return Header{}, fmt.Errorf("saving the table: %w", err)
	}
	return h, nil
}

// maxGap is the largest number of slots since the previous entry in a file. It stands for greater ones too.
const maxGap = 1<<32 - 1

// pieceSlots is how many slots are processed between two checks of the context.
const pieceSlots = 1 << 14

// write writes the used entries and counts them.
func (t *Table) write(ctx context.Context, w *container.Writer, h *Header, progress func(done, total uint64)) error {
	block, last := make([]byte, 0, container.MaxBlock), uint64(0)
	for slot := range t.slots {
		if slot%pieceSlots == 0 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if progress != nil {
				progress(slot, t.slots)
			}
		}
		e := t.entry(slot).wait()
		if e.bounds == 0 {
			continue
		}
		// In the file no entry is newer than its header, also if a search has begun meanwhile.
		generation, current := e.effort>>generationShift&generationMask, t.current.Load()
		if age(generation, current) < age(h.Generation, current) {
			e.effort ^= (generation ^ h.Generation) << generationShift
		}
		block = binary.LittleEndian.AppendUint64(block, e.key)
		block = binary.LittleEndian.AppendUint64(block, e.bounds)
		block = binary.LittleEndian.AppendUint64(block, e.effort)
		block = binary.LittleEndian.AppendUint32(block, uint32(min(slot-last, maxGap)))
		block = binary.LittleEndian.AppendUint32(block, e.tail)
		last = slot
		h.Entries++
		if len(block) == cap(block) {
			if err := w.WriteBlock(block); err != nil {
				return err
			}
			block = block[:0]
		}
	}
	if progress != nil {
		progress(t.slots, t.slots)
	}
	if len(block) > 0 {
		return w.WriteBlock(block)
	}
	return nil
}

// wait returns an entry as it is between two writers, however long that takes.
func (e *entry) wait() words {
	for {
		if w, ok := e.read(); ok {
			return w
		}
		runtime.Gosched()
	}
}

// Load replaces the contents of the table with the contents of a file or a stream, and continues its
// generation. An error is a *container.Error that names what does not fit, or an error of the system. A
// table smaller than the saved one keeps the entries of the greatest replacement value.
//
// After an error a table that was not empty is as it was, because the whole file is verified before the
// table is changed; a stream is copied to a temporary file for that. An empty table is filled at once, and
// is empty after an error, as any table is after one in the second reading of a verified file. The end of the
// context counts as an error.
//
// progress, unless nil, is called as by Verify, for every reading of the file. The header of the file is
// returned even if it does not fit the table.
func (t *Table) Load(ctx context.Context, in container.Input, label Label,
	progress func(done, total uint64)) (Header, error) {
	f, err := open(in)
	if err != nil {
		return Header{}, fmt.Errorf("loading the table: %w", err)
	}
	defer f.Close()
	if err = f.matches(label); err == nil {
		err = t.load(ctx, f, progress)
	}
	if err != nil {
		return f.header, fmt.Errorf("loading the table: %w", err)
	}
	return f.header, nil
}

// load is Load from a file that fits.
func (t *Table) load(ctx context.Context, f *file, progress func(done, total uint64)) error {
	if t.dirty.Load() || t.rehashing() {
		if err := f.Keep(); err != nil {
			return err
		}
		if err := f.verify(ctx, progress); err != nil {
			return err
		}
		if err := t.Clear(context.Background()); err != nil { // all of it, whatever comes
			return err
		}
	}
	t.dirty.Store(true)
	if err := t.fill(ctx, f, progress); err != nil {
		_ = t.Clear(context.Background()) // which fails only if the memory is gone
		return err
	}
	return nil
}

// fill writes the entries of a file into the table, which is empty.
func (t *Table) fill(ctx context.Context, f *file, progress func(done, total uint64)) error {
	t.current.Store(f.header.Generation)
	slot, known, h := uint64(0), f.header.Slots == t.slots, t.Handle()
	return f.each(ctx, progress, func(w words, gap uint64) {
		slot, known = slot+gap, known && gap < maxGap
		if !known || slot >= t.slots {
			h.put(w)
			return
		}
		t.entry(slot).write(w)
		t.setIndexByte(slot, indexByte(w.key))
	})
}

// A file is a saved table that is being read.
type file struct {
	*container.Reader
	header  Header // its last fields are set by complete
	summary summary
}

// open opens a file and checks its header.
func open(in container.Input) (*file, error) {
	f := new(file)
	r, err := container.Open(in, container.Proofs, &f.header, &f.summary)
	if err != nil {
		return nil, err
	}
	f.Reader = r
	if err := f.check(); err != nil {
		_ = r.Close()
		return nil, err
	}
	f.complete()
	return f, nil
}

// complete sets the fields of the header that only the end of the file tells.
func (f *file) complete() {
	f.header.Entries, f.header.Blocks, f.header.FileBytes = f.summary.Entries, f.Blocks(), f.Size()
}

// check returns an error if no table can have this header.
func (f *file) check() error {
	for _, text := range []string{f.header.Game, f.header.Convention, f.header.Seed} {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return f.Errorf("header has control characters: %.60q", text)
		}
	}
	if g := f.header.Generation; g < 1 || g > generationMask {
		return f.Errorf("generation is %d, expected 1 to %d", g, generationMask)
	}
	return nil
}

// matches returns an error unless the file has the label.
func (f *file) matches(label Label) error {
	for _, c := range []struct{ name, got, want string }{
		{"game", f.header.Game, label.Game}, {"convention", f.header.Convention, label.Convention},
		{"seed", f.header.Seed, label.Seed},
	} {
		if c.got != c.want {
			return f.Errorf("%s is %q, expected %q", c.name, c.got, c.want)
		}
	}
	return nil
}

// each calls do with every entry and the number of slots since the previous one. It ends with an error if
// anything in the file is wrong.
func (f *file) each(ctx context.Context, progress func(done, total uint64), do func(w words, gap uint64)) error {
	entries := uint64(0)
	err := f.Each(ctx, func(block []byte, _ uint64) error {
		if len(block)%BytesPerEntry != 0 {
			return f.Errorf("length of a block is %d, expected a multiple of %d", len(block), BytesPerEntry)
		}
		for ; len(block) > 0; block = block[BytesPerEntry:] {
			w := words{
				key:    binary.LittleEndian.Uint64(block[0:]),
				bounds: binary.LittleEndian.Uint64(block[8:]),
				effort: binary.LittleEndian.Uint64(block[16:]),
				tail:   binary.LittleEndian.Uint32(block[28:]),
			}
			if entries++; w.bounds == 0 {
				return f.Errorf("φ and δ of entry %d are 0, expected at least one that is not", entries)
			}
			do(w, uint64(binary.LittleEndian.Uint32(block[24:])))
			if progress != nil && entries%(1<<16) == 0 {
				progress(entries, f.summary.Entries)
			}
		}
		return nil
	})
	if err == nil && entries != f.summary.Entries {
		err = f.Errorf("count of entries is %d, expected %d", entries, f.summary.Entries)
	}
	f.complete()
	return err
}

// verify reads a whole file and counts the solved entries.
func (f *file) verify(ctx context.Context, progress func(done, total uint64)) error {
	return f.each(ctx, progress, func(w words, _ uint64) {
		if w.unpack().Solved() {
			f.header.Solved++
		}
	})
}

// Inspect checks the beginning, the end and the length of a file, and returns what they say. A stream is
// verified.
func Inspect(ctx context.Context, in container.Input) (Header, error) {
	return read(ctx, in, false, nil)
}

// Verify reads a file from its first byte to its last. Its error names the first damaged block and where it
// begins. progress is called with numbers of entries; the total is 0 if it is not known.
func Verify(ctx context.Context, in container.Input, progress func(done, total uint64)) (Header, error) {
	return read(ctx, in, true, progress)
}

// read returns the header of a file. It verifies the file if that is asked for, or if the header is
// incomplete without it.
func read(ctx context.Context, in container.Input, verify bool, progress func(done, total uint64)) (Header, error) {
	f, err := open(in)
	if err != nil {
		return Header{}, err
	}
	defer f.Close()
	if verify || !f.Complete() {
		err = f.verify(ctx, progress)
	}
	return f.header, err
}
