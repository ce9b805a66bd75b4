// Package book is a Connect Four opening book: a file with the exact scores of all positions up to
// a ply that are not over, of two mirror images one.
//
// The file is a container of the kind book. Its blocks are words of 64 bits, little-endian and
// ascending: key << 8 | score + 128. The key of a position is the smaller of the keys of it and
// of its mirror image. A score is 22 minus the stones that the winner has at the end, negative if
// the side to move loses, 0 for a draw; it is the scale of the tutorial that exact.Solver follows.
//
// A book that Open returns is complete, checked and sorted. An interrupted Make is continued by the
// next one.
package book

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"trefoil/game/connect4"
	"trefoil/internal/container"
)

// MaxPly bounds the ply of a book. A book of ply 14 holds some ten million positions.
const MaxPly = 14

const (
	wordBytes = 8
	keyBits   = 56
	zero      = 128     // the score 0 in a word
	maxBytes  = 1 << 30 // no book of MaxPly is as large
)

// Book is a book in memory. It does not change, so any goroutine may use it.
type Book struct {
	board *connect4.Board
	ply   int
	words []uint64 // ascending
}

// Ply is the most stones of any position in b.
func (b *Book) Ply() int { return b.ply }

// Board is the board of all positions in b.
func (b *Book) Board() *connect4.Board { return b.board }

// Len is the number of positions, mirror images counted once.
func (b *Book) Len() int { return len(b.words) }

// Score returns the score of p for the side to move, if b holds p.
func (b *Book) Score(p connect4.Position) (score int, ok bool) {
	if p.Board() != b.board {
		return 0, false
	}
	key := canonical(p)
	i, _ := slices.BinarySearch(b.words, key<<8)
	if i == len(b.words) || b.words[i]>>8 != key {
		return 0, false
	}
	return int(b.words[i]&0xff) - zero, true
}

// canonical is the key that p and its mirror image share.
func canonical(p connect4.Position) uint64 { return min(p.Key(), p.Mirror().Key()) }

// word is how a position and its score are written.
func word(key uint64, score int) uint64 { return key<<8 | uint64(score+zero) }

// header is the header of the container.
type header struct {
	Ply     int `json:"ply"`
	Width   int `json:"width,omitempty"` // these are left out of a book of the standard board
	Height  int `json:"height,omitempty"`
	Connect int `json:"connect,omitempty"`
}

func newHeader(b *connect4.Board, ply int) header {
	if b == connect4.Standard {
		return header{Ply: ply}
	}
	return header{ply, b.Width, b.Height, b.Connect}
}

// board returns the board of a book.
func (h header) board() (*connect4.Board, error) {
	if h == (header{Ply: h.Ply}) {
		return connect4.Standard, nil
	}
	b, err := connect4.NewBoard(h.Width, h.Height, h.Connect)
	if err == nil {
		err = fits(b)
	}
	return b, err
}

// fits returns an error if a word cannot hold a key of the board and a score.
func fits(b *connect4.Board) error {
	if b.MaxHigh > 0 || b.MaxKey >= 1<<keyBits {
		return fmt.Errorf("board %v: width × (height + 1) is more than %d, the bits for a key", b, keyBits)
	}
	return nil
}

// summary is written at the end of the container.
type summary struct {
	Positions uint64 `json:"positions"`
}

// Open reads the book in the file at path. Its errors name the file and what is wrong.
func Open(path string) (*Book, error) { return OpenFrom(container.File(path)) }

// OpenFrom is Open for a file or a stream.
func OpenFrom(in container.Input) (*Book, error) {
	var h header
	var s summary
	r, err := container.Open(in, container.Book, &h, &s)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return read(r, h, &s)
}

// read reads the words of a book. The summary of a stream is known after them.
func read(r *container.Reader, h header, s *summary) (*Book, error) {
	if h.Ply < 0 || h.Ply > MaxPly {
		return nil, r.Errorf("ply is %d, expected 0 to %d", h.Ply, MaxPly)
	}
	if r.Complete() {
		if err := s.fits(r); err != nil {
			return nil, err
		}
	}
	board, err := h.board()
	if err != nil {
		return nil, r.Errorf("header is not that of a book: %v", err)
	}
	b := &Book{board: board, ply: h.Ply, words: make([]uint64, 0, s.Positions)}
	err = r.Each(context.Background(), func(block []byte, at uint64) error {
		if at > maxBytes {
			return r.Errorf("length of all blocks is more than %d", maxBytes)
		}
		if len(block)%wordBytes != 0 {
			return r.Errorf("length of a block is %d, expected a multiple of %d", len(block), wordBytes)
		}
		for ; len(block) > 0; block = block[wordBytes:] {
			w := binary.LittleEndian.Uint64(block)
			if n := len(b.words); n > 0 && w>>8 <= b.words[n-1]>>8 {
				return r.Errorf("position %d is out of order", n+1)
			}
			b.words = append(b.words, w)
		}
		return nil
	})
	if err == nil {
		err = s.fits(r)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// fits returns an error unless the blocks have the positions of the summary.
func (s *summary) fits(r *container.Reader) error {
	switch {
	case r.Bytes() > maxBytes:
		return r.Errorf("length of all blocks is %d, expected at most %d", r.Bytes(), maxBytes)
	case r.Bytes()%wordBytes != 0 || r.Bytes()/wordBytes != s.Positions:
		return r.Errorf("length of all blocks is %d, expected %d for each of %d positions", r.Bytes(), wordBytes, s.Positions)
	}
	return nil
}

// write writes the words of b to a file.
func (b *Book) write(w *container.Writer) error {
	for words := range slices.Chunk(b.words, container.MaxBlock/wordBytes) {
		block := make([]byte, 0, wordBytes*len(words))
		for _, word := range words {
			block = binary.LittleEndian.AppendUint64(block, word)
		}
		if err := w.WriteBlock(block); err != nil {
			return err
		}
	}
	return nil
}
