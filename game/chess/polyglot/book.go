// Package polyglot reads opening books of chess in the format of PolyGlot
// (http://hgm.nubati.net/book_format.html).
//
// A book is a file of entries of 16 bytes, which ascend by their keys; numbers are big endian:
//
//	 0                               8       10       12              16
//	┌───────────────────────────────┬────────┬────────┬────────────────┐
//	│             key               │  move  │ weight │     learn      │
//	└───────────────────────────────┴────────┴────────┴────────────────┘
//
//	move:   15 │ promotion │ from: rank, file │ to: rank, file │ 0      3 bits each
//
// Promotion is 1 to 4: knight, bishop, rook, queen. Castling is the king taking its rook.
//
// A Book holds nothing in memory: it finds a position by binary search in the file, in some thirty
// reads for the largest ones. The file is not mapped into memory, because a mapped file that
// another program cuts short ends the process.
package polyglot

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/internal/atomicfile"
)

// entryBytes is the size of an entry.
const entryBytes = 16

// maxMoves is the number of entries of one position that are read. More are a mistake of the file:
// no position has as many moves.
const maxMoves = 256

// Book is an open book. It does not change, so any goroutine may use it.
type Book struct {
	file    io.ReaderAt
	entries int64
}

// Move is a move that a book has for a position.
type Move struct {
	game.Move
	Weight uint16 // how often to play it, in proportion to the other moves; 0 is never
}

// Open opens the book in a file, unless ctx ends. A file that cannot be a book is refused with an error that names it.
func Open(ctx context.Context, path string) (*Book, error) {
	f, err := atomicfile.OpenRegular(ctx, path)
	if err != nil {
		return nil, err
	}
	b, err := New(f, f.Size())
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.Detach()
	return b, nil
}

// New returns the book in a file of that many bytes, which is open for reading. It checks the size and
// the order of the entries.
func New(file io.ReaderAt, size int64) (*Book, error) {
	switch {
	case size == 0:
		return nil, fmt.Errorf("it is empty")
	case size%entryBytes != 0:
		return nil, fmt.Errorf("%d bytes, which is not a multiple of %d: it is cut short or not a PolyGlot book",
			size, entryBytes)
	}
	b := &Book{file: file, entries: size / entryBytes}
	return b, b.checkOrder()
}

// Close closes the file.
func (b *Book) Close() error {
	if c, ok := b.file.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Len returns the number of entries.
func (b *Book) Len() int64 { return b.entries }

// A file is checked in at most checkedParts parts of partEntries entries. A file of 64 MiB is checked
// completely.
const (
	checkedParts = 1024
	partEntries  = 4096
)

// checkOrder checks that the keys ascend: all keys, or in a large file the keys of parts spread evenly over
// it.
func (b *Book) checkOrder() error {
	var last uint64
	step := max(partEntries, (b.entries+checkedParts-1)/checkedParts)
	for first := int64(0); first < b.entries; first += step {
		part, err := b.read(first, partEntries)
		if err != nil {
			return err
		}
		for i := 0; i < len(part); i += entryBytes {
			key := binary.BigEndian.Uint64(part[i:])
			if key < last {
				return fmt.Errorf("entry %d has a smaller key than one before it: it is not sorted or not a PolyGlot book",
					first+int64(i/entryBytes)+1)
			}
			last = key
		}
	}
	return nil
}

// read returns n entries from the first one on, fewer at the end of the book.
func (b *Book) read(first, n int64) ([]byte, error) {
	data := make([]byte, min(n, b.entries-first)*entryBytes)
	k, err := b.file.ReadAt(data, first*entryBytes)
	switch entry := first + int64(k/entryBytes) + 1; {
	case k == len(data):
		return data, nil
	case err == io.EOF:
		return nil, fmt.Errorf("entry %d is missing: the file has changed", entry)
	default:
		return nil, fmt.Errorf("entry %d: %w", entry, err)
	}
}

// Moves returns the legal moves that b has for a position, greatest weights first. Only the first entry of
// a move counts.
func (b *Book) Moves(p *chess.Position) ([]Move, error) {
	key := Key(p)
	first, err := b.find(key)
	if err != nil {
		return nil, err
	}
	data, err := b.read(first, maxMoves)
	if err != nil {
		return nil, err
	}
	var moves []Move
	for ; len(data) > 0 && binary.BigEndian.Uint64(data) == key; data = data[entryBytes:] {
		m, err := p.ParseMove(moveText(binary.BigEndian.Uint16(data[8:])))
		if err != nil || slices.ContainsFunc(moves, func(o Move) bool { return o.Move == m }) {
			continue // the key of another position, or a mistake of the book
		}
		moves = append(moves, Move{m, binary.BigEndian.Uint16(data[10:])})
	}
	slices.SortStableFunc(moves, func(x, y Move) int { return cmp.Compare(y.Weight, x.Weight) })
	return moves, nil
}

// find returns the number of entries whose keys are below key.
func (b *Book) find(key uint64) (int64, error) {
	low, high := int64(0), b.entries
	for low < high {
		middle := (low + high) / 2
		entry, err := b.read(middle, 1)
		if err != nil {
			return 0, err
		}
		if binary.BigEndian.Uint64(entry) < key {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, nil
}

// moveText returns the move of an entry in the notation of UCI.
func moveText(move uint16) string {
	text := []byte{
		'a' + byte(move>>6&7), '1' + byte(move>>9&7),
		'a' + byte(move&7), '1' + byte(move>>3&7),
	}
	if promotion := move >> 12 & 7; promotion > 0 {
		text = append(text, "?nbrq???"[promotion])
	}
	return string(text)
}
