package cluster

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/container"
	"trefoil/internal/mem"
)

// header describes the table, with the generation at the beginning of a save. Searches, also of other processes that
// share the table, may begin later generations before the last block is written. After a load, entries more than
// maxAhead generations later count as the oldest. That changes only which entries are replaced first.
func (t *Table) header(label Label) Header {
	return Header{
		Label: label, MiB: t.plan.MiB, Clusters: t.plan.Clusters, Index: t.index, KeyBits: t.keyBits,
		Generation: int(t.generation.Load() & generationMask >> generationShift), Layout: layout,
		Copies: t.ageOfCopies(),
	}
}

// Save writes the table to a file or a stream. A new file replaces an old one in one step at the end, so
// the file is complete at any time; after an error the old one stays. Only a saved hash or an empty file is
// replaced. After an error a stream is incomplete, and no reader accepts it. progress, unless nil, is
// called after every block with the bytes written so far and in all. If the context ends, the error is its
// cause.
//
// An unfinished Rehash is finished first. Searches may continue meanwhile. Each entry in the file is then
// as consistent as one that Probe returns, but the file is not a snapshot of one moment.
func (t *Table) Save(ctx context.Context, out Output, label Label, progress func(done, total uint64)) (Header, error) {
	if err := t.Rehash(ctx); err != nil {
		return Header{}, fmt.Errorf("saving the hash: %w", err)
	}
	h := t.header(label)
	err := container.Write(out, container.Hash, h, func(w *container.Writer) (any, error) {
		err := t.write(ctx, w, &h, progress)
		return summary{h.Entries}, err
	})
	if err != nil {
		return Header{}, fmt.Errorf("saving the hash: %w", err)
	}
	return h, nil
}

// write writes the table in blocks, and counts its entries.
func (t *Table) write(ctx context.Context, w *container.Writer, h *Header, progress func(done, total uint64)) error {
	block, lost := make([]byte, BlockBytes), t.Lost()
	for at := uint64(0); at < h.bytes(); at += BlockBytes {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		b := block[:min(BlockBytes, h.bytes()-at)]
		if t.Guard(func() { h.Entries += t.copyOut(b, at) }) || t.Lost() != lost {
			return errLost
		}
		if err := w.WriteBlock(b); err != nil {
			return err
		}
		if progress != nil {
			progress(at+uint64(len(b)), h.bytes())
		}
	}
	return nil
}

// copyOut fills b with the clusters from byte at on and returns how many entries they hold besides copies.
// It reads words before evals, as Probe does.
func (t *Table) copyOut(b []byte, at uint64) (entries uint64) {
	copies := t.copies()
	for i := 0; i < len(b); i += BytesPerCluster {
		c := (*words)(unsafe.Add(t.base, at+uint64(i)))
		to := b[i : i+BytesPerCluster : i+BytesPerCluster]
		for j := range c {
			w := atomic.LoadUint64(&c[j])
			binary.LittleEndian.PutUint64(to[8*j:], w)
			if j < 3 && w != 0 && !copies.has(w) {
				entries++
			}
		}
	}
	return entries
}

// copyIn is the inverse of copyOut. It reports whether there is anything in b but zeros.
func (t *Table) copyIn(b []byte, at uint64) bool {
	all := uint64(0)
	for i := 0; i < len(b); i += BytesPerCluster {
		c := (*words)(unsafe.Add(t.base, at+uint64(i)))
		from := b[i : i+BytesPerCluster : i+BytesPerCluster]
		for j := range c {
			w := binary.LittleEndian.Uint64(from[8*j:])
			mem.StoreWord(&c[j], w)
			all |= w
		}
	}
	return all != 0
}

// Load replaces the contents of the table with the contents of a file or a stream, which must have the same
// label and index and have compared at least as many key bits; the error names what differs. The entries of
// a table of another size are moved as by Rehash, while the file is read. Like Clear, Load must not run
// during a search.
//
// The whole file is verified before the table is changed, so after an error the table is as it was; a
// stream is copied to a temporary file for that. Two errors leave the table empty instead: one in a file
// that is loaded into an empty table, which is filled during the verification, and one in the second
// reading of a verified file. The end of the context counts as an error. progress is called as by Save,
// with the bytes of both readings. The header of the file is returned even if it does not fit the table.
func (t *Table) Load(ctx context.Context, in Input, label Label, progress func(done, total uint64)) (Header, error) {
	r, err := openFile(in)
	if err != nil {
		return Header{}, fmt.Errorf("loading the hash: %w", err)
	}
	defer r.Close()
	if err = t.fits(r, label); err == nil {
		err = t.read(ctx, r, progress)
	}
	if err != nil {
		return r.header, fmt.Errorf("loading the hash: %w", err)
	}
	return r.header, nil
}

// read is Load from a file that fits.
func (t *Table) read(ctx context.Context, r *file, progress func(done, total uint64)) error {
	h := r.header
	total, done, empty := h.bytes(), uint64(0), true
	count := func(b []byte) {
		done += uint64(len(b))
		if progress != nil {
			progress(done, total)
		}
	}
	if t.written.any() {
		total *= 2
		if err := r.Keep(); err != nil {
			return err
		}
		if err := r.each(ctx, func(b []byte, _ uint64) { count(b) }); err != nil {
			return err
		}
	}
	if err := t.abandon(); err != nil {
		return err
	}
	t.written.set(true)
	t.setGeneration(h.Generation)
	t.setAgeOfCopies(h.Copies)
	fill, finish := t.copyIn, func() {}
	if h.Clusters != t.plan.Clusters || h.KeyBits != t.keyBits {
		t.setAgeOfCopies(youngestCopy)
		r := t.rehashBlocks(h.Clusters, h.copies())
		fill, finish = r.add, r.finish
	}
	guarded := func(f func()) {
		if !t.Lost() {
			t.Guard(f)
		}
	}
	err := r.each(ctx, func(b []byte, at uint64) {
		guarded(func() { empty = !fill(b, at) && empty })
		count(b)
	})
	if err == nil {
		guarded(finish)
	}
	if err == nil && t.Lost() {
		err = errLost
	}
	if err != nil {
		_ = t.Clear(context.Background()) // which fails only if the memory is gone
		return fmt.Errorf("%w; the table is empty", err)
	}
	t.written.set(!empty || t.shared != nil)
	return nil
}

// fits returns an error if the file cannot be loaded.
func (t *Table) fits(r *file, label Label) error {
	h := r.header
	for _, c := range []struct{ what, got, want string }{
		{"game", h.Game, label.Game},
		{"seed", h.Seed, label.Seed},
		{"evaluation", h.Evaluation, label.Evaluation},
	} {
		if c.got == "" && c.want != "" {
			return r.Errorf("it does not say its %s, expected %s", c.what, c.want)
		}
		if c.got != c.want {
			return r.Errorf("%s is %s, expected %s", c.what, c.got, c.want)
		}
	}
	if err := t.accepts(h.Index, h.Clusters, h.KeyBits); err != nil {
		return r.Errorf("%v", err)
	}
	return nil
}

// Inspect returns the header of a file. It checks the header, the end and the length of the file, but
// not the blocks. A stream is verified.
func Inspect(ctx context.Context, in Input) (Header, error) { return inspect(ctx, in, false, nil) }

// Verify reads a file from its first byte to its last. Its error names the first damaged block and
// where it begins. progress is called as by Save.
func Verify(ctx context.Context, in Input, progress func(done, total uint64)) (Header, error) {
	return inspect(ctx, in, true, progress)
}

// inspect returns the header of a file. It reads the blocks if that is asked for, or if the header is
// incomplete without them.
func inspect(ctx context.Context, in Input, blocks bool, progress func(done, total uint64)) (Header, error) {
	r, err := openFile(in)
	if err != nil {
		return Header{}, err
	}
	defer r.Close()
	if blocks || !r.Complete() {
		err = r.each(ctx, func(b []byte, at uint64) {
			if progress != nil {
				progress(at+uint64(len(b)), r.header.bytes())
			}
		})
	}
	return r.header, err
}

// each reads the table in a file and calls use with each block and its byte offset in the table.
func (f *file) each(ctx context.Context, use func(b []byte, at uint64)) error {
	err := f.Each(ctx, func(b []byte, at uint64) error {
		if len(b)%BytesPerCluster != 0 {
			return f.Errorf("length of a block is %d, expected a multiple of %d", len(b), BytesPerCluster)
		}
		use(b, at)
		return nil
	})
	f.complete()
	return err
}
