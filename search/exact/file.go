package exact

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"trefoil/game/connect4"
	"trefoil/internal/container"
	"trefoil/remainder"
)

// fileHeader is the header of the container. The blocks are the entries, in any order: two words of 64 bits each,
// little-endian. The first is the low word of the key. The second has the value with all bits of work, see pack,
// and above these 24 bits the high word of the key.
type fileHeader struct {
	Width   int `json:"width"`
	Height  int `json:"height"`
	Connect int `json:"connect"`
}

// fileSummary is written at the end of the container.
type fileSummary struct {
	Entries uint64 `json:"entries"`
}

const (
	entryBytes = 16
	valueBits  = 64 - leastKeyBits
)

// errNoFile is the error of Save and Load for Tutorial.
var errNoFile = errors.New("the table of the tutorial's solver cannot be saved or loaded")

// Save writes the table to a file or a stream. A new file replaces an old one in one step at the end.
func (s *Solver) Save(ctx context.Context, out container.Output) error {
	b, ok := s.prover.(*best)
	if !ok {
		return errNoFile
	}
	err := container.Write(out, container.Scores, b.header(), func(w *container.Writer) (any, error) {
		entries, err := b.write(ctx, w)
		return fileSummary{entries}, err
	})
	if err != nil {
		return fmt.Errorf("saving the table: %w", err)
	}
	return nil
}

// Writable returns an error if Save could not write there.
func Writable(out container.Output) error { return container.Writable(out, container.Scores) }

func (b *best) header() fileHeader {
	return fileHeader{b.board.Width, b.board.Height, b.board.Connect}
}

// write writes all entries and returns how many there are.
func (b *best) write(ctx context.Context, w *container.Writer) (entries uint64, err error) {
	block := make([]byte, 0, container.MaxBlock)
	for key, value := range b.table.All() {
		value = value>>workShift<<workShift<<b.board.workDrop | value&boundsMask
		block = binary.LittleEndian.AppendUint64(block, key.Low)
		block = binary.LittleEndian.AppendUint64(block, key.High<<valueBits|value)
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

// Load replaces the contents of the table with the contents of a file or a stream of the same board. The
// saved table may have another size. Where there is no room for all entries, the entries with the least
// work are lost.
//
// After an error a table that was not empty is as it was, because the whole file is verified before the table is
// changed; a stream is copied to a temporary file for that. An empty table is filled at once, and is empty after
// an error.
func (s *Solver) Load(ctx context.Context, in container.Input) error {
	b, ok := s.prover.(*best)
	if !ok {
		return errNoFile
	}
	if err := b.load(ctx, in); err != nil {
		return fmt.Errorf("loading the table: %w", err)
	}
	return nil
}

func (b *best) load(ctx context.Context, in container.Input) error {
	f, err := openFile(in)
	if err != nil {
		return err
	}
	defer f.Close()
	if f.head != b.header() {
		return f.Errorf("board is %v, expected %v", f.board, &b.board.Board)
	}
	if !b.isEmpty() {
		if err := f.Keep(); err != nil {
			return err
		}
		if err := f.each(ctx, func(remainder.Key, uint64) {}); err != nil {
			return err
		}
		if err := b.clear(ctx); err != nil {
			return err
		}
	}
	b.pool.before = f.most()
	b.pool.makeRoom()
	entries := uint64(0)
	err = f.each(ctx, func(key remainder.Key, value uint64) {
		entries++
		b.table.Store(key, value>>workShift>>b.board.workDrop<<workShift|value&boundsMask)
	})
	if err != nil {
		_ = b.clear(context.Background()) // which fails only if the memory is gone
		return err
	}
	b.pool.before = entries
	return nil
}

// isEmpty reports whether the table has no entry.
func (b *best) isEmpty() bool {
	for range b.table.All() {
		return false
	}
	return true
}

// A file is a saved table that is being read.
type file struct {
	*container.Reader
	head    fileHeader
	summary fileSummary
	board   *connect4.Board
}

// openFile opens a file and checks its header.
func openFile(in container.Input) (*file, error) {
	f := new(file)
	r, err := container.Open(in, container.Scores, &f.head, &f.summary)
	if err != nil {
		return nil, err
	}
	f.Reader = r
	if f.board, err = connect4.NewBoard(f.head.Width, f.head.Height, f.head.Connect); err != nil {
		err = r.Errorf("header is not that of a table: %v", err)
		return nil, errors.Join(err, r.Close())
	}
	return f, nil
}

// most is the number of entries or, if that is not known, more than there can be.
func (f *file) most() uint64 {
	if !f.Complete() {
		return 1 << 62
	}
	return f.summary.Entries
}

// each calls do with every entry. It ends with an error if anything in the file is wrong.
func (f *file) each(ctx context.Context, do func(key remainder.Key, value uint64)) error {
	entries, most := uint64(0), f.board.Cells/2
	maxKey := remainder.Key{High: f.board.MaxHigh, Low: f.board.MaxKey}
	err := f.Each(ctx, func(block []byte, _ uint64) error {
		if len(block)%entryBytes != 0 {
			return f.Errorf("length of a block is %d, expected a multiple of %d", len(block), entryBytes)
		}
		for ; len(block) > 0; block = block[entryBytes:] {
			value := binary.LittleEndian.Uint64(block[8:])
			key := remainder.Key{High: value >> valueBits, Low: binary.LittleEndian.Uint64(block)}
			lower, upper := unpack(value)
			if entries++; maxKey.Less(key) || lower > upper || int(lower) < -most || int(upper) > most {
				return f.Errorf("entry %d has key %v and bounds %d to %d", entries, key, lower, upper)
			}
			do(key, value&(1<<valueBits-1))
		}
		return nil
	})
	if err == nil && entries != f.summary.Entries {
		err = f.Errorf("count of entries is %d, expected %d", entries, f.summary.Entries)
	}
	return err
}

// A FileHeader describes a saved table.
type FileHeader struct {
	Board             *connect4.Board
	Entries, Exact    uint64 // Exact are those with a score in place of bounds, 0 unless the file was verified
	Blocks, FileBytes uint64
}

// InspectFile checks the beginning, the end and the length of a file, and returns what they say. A stream is verified.
func InspectFile(ctx context.Context, in container.Input) (FileHeader, error) {
	return readFile(ctx, in, false, nil)
}

// VerifyFile reads a file from its first byte to its last. Its error names the first damaged block and where it begins.
// progress is called with numbers of entries; the total is 0 if it is not known.
func VerifyFile(ctx context.Context, in container.Input, progress func(done, total uint64)) (FileHeader, error) {
	return readFile(ctx, in, true, progress)
}

// readFile returns the header of a file. It verifies the file if that is asked for, or if the header is
// incomplete without it.
func readFile(ctx context.Context, in container.Input, verify bool,
	progress func(done, total uint64)) (h FileHeader, err error) {
	f, err := openFile(in)
	if err != nil {
		return h, err
	}
	defer f.Close()
	entries, exact := uint64(0), uint64(0)
	if verify || !f.Complete() {
		err = f.each(ctx, func(_ remainder.Key, value uint64) {
			if lower, upper := unpack(value); lower == upper {
				exact++
			}
			if entries++; progress != nil && entries%(1<<16) == 0 {
				progress(entries, f.summary.Entries)
			}
		})
	}
	return FileHeader{Board: f.board, Entries: f.summary.Entries, Exact: exact, Blocks: f.Blocks(), FileBytes: f.Size()},
		err
}
