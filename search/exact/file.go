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
// and above these 24 bits the high word of the key. On boards of more than 64 cells the high word is the second of
// three words, and the value the third.
type fileHeader struct {
	Width   int `json:"width"`
	Height  int `json:"height"`
	Connect int `json:"connect"`
}

// fileSummary is written at the end of the container.
type fileSummary struct {
	Entries uint64 `json:"entries"`
}

// errNoFile is the error of Save and Load for Tutorial.
var errNoFile = errors.New("the table of the tutorial's solver cannot be saved or loaded")

// Save writes the table to a file or a stream. A new file replaces an old one in one step at the end.
func (s *Solver) Save(ctx context.Context, out container.Output) error {
	b, ok := s.prover.(tabled)
	if !ok {
		return errNoFile
	}
	err := container.Write(out, container.Scores, headerOf(b.on()), func(w *container.Writer) (any, error) {
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

func headerOf(b *connect4.Board) fileHeader { return fileHeader{b.Width, b.Height, b.Connect} }

// entryBytes returns how many bytes an entry takes.
func entryBytes(b *connect4.Board) int {
	if b.Small == nil {
		return 24
	}
	return 16
}

// appendEntry appends an entry to a block.
func appendEntry(block []byte, b *connect4.Board, key remainder.Key, value uint64) []byte {
	block = binary.LittleEndian.AppendUint64(block, key.Low)
	if b.Small == nil {
		block = binary.LittleEndian.AppendUint64(block, key.High)
		return binary.LittleEndian.AppendUint64(block, value)
	}
	return binary.LittleEndian.AppendUint64(block, key.High<<valueBits|value)
}

// readEntry returns the first entry of a block.
func readEntry(block []byte, b *connect4.Board) (key remainder.Key, value uint64) {
	low, second := binary.LittleEndian.Uint64(block), binary.LittleEndian.Uint64(block[8:])
	if b.Small == nil {
		return remainder.Key{High: second, Low: low}, binary.LittleEndian.Uint64(block[16:])
	}
	return remainder.Key{High: second >> valueBits, Low: low}, second & (1<<valueBits - 1)
}

// boundsOf returns the bounds of an entry, if its value is valid.
func boundsOf(b *connect4.Board, value uint64) (lower, upper int32, ok bool) {
	if b.Small == nil {
		lower, upper = unpack128(value)
		return lower, upper, value>>valueBits128 == 0
	}
	lower, upper = unpack(value)
	return lower, upper, lower > -bias // the least bounds of all would be an empty entry
}

// Load replaces the contents of the table with the contents of a file or a stream of the same board. The
// saved table may have another size. Where there is no room for all entries, the entries with the least
// work are lost.
//
// After an error a table that was not empty is as it was, because the whole file is verified before the table is
// changed; a stream is copied to a temporary file for that. An empty table is filled at once, and is empty after
// an error, as any table is after one in the second reading of a verified file. The end of the context counts as an
// error.
func (s *Solver) Load(ctx context.Context, in container.Input) error {
	b, ok := s.prover.(tabled)
	if !ok {
		return errNoFile
	}
	f, err := openFile(in)
	if err != nil {
		return fmt.Errorf("loading the table: %w", err)
	}
	defer f.Close()
	if f.board != b.on() {
		err = f.Errorf("board is %v, expected %v", f.board, b.on())
	} else {
		err = b.load(ctx, f)
	}
	if err != nil {
		return fmt.Errorf("loading the table: %w", err)
	}
	return nil
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
	entries, most, size := uint64(0), f.board.Cells/2, entryBytes(f.board)
	maxKey := remainder.Key{High: f.board.MaxHigh, Low: f.board.MaxKey}
	err := f.Each(ctx, func(block []byte, _ uint64) error {
		if len(block)%size != 0 {
			return f.Errorf("length of a block is %d, expected a multiple of %d", len(block), size)
		}
		for ; len(block) > 0; block = block[size:] {
			key, value := readEntry(block, f.board)
			lower, upper, ok := boundsOf(f.board, value)
			if entries++; !ok || maxKey.Less(key) || lower > upper || int(lower) < -most || int(upper) > most {
				return f.Errorf("entry %d has key %v and bounds %d to %d", entries, key, lower, upper)
			}
			do(key, value)
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
			if lower, upper, _ := boundsOf(f.board, value); lower == upper {
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
