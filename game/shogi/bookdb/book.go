// Package bookdb reads opening books of shogi in the text format of YaneuraOu, files named *.db:
//
//	#YANEURAOU-DB2016 1.00
//	sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//	7g7f 3c3d 40 20 100
//	2g2f 8c8d 35 20 60
//	sfen …
//
// Below a position are its moves: the move, the expected reply ("none" if there is none), the value for
// the side to move, the depth of the search that found it, and in how many games it was played. The last
// three may be missing. Lines that begin with # or // are comments. Lines may end with CR LF, positions
// may be in any order, and hands may be written in any order.
//
// A Book holds an index in memory, 16 bytes for each position of the file: a hash of the position, and
// where its line begins. The moves are read from the file when they are wanted.
package bookdb

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strconv"

	"trefoil/game"
	"trefoil/game/shogi"
	"trefoil/internal/atomicfile"
)

const (
	magic   = "#YANEURAOU-DB2016"
	version = "1.00"
	maxLine = 1 << 16 // bytes
	// EntryBytes is the memory that the index takes for a position.
	EntryBytes = 16
)

// Book is an open book. It does not change, so any goroutine may use it.
type Book struct {
	file  io.ReaderAt
	size  int64
	index []entry // ascending
}

// entry is a position of the file.
type entry struct {
	hash   uint64
	offset int64 // of its line
}

// seed is the seed of the hashes, which are never saved.
var seed = maphash.MakeSeed()

// Move is a move that a book has for a position.
type Move struct {
	game.Move
	Reply string // in the notation of USI, not necessarily legal; "" if there is none
	Value int    // for the side to move
	Depth int
	Count uint64 // games; 1 if the book does not say
}

// Open opens the book in a file and reads through it, unless ctx ends. progress, unless nil, is called
// from time to time; its error ends the reading. A file that is no book is refused with an error that names it.
func Open(ctx context.Context, path string, progress func(Progress) error) (*Book, error) {
	f, err := atomicfile.OpenRegular(ctx, path)
	if err != nil {
		return nil, err
	}
	b, err := New(ctx, f, f.Size(), progress)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	f.Detach()
	return b, nil
}

// Progress is how far the reading of a file is.
type Progress struct {
	Done, Total int64  // bytes of the file
	Index       uint64 // bytes of memory that the index takes by now
}

// linesBetweenReports is how many lines are read between two calls of progress.
const linesBetweenReports = 1 << 14

// New is Open for a file of that many bytes, which is open for reading.
func New(ctx context.Context, file io.ReaderAt, size int64, progress func(Progress) error) (*Book, error) {
	b := &Book{file: file, size: size}
	in := newLines(file, 0, size)
	if err := readHeader(in); err != nil {
		return nil, err
	}
	var c canonical
	for in.next() {
		sfen, isPosition := cutPosition(in.line)
		var err error
		switch {
		case isPosition:
			if c, err = appendCanonical(c[:0], sfen); err == nil {
				b.index = append(b.index, entry{maphash.Bytes(seed, c), in.offset})
			}
		case len(b.index) == 0:
			err = errors.New("a move before the first position")
		default:
			_, err = parseLine(in.line)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d, %.60q: %w", in.number, in.line, err)
		}
		if in.number%linesBetweenReports == 0 {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if progress != nil {
				if err := progress(Progress{in.offset, size, uint64(cap(b.index)) * EntryBytes}); err != nil {
					return nil, err
				}
			}
		}
	}
	if in.err != nil {
		return nil, in.err
	}
	b.index = slices.Clip(b.index)
	slices.SortFunc(b.index, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.offset, y.offset))
	})
	return b, nil
}

// readHeader reads the first line.
func readHeader(in *lines) error {
	in.comments = true
	if !in.next() && in.err != nil {
		return in.err
	}
	in.comments = false
	line := bytes.TrimPrefix(in.line, []byte("\ufeff"))
	name, rest := nextField(line)
	switch {
	case string(name) != magic:
		return fmt.Errorf("it begins with %.20q, expected %q: it is not a book of YaneuraOu in text", line, magic)
	case string(bytes.TrimSpace(rest)) != version:
		return fmt.Errorf("it is of version %.20q of the format, expected %q", bytes.TrimSpace(rest), version)
	}
	return nil
}

// Close closes the file.
func (b *Book) Close() error {
	if c, ok := b.file.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Len returns the number of positions in the file.
func (b *Book) Len() int { return len(b.index) }

// Bytes returns the memory that the index takes.
func (b *Book) Bytes() uint64 { return uint64(len(b.index)) * EntryBytes }

// Moves returns the legal moves that b has for a position, greatest values first, then greatest counts. The
// move number does not count. If b has only the position with colours exchanged, the moves are those,
// turned round.
func (b *Book) Moves(p *shogi.Position) ([]Move, error) {
	wanted, err := appendCanonical(nil, []byte(p.SFEN()))
	if err != nil {
		return nil, err
	}
	moves, err := b.moves(p, wanted, func(text string) string { return text })
	if err == nil && len(moves) == 0 {
		moves, err = b.moves(p, wanted.flipped(), flippedMove)
	}
	slices.SortStableFunc(moves, func(x, y Move) int {
		return cmp.Or(cmp.Compare(y.Value, x.Value), cmp.Compare(y.Count, x.Count))
	})
	return moves, err
}

// moves returns the legal moves below the lines of a position. The first line of a move counts.
func (b *Book) moves(p *shogi.Position, wanted canonical, turn func(string) string) (moves []Move, err error) {
	hash := maphash.Bytes(seed, wanted)
	i, _ := slices.BinarySearchFunc(b.index, hash, func(e entry, hash uint64) int { return cmp.Compare(e.hash, hash) })
	for ; i < len(b.index) && b.index[i].hash == hash; i++ {
		err := b.read(b.index[i], wanted, func(l line) {
			m, err := p.ParseMove(turn(string(l.move)))
			if err == nil && !slices.ContainsFunc(moves, func(o Move) bool { return o.Move == m }) {
				moves = append(moves, Move{m, turn(string(l.reply)), l.value, l.depth, l.count})
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return moves, nil
}

// read visits the moves of an entry, none if it is another position.
func (b *Book) read(e entry, wanted canonical, visit func(line)) error {
	in := newLines(b.file, e.offset, b.size)
	if !in.next() {
		return in.err
	}
	sfen, isPosition := cutPosition(in.line)
	if c, err := appendCanonical(nil, sfen); !isPosition || err != nil || !bytes.Equal(c, wanted) {
		return nil // the hash of another position, or the file has changed
	}
	for in.next() {
		if _, isPosition := cutPosition(in.line); isPosition {
			break
		}
		l, err := parseLine(in.line)
		if err != nil {
			return fmt.Errorf("at byte %d, %.60q: %w", in.offset, in.line, err)
		}
		visit(l)
	}
	return in.err
}

// cutPosition returns the sfen of a line that has a position.
func cutPosition(line []byte) (sfen []byte, ok bool) {
	return bytes.CutPrefix(line, []byte("sfen "))
}

// line is a line with a move.
type line struct {
	move, reply  []byte // no reply if it is empty
	value, depth int
	count        uint64
}

// parseLine reads a line with a move.
func parseLine(text []byte) (l line, err error) {
	l.count = 1
	var field []byte
	for i := 0; len(text) > 0; i++ {
		if field, text = nextField(text); len(field) == 0 {
			break
		}
		switch i {
		case 0:
			l.move = field
		case 1:
			if !bytes.EqualFold(field, []byte("none")) {
				l.reply = field
			}
		case 2:
			l.value, err = strconv.Atoi(string(field))
		case 3:
			l.depth, err = strconv.Atoi(string(field))
		case 4:
			l.count, err = strconv.ParseUint(string(field), 10, 64)
		}
		if err != nil {
			return l, fmt.Errorf("%.20q is not a number", field)
		}
	}
	return l, nil
}

// lines reads lines without what surrounds them in blanks, and skips empty lines and comments.
type lines struct {
	in       *bufio.Reader
	comments bool   // are not skipped
	line     []byte // valid until the next one
	number   int
	offset   int64 // of line
	after    int64 // the line
	err      error // why there are no more lines, nil at the end of the file
}

// newLines returns the lines of the part of a file from start to end.
func newLines(file io.ReaderAt, start, end int64) *lines {
	return &lines{in: bufio.NewReaderSize(io.NewSectionReader(file, start, end-start), maxLine), after: start}
}

// next reads the next line and reports whether there is one.
func (l *lines) next() bool {
	for l.err == nil {
		text, err := l.in.ReadSlice('\n')
		l.offset, l.number = l.after, l.number+1
		l.after += int64(len(text))
		l.line = bytes.TrimSpace(text)
		switch {
		case err == bufio.ErrBufferFull:
			l.err = fmt.Errorf("line %d is longer than %d bytes", l.number, maxLine)
			return false
		case err != nil && err != io.EOF:
			l.err = err
			return false
		case len(l.line) > 0 && (l.comments || l.line[0] != '#' && !bytes.HasPrefix(l.line, []byte("//"))):
			return true
		case err == io.EOF:
			return false
		}
	}
	return false
}
