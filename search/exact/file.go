package exact

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"trefoil/internal/container"
)

// fileHeader is that of the container. The blocks are the entries, in any order: key and value, 64 bits
// each, little-endian. The value has all bits of work, see pack.
type fileHeader struct {
	Width   int `json:"width"`
	Height  int `json:"height"`
	Connect int `json:"connect"`
}

// fileSummary is that of the container.
type fileSummary struct {
	Entries uint64 `json:"entries"`
}

const entryBytes = 16

// errNoFile is the error of Save and Load for Tutorial.
var errNoFile = errors.New("exact: the table of the tutorial's solver is neither saved nor loaded")

// Save writes the table to a file. The new file replaces an old one in one step at the end.
func (s *Solver) Save(ctx context.Context, path string) error {
	b, ok := s.prover.(*best)
	if !ok {
		return errNoFile
	}
	err := container.Write(path, container.Scores, b.header(), func(w *container.Writer) (any, error) {
		entries, err := b.write(ctx, w)
		return fileSummary{entries}, err
	})
	if err != nil {
		return fmt.Errorf("exact: saving: %w", err)
	}
	return nil
}

// Writable returns an error if Save could not write a file of that name.
func Writable(path string) error { return container.Writable(path, container.Scores) }

func (b *best) header() fileHeader {
	return fileHeader{b.board.Width, b.board.Height, b.board.Connect}
}

// write writes all entries and returns how many there are.
func (b *best) write(ctx context.Context, w *container.Writer) (entries uint64, err error) {
	block := make([]byte, 0, container.MaxBlock)
	for key, value := range b.table.All() {
		block = binary.LittleEndian.AppendUint64(block, key)
		block = binary.LittleEndian.AppendUint64(block, value>>workShift<<workShift<<b.board.workDrop|value&boundsMask)
		if entries++; len(block) < cap(block) {
			continue
		}
		if err := errors.Join(ctx.Err(), w.WriteBlock(block)); err != nil {
			return 0, err
		}
		block = block[:0]
	}
	if len(block) > 0 {
		err = w.WriteBlock(block)
	}
	return entries, err
}

// Load replaces the contents of the table by those of a file of the same board, which may be of a table
// of another size; of entries that have no room those of the least work are lost. The whole file is
// verified before the table is changed.
func (s *Solver) Load(ctx context.Context, path string) error {
	b, ok := s.prover.(*best)
	if !ok {
		return errNoFile
	}
	if err := b.load(ctx, path); err != nil {
		return fmt.Errorf("exact: loading: %w", err)
	}
	return nil
}

func (b *best) load(ctx context.Context, path string) error {
	var head fileHeader
	var sum fileSummary
	r, err := container.Open(path, container.Scores, &head, &sum)
	if err != nil {
		return err
	}
	defer r.Close()
	if head != b.header() {
		return r.Errorf("board is %dx%d, %d in line, want %v", head.Width, head.Height, head.Connect, &b.board.Board)
	}
	entries := uint64(0)
	err = each(ctx, r, func(key, value uint64) error {
		lower, upper := unpack(value)
		if entries++; key > b.board.MaxKey || value>>(64-leastKeyBits) != 0 || lower > upper || lower < -b.board.cells/2 || upper > b.board.cells/2 {
			return r.Errorf("entry %d has key %d and bounds %d to %d", entries, key, lower, upper)
		}
		return nil
	})
	if err == nil && entries != sum.Entries {
		err = r.Errorf("count of entries is %d, want %d", entries, sum.Entries)
	}
	if err != nil {
		return err
	}
	if err := b.clear(ctx); err != nil {
		return err
	}
	b.pool.before = entries
	b.pool.makeRoom()
	return each(ctx, r, func(key, value uint64) error {
		b.table.Store(key, value>>workShift>>b.board.workDrop<<workShift|value&boundsMask)
		return nil
	})
}

// each calls do with every entry of a file.
func each(ctx context.Context, r *container.Reader, do func(key, value uint64) error) error {
	return r.Each(ctx, func(block []byte, _ uint64) error {
		if len(block)%entryBytes != 0 {
			return r.Errorf("length of a block is %d, want a multiple of %d", len(block), entryBytes)
		}
		for ; len(block) > 0; block = block[entryBytes:] {
			if err := do(binary.LittleEndian.Uint64(block), binary.LittleEndian.Uint64(block[8:])); err != nil {
				return err
			}
		}
		return nil
	})
}
