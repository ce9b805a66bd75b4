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

// header is that of the container. The blocks are the used entries in the order of their slots:
// words 0 to 2, then the slots since the entry before in the place of the synchronisation, then
// the rest of word 3, little-endian.
type header struct {
	Label
	Slots      uint64 `json:"slots"`
	Generation uint64 `json:"generation"`
}

// summary is that of the container.
type summary struct {
	Entries uint64 `json:"entries"`
}

// Save writes the table to a file. The new file replaces the old one in one step at the end, so
// that at any time the file is complete. Workers may continue; every entry is saved as it is at
// some moment, and without its synchronisation. An unfinished Rehash is finished first.
func (t *Table) Save(ctx context.Context, path string, label Label) error {
	if err := t.Rehash(ctx); err != nil {
		return fmt.Errorf("window: saving: %w", err)
	}
	head := header{label, t.slots, t.current.Load()}
	err := container.Write(path, container.Proofs, head, func(w *container.Writer) (any, error) {
		entries, err := t.write(ctx, w)
		return summary{entries}, err
	})
	if err != nil {
		return fmt.Errorf("window: saving: %w", err)
	}
	return nil
}

// pieceSlots is how many slots are worked on between looks at the context.
const pieceSlots = 1 << 14

// write writes the used entries and returns how many there are.
func (t *Table) write(ctx context.Context, w *container.Writer) (entries uint64, err error) {
	block, last := make([]byte, 0, container.MaxBlock), uint64(0)
	for slot := range t.slots {
		if slot%pieceSlots == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		e := t.entry(slot).wait()
		if e.bounds == 0 {
			continue
		}
		block = binary.LittleEndian.AppendUint64(block, e.key)
		block = binary.LittleEndian.AppendUint64(block, e.bounds)
		block = binary.LittleEndian.AppendUint64(block, e.effort)
		block = binary.LittleEndian.AppendUint32(block, uint32(min(slot-last, 1<<32-1)))
		block = binary.LittleEndian.AppendUint32(block, e.tail)
		last = slot
		entries++
		if len(block) == cap(block) {
			if err := w.WriteBlock(block); err != nil {
				return 0, err
			}
			block = block[:0]
		}
	}
	if len(block) > 0 {
		err = w.WriteBlock(block)
	}
	return entries, err
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

// Load replaces the contents of the table by those of a file. The whole file is verified before the
// table is changed; an error is a *container.Error that names what does not fit, or the system's.
// If the table has another size, a smaller one keeps the entries of the most work.
func (t *Table) Load(ctx context.Context, path string, label Label) error {
	if err := t.load(ctx, path, label); err != nil {
		return fmt.Errorf("window: loading: %w", err)
	}
	return nil
}

func (t *Table) load(ctx context.Context, path string, label Label) error {
	var head header
	var s summary
	r, err := container.Open(path, container.Proofs, &head, &s)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := head.matches(r, label); err != nil {
		return err
	}
	if _, err := verify(ctx, r, head, s, nil); err != nil {
		return err
	}
	if err := t.Clear(ctx); err != nil {
		return err
	}
	t.dirty.Store(true)
	t.current.Store(head.Generation)
	slot, h := uint64(0), t.Handle()
	return each(ctx, r, func(w words, gap uint64) error {
		slot += gap
		if head.Slots != t.slots || slot >= t.slots {
			h.put(w)
			return nil
		}
		t.entry(slot).write(w)
		t.setIndexByte(slot, indexByte(w.key))
		return nil
	})
}

// matches returns an error unless the file has the label.
func (h *header) matches(r *container.Reader, label Label) error {
	for _, f := range []struct{ name, got, want string }{
		{"game", h.Game, label.Game}, {"convention", h.Convention, label.Convention}, {"seed", h.Seed, label.Seed},
	} {
		if f.got != f.want {
			return r.Errorf("%s is %q, want %q", f.name, f.got, f.want)
		}
	}
	return nil
}

// verify reads a whole file and returns the number of solved entries, or an error if anything in it is wrong.
func verify(ctx context.Context, r *container.Reader, head header, s summary, progress func(done, total uint64)) (solved uint64, err error) {
	if head.Generation < 1 || head.Generation > generationMask {
		return 0, r.Errorf("generation is %d, want 1 to %d", head.Generation, generationMask)
	}
	entries := uint64(0)
	err = each(ctx, r, func(w words, _ uint64) error {
		if entries++; w.bounds == 0 {
			return r.Errorf("φ and δ of entry %d are 0, want at least one that is not", entries)
		}
		if w.unpack().Solved() {
			solved++
		}
		if progress != nil && entries%(1<<16) == 0 {
			progress(entries, s.Entries)
		}
		return nil
	})
	if err == nil && entries != s.Entries {
		err = r.Errorf("count of entries is %d, want %d", entries, s.Entries)
	}
	return solved, err
}

// A Header describes a saved table.
type Header struct {
	Label
	Slots, Generation uint64
	Entries, Solved   uint64 // Solved is 0 unless the file was verified
	Blocks, FileBytes uint64
}

// Inspect checks beginning, end and length of a file, and returns what they say.
func Inspect(path string) (Header, error) {
	h, err := open(path, nil)
	if err != nil {
		err = fmt.Errorf("inspecting proofs: %w", err)
	}
	return h, err
}

// Verify reads a file from its first byte to its last. Its error names the first block that is damaged and where it
// begins.
func Verify(ctx context.Context, path string, progress func(done, total uint64)) (Header, error) {
	h, err := open(path, func(r *container.Reader, head header, s summary) (uint64, error) {
		return verify(ctx, r, head, s, progress)
	})
	if err != nil {
		err = fmt.Errorf("verifying proofs: %w", err)
	}
	return h, err
}

// open returns the header of a file, with the solved entries that count finds unless it is nil.
func open(path string, count func(*container.Reader, header, summary) (uint64, error)) (h Header, err error) {
	var head header
	var s summary
	r, err := container.Open(path, container.Proofs, &head, &s)
	if err != nil {
		return h, err
	}
	defer r.Close()
	for _, text := range []string{head.Game, head.Convention, head.Seed} {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return h, r.Errorf("header has control characters: %.60q", text)
		}
	}
	h = Header{
		Label: head.Label, Slots: head.Slots, Generation: head.Generation,
		Entries: s.Entries, Blocks: r.Blocks(), FileBytes: r.Size(),
	}
	if count != nil {
		h.Solved, err = count(r, head, s)
	}
	return h, err
}

// each calls do with every entry of a file and the number of slots since the previous one.
func each(ctx context.Context, r *container.Reader, do func(w words, gap uint64) error) error {
	return r.Each(ctx, func(block []byte, _ uint64) error {
		if len(block)%BytesPerEntry != 0 {
			return r.Errorf("length of a block is %d, want a multiple of %d", len(block), BytesPerEntry)
		}
		for ; len(block) > 0; block = block[BytesPerEntry:] {
			err := do(words{
				key:    binary.LittleEndian.Uint64(block[0:]),
				bounds: binary.LittleEndian.Uint64(block[8:]),
				effort: binary.LittleEndian.Uint64(block[16:]),
				tail:   binary.LittleEndian.Uint32(block[28:]),
			}, uint64(binary.LittleEndian.Uint32(block[24:])))
			if err != nil {
				return err
			}
		}
		return nil
	})
}
