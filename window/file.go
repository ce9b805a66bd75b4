package window

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc64"
	"io"
	"os"
	"runtime"

	"trefoil/internal/intact"
)

// A saved table is a header, its used entries in the order of their slots, and a checksum.
// All numbers are little-endian.
//
//	offset  bytes
//	0       8      "TREFWIN\n"
//	8       4      version of this format
//	12      4      bytes of an entry
//	16      8      slots of the table
//	24      8      present generation
//	32      8      entries in the file
//	40      3×64   game, convention, seed: text filled up with zeros
//	232     n×32   the entries: words 0 to 2, then the slots since the entry before in the
//	               place of the synchronisation, then the rest of word 3
//	        8      CRC-64 (ECMA) of the entries and then the header
const (
	magic       = "TREFWIN\n"
	version     = 1
	labelBytes  = 64
	labelStart  = 40
	headerBytes = labelStart + 3*labelBytes
	sumBytes    = 8
)

// A Label says what the keys and claims of a saved table mean. Each text has at most 64
// bytes and no zeros in it.
type Label struct {
	Game       string // whose positions
	Convention string // who attacks, and what counts as success
	Seed       string // of the key words
}

func (l Label) fields() [3]struct{ name, text string } {
	return [3]struct{ name, text string }{{"game", l.Game}, {"convention", l.Convention}, {"seed", l.Seed}}
}

var ecma = crc64.MakeTable(crc64.ECMA)

type header struct {
	slots, generation, entries uint64
	label                      Label
}

func (h header) bytes() ([]byte, error) {
	b := make([]byte, headerBytes)
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[8:], version)
	binary.LittleEndian.PutUint32(b[12:], BytesPerEntry)
	binary.LittleEndian.PutUint64(b[16:], h.slots)
	binary.LittleEndian.PutUint64(b[24:], h.generation)
	binary.LittleEndian.PutUint64(b[32:], h.entries)
	for i, f := range h.label.fields() {
		at := labelStart + i*labelBytes
		if err := intact.PutText(b[at:at+labelBytes], f.name, f.text); err != nil {
			return nil, fmt.Errorf("window: %w", err)
		}
	}
	return b, nil
}

// Save writes the table to a file, which is replaced when all is written and not before:
// whatever happens meanwhile, the file is either the old or the new one, whole. Workers may
// go on; every entry is saved as it is at some moment, and without its synchronisation.
// While it writes there is a file with ".part" after its name.
func (t *Table) Save(ctx context.Context, path string, label Label) error {
	head := header{slots: t.slots, generation: t.current.Load(), label: label}
	if _, err := head.bytes(); err != nil {
		return err
	}
	err := intact.Write(path, magic, func(f *os.File) error { return t.writeAll(ctx, f, head) })
	if err != nil {
		return fmt.Errorf("window: saving: %w", err)
	}
	return nil
}

// pieceSlots is how many slots are worked on between looks at the context.
const pieceSlots = 1 << 14

func (t *Table) writeAll(ctx context.Context, f *os.File, head header) error {
	if _, err := f.Seek(headerBytes, io.SeekStart); err != nil {
		return err
	}
	sum, last := crc64.New(ecma), uint64(0)
	w := bufio.NewWriterSize(io.MultiWriter(f, sum), 1<<20)
	for slot := range t.slots {
		if slot%pieceSlots == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e := t.entry(slot).wait()
		if e.bounds == 0 {
			continue
		}
		var b [BytesPerEntry]byte
		binary.LittleEndian.PutUint64(b[0:], e.key)
		binary.LittleEndian.PutUint64(b[8:], e.bounds)
		binary.LittleEndian.PutUint64(b[16:], e.effort)
		binary.LittleEndian.PutUint32(b[24:], uint32(min(slot-last, 1<<32-1)))
		binary.LittleEndian.PutUint32(b[28:], e.tail)
		if _, err := w.Write(b[:]); err != nil {
			return err
		}
		last = slot
		head.entries++
	}
	if err := w.Flush(); err != nil {
		return err
	}
	top, err := head.bytes()
	if err != nil {
		return err
	}
	_, _ = sum.Write(top)
	if _, err := f.Write(binary.LittleEndian.AppendUint64(nil, sum.Sum64())); err != nil {
		return err
	}
	_, err = f.WriteAt(top, 0)
	return err
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

// Load replaces all that is in the table by what is in a file. The file is checked from its
// first byte to its last before anything is changed; an error is a *intact.Error that names
// what does not fit, or the system's. Into a table of another size entries are stored as a
// search would store them, so that a smaller one keeps those of the most work.
func (t *Table) Load(ctx context.Context, path string, label Label) error {
	f, size, err := intact.Open(path)
	if err != nil {
		return fmt.Errorf("window: loading: %w", err)
	}
	defer f.Close()
	head, err := verify(ctx, f, path, size, label)
	if err != nil {
		return fmt.Errorf("window: loading: %w", err)
	}
	if err := t.Clear(ctx); err != nil {
		return err
	}
	t.dirty.Store(true)
	t.current.Store(head.generation)
	if _, err := f.Seek(headerBytes, io.SeekStart); err != nil {
		return fmt.Errorf("window: loading: %w", err)
	}
	slot, h := uint64(0), t.Handle()
	return each(ctx, f, path, head.entries, func(w words, gap uint64) {
		slot += gap
		at := slot
		if head.slots != t.slots || at >= t.slots {
			at = h.slotFor(w.key, head.generation)
		}
		t.entry(at).write(w)
		t.setIndexByte(at, indexByte(w.key))
	})
}

// verify reads a whole file and returns its header if everything in it is as it should be.
func verify(ctx context.Context, f *os.File, path string, size int64, label Label) (header, error) {
	wrong := func(what, got, want string) (header, error) {
		return header{}, &intact.Error{Path: path, What: what, Got: got, Want: want}
	}
	top := make([]byte, headerBytes)
	n, err := io.ReadFull(f, top)
	if n >= len(magic) && string(top[:len(magic)]) != magic {
		return wrong("magic", fmt.Sprintf("%q", top[:len(magic)]), fmt.Sprintf("%q", magic))
	}
	if err != nil {
		return wrong("length", fmt.Sprint(n), fmt.Sprintf("at least %d: truncated", headerBytes+sumBytes))
	}
	if v := binary.LittleEndian.Uint32(top[8:]); v != version {
		return wrong("version", fmt.Sprint(v), fmt.Sprint(version))
	}
	if s := binary.LittleEndian.Uint32(top[12:]); s != BytesPerEntry {
		return wrong("entry size", fmt.Sprint(s), fmt.Sprint(BytesPerEntry))
	}
	head := header{
		slots:      binary.LittleEndian.Uint64(top[16:]),
		generation: binary.LittleEndian.Uint64(top[24:]),
		entries:    binary.LittleEndian.Uint64(top[32:]),
	}
	entries := uint64(size-headerBytes) / BytesPerEntry // the checksum is less than an entry
	if uint64(size) != headerBytes+sumBytes+entries*BytesPerEntry || entries != head.entries {
		return wrong("length", fmt.Sprint(size),
			fmt.Sprintf("%d+%d×%d: truncated or damaged", headerBytes+sumBytes, head.entries, BytesPerEntry))
	}
	got, err := checksum(ctx, f, path, head.entries, top)
	if err != nil {
		return header{}, err
	}
	var tail [sumBytes]byte
	if _, err := io.ReadFull(f, tail[:]); err != nil {
		return header{}, err
	}
	if want := binary.LittleEndian.Uint64(tail[:]); got != want {
		return wrong("checksum", fmt.Sprintf("%#x", got), fmt.Sprintf("%#x", want))
	}
	for i, f := range label.fields() {
		at := labelStart + i*labelBytes
		if text := intact.Text(top[at : at+labelBytes]); text != f.text {
			return wrong(f.name, fmt.Sprintf("%q", text), fmt.Sprintf("%q", f.text))
		}
	}
	if head.generation < 1 || head.generation > generationMask {
		return wrong("generation", fmt.Sprint(head.generation), fmt.Sprintf("1 to %d", generationMask))
	}
	return head, nil
}

// checksum reads the entries, and no byte more, and returns the sum of them and the header.
func checksum(ctx context.Context, f io.Reader, path string, entries uint64, top []byte) (uint64, error) {
	sum := crc64.New(ecma)
	if err := copyPieces(ctx, sum, f, path, entries*BytesPerEntry); err != nil {
		return 0, err
	}
	_, _ = sum.Write(top)
	return sum.Sum64(), nil
}

func copyPieces(ctx context.Context, to hash.Hash, from io.Reader, path string, n uint64) error {
	for n > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := min(n, pieceSlots*BytesPerEntry)
		if _, err := io.CopyN(to, from, int64(part)); err != nil {
			return err
		}
		n -= part
	}
	return nil
}

// each reads so many entries and hands them over with the slots since the one before.
func each(ctx context.Context, f io.Reader, path string, entries uint64, do func(w words, gap uint64)) error {
	r := bufio.NewReaderSize(f, 1<<20)
	for i := range entries {
		if i%pieceSlots == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var b [BytesPerEntry]byte
		if _, err := io.ReadFull(r, b[:]); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("window: loading %s: %w", path, err)
		}
		do(words{
			key:    binary.LittleEndian.Uint64(b[0:]),
			bounds: binary.LittleEndian.Uint64(b[8:]),
			effort: binary.LittleEndian.Uint64(b[16:]),
			tail:   binary.LittleEndian.Uint32(b[28:]),
		}, uint64(binary.LittleEndian.Uint32(b[24:])))
	}
	return nil
}
