package cluster

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/intact"
)

// header describes the table.
func (t *Table) header(label Label) Header {
	return Header{
		Label: label, MiB: t.plan.MiB, Clusters: t.plan.Clusters, Index: t.index, KeyBits: t.keyBits,
		Generation: int(t.generation.Load() >> generationShift),
	}
}

// Save writes the table to a file, which is replaced when all is written and not before:
// whatever happens meanwhile, the file is either the old or the new one, whole. A file that is
// no saved hash is not replaced. While it writes there is a file with ".part" after its name.
// tell, unless it is nil, is called after every block with the bytes that are written and those
// that will be. It returns the header of the file.
//
// Workers may go on. A file that is written beside a search holds every entry as it is at
// some moment of the pass, and what Probe promises of an entry holds for it as well; it is
// not the table as it was at one moment.
func (t *Table) Save(ctx context.Context, path string, label Label, tell func(done, total uint64)) (Header, error) {
	h := t.header(label)
	_, err := h.encode()
	if err == nil {
		err = intact.Write(path, fileMagic, func(f *os.File) error { return t.write(ctx, f, &h, tell) })
	}
	if err != nil {
		return Header{}, fmt.Errorf("saving the hash: %w", err)
	}
	return h, nil
}

// write writes the table, and its header last, to which it adds what it finds.
func (t *Table) write(ctx context.Context, f *os.File, h *Header, tell func(done, total uint64)) error {
	if _, err := f.Seek(headerBytes, io.SeekStart); err != nil {
		return err
	}
	block, sums := make([]byte, BlockBytes), []byte(nil)
	for at := uint64(0); at < h.bytes(); at += BlockBytes {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := block[:min(BlockBytes, h.bytes()-at)]
		h.Entries += t.copyOut(b, at)
		sums = binary.LittleEndian.AppendUint32(sums, checksum(b))
		if _, err := f.Write(b); err != nil {
			return err
		}
		if tell != nil {
			tell(at+uint64(len(b)), h.bytes())
		}
	}
	if _, err := f.Write(sums); err != nil {
		return err
	}
	h.sums = checksum(sums)
	top, err := h.encode()
	if err != nil {
		return err
	}
	_, err = f.WriteAt(top, 0)
	return err
}

// copyOut fills b with the clusters from byte at on and returns how many entries they hold.
// It reads words before lanes, as Probe does.
func (t *Table) copyOut(b []byte, at uint64) (entries uint64) {
	for i := 0; i < len(b); i += BytesPerCluster {
		c := (*words)(unsafe.Add(t.base, at+uint64(i)))
		to := b[i : i+BytesPerCluster : i+BytesPerCluster]
		for j := range c {
			w := atomic.LoadUint64(&c[j])
			binary.LittleEndian.PutUint64(to[8*j:], w)
			if j < 3 && w != 0 {
				entries++
			}
		}
	}
	return entries
}

// copyIn is the way back.
func (t *Table) copyIn(b []byte, at uint64) {
	for i := 0; i < len(b); i += BytesPerCluster {
		c := (*words)(unsafe.Add(t.base, at+uint64(i)))
		from := b[i : i+BytesPerCluster : i+BytesPerCluster]
		for j := range c {
			c[j] = binary.LittleEndian.Uint64(from[8*j:])
		}
	}
}

// Load replaces all that is in the table by what is in a file of the same label, size,
// index and key bits; its error names what is not the same. Like Clear it is for the time
// between searches.
//
// The file is checked from its first byte to its last before anything is changed, so that
// after an error the table is as it was. An empty table has nothing to lose, and is filled
// while the file is checked; after an error it is empty. So it is, too, if a file that was
// whole a moment ago cannot be read for a second time. tell is called as by Save, with the
// bytes of both times. The header that it returns is that of the file, also of one that is
// whole and does not fit.
func (t *Table) Load(ctx context.Context, path string, label Label, tell func(done, total uint64)) (Header, error) {
	s, err := openSaved(path)
	if err != nil {
		return Header{}, fmt.Errorf("loading the hash: %w", err)
	}
	defer s.Close()
	if err = t.fits(s, label); err == nil {
		err = t.read(ctx, s, tell)
	}
	if err != nil {
		return s.head, fmt.Errorf("loading the hash: %w", err)
	}
	return s.head, nil
}

// read is Load from a file that fits.
func (t *Table) read(ctx context.Context, s *saved, tell func(done, total uint64)) error {
	total, done := s.head.bytes(), uint64(0)
	count := func(b []byte) {
		done += uint64(len(b))
		if tell != nil {
			tell(done, total)
		}
	}
	if t.dirty.Load() {
		total *= 2
		if err := s.pass(ctx, func(b []byte, _ uint64) { count(b) }); err != nil {
			return err
		}
		ctx = context.WithoutCancel(ctx) // there is no way back
	}
	t.dirty.Store(true)
	err := s.pass(ctx, func(b []byte, at uint64) {
		t.copyIn(b, at)
		count(b)
	})
	if err != nil {
		_ = t.Clear(context.Background()) // which fails only if the memory is gone
		return err
	}
	t.generation.Store(uint64(s.head.Generation) << generationShift)
	t.dirty.Store(s.head.Entries > 0)
	return nil
}

// fits compares a file with the table.
func (t *Table) fits(s *saved, label Label) error {
	ours, size := t.header(label), func(h Header) string {
		return fmt.Sprintf("%d MiB with index %s", h.Clusters/ClustersPerMiB, h.Index)
	}
	for _, c := range []struct{ what, got, want string }{
		{"game", s.head.Game, ours.Game},
		{"seed", s.head.Seed, ours.Seed},
		{"size", size(s.head), size(ours)},
		{"count of key bits", fmt.Sprint(s.head.KeyBits), fmt.Sprint(ours.KeyBits)},
	} {
		if c.got != c.want {
			return &intact.Error{Path: s.path, What: c.what, Got: c.got, Want: c.want}
		}
	}
	return nil
}

// Inspect reads what a file says of itself. Its header and its length are checked, not
// what comes after them.
func Inspect(path string) (Header, error) {
	s, err := openSaved(path)
	if err != nil {
		return Header{}, fmt.Errorf("inspecting a hash: %w", err)
	}
	return s.head, s.Close()
}

// Verify reads a file from its first byte to its last. Its error names the first block that
// is damaged and where it begins.
func Verify(ctx context.Context, path string, tell func(done, total uint64)) (Header, error) {
	s, err := openSaved(path)
	if err != nil {
		return Header{}, fmt.Errorf("verifying a hash: %w", err)
	}
	defer s.Close()
	err = s.pass(ctx, func(b []byte, at uint64) {
		if tell != nil {
			tell(at+uint64(len(b)), s.head.bytes())
		}
	})
	if err != nil {
		return s.head, fmt.Errorf("verifying a hash: %w", err)
	}
	return s.head, nil
}

// saved is a file that is read.
type saved struct {
	*os.File
	path string
	head Header
}

// openSaved opens a file and checks its header and its length.
func openSaved(path string) (*saved, error) {
	f, size, err := intact.Open(path)
	if err != nil {
		return nil, err
	}
	head, err := readHeader(f, path, size)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &saved{f, path, head}, nil
}

// pass reads the table in a file block by block, and hands over each with the byte of the
// table at which it begins, once its checksum is found right.
func (s *saved) pass(ctx context.Context, use func(b []byte, at uint64)) error {
	total := s.head.bytes()
	sums := make([]byte, s.head.Blocks()*sumBytes)
	if _, err := s.ReadAt(sums, int64(headerBytes+total)); err != nil {
		return err
	}
	if got := checksum(sums); got != s.head.sums {
		return &intact.Error{Path: s.path, What: fmt.Sprintf("checksum of the checksums at byte %d", headerBytes+total), Got: hex(got), Want: hex(s.head.sums)}
	}
	block := make([]byte, BlockBytes)
	for i := range s.head.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := i * BlockBytes
		b := block[:min(BlockBytes, total-at)]
		if _, err := s.ReadAt(b, int64(headerBytes+at)); err != nil {
			return err
		}
		if got, want := checksum(b), binary.LittleEndian.Uint32(sums[i*sumBytes:]); got != want {
			what := fmt.Sprintf("checksum of block %d of %d, at byte %d,", i+1, s.head.Blocks(), headerBytes+at)
			return &intact.Error{Path: s.path, What: what, Got: hex(got), Want: hex(want)}
		}
		use(b, at)
	}
	return nil
}
