// Package book is a Connect Four opening book: a file of positions with their exact scores: all
// positions up to a ply, mirror images once, that are not over.
//
//	bytes
//	0    8   "trefoil4"
//	8    4   version, 1
//	12   4   ply: the most stones of any position
//	16   8   count of positions
//	24   8×  count words, ascending: key << 8 | score + 128
//	     32  SHA-256 of everything before
//
// Numbers are little endian. The key of a position is the smaller of the keys of it
// and of its mirror image. A score is the tutorial's: 22 minus the stones that the
// winner has at the end, negative if the side to move loses, 0 for a draw.
//
// What this package promises: a book that Open returns is whole, checked and sorted,
// or Open says what is wrong with the file. A file appears under its name only when
// it is complete. An interrupted Make goes on where it was.
package book

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"trefoil/game/connect4"
)

// MaxPly bounds the ply of a book: those of ply 14 hold some ten million positions.
const MaxPly = 14

const (
	magic   = "trefoil4"
	version = 1
	header  = 24
	zero    = 128 // the score 0 in a word

	maxBytes = 1 << 30 // no book of MaxPly is as large
)

// Book is a book in memory. It does not change: any goroutine may ask it.
type Book struct {
	ply   int
	words []uint64 // ascending
}

// Ply is the most stones of any position in b.
func (b *Book) Ply() int { return b.ply }

// Len is the number of positions, mirror images counted once.
func (b *Book) Len() int { return len(b.words) }

// Score returns the score of p for the side to move, if b holds p.
func (b *Book) Score(p connect4.Position) (score int, ok bool) {
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

// Open reads the book in a file. Its errors name the file and what is wrong. What may have
// no end, as a device, is not read.
func Open(path string) (*Book, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("book: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxBytes {
		return nil, fmt.Errorf("book %s: not a book of Connect Four: want a file of at most %d MiB", path, maxBytes>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("book: %w", err)
	}
	b, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("book %s: %w", path, err)
	}
	return b, nil
}

// decode checks everything that a book promises.
func decode(data []byte) (*Book, error) {
	le := binary.LittleEndian
	if !bytes.HasPrefix(data, []byte(magic)) {
		return nil, errors.New("not a book of Connect Four: it does not begin with " + magic)
	}
	if len(data) < header+sha256.Size {
		return nil, fmt.Errorf("truncated: %d bytes", len(data))
	}
	if v := le.Uint32(data[8:]); v != version {
		return nil, fmt.Errorf("version %d, this program reads version %d", v, version)
	}
	ply, count := le.Uint32(data[12:]), le.Uint64(data[16:])
	body := uint64(len(data) - header - sha256.Size)
	if count > body || count*8 != body {
		return nil, fmt.Errorf("truncated or damaged: %d positions are promised, %d bytes hold them", count, body)
	}
	end := len(data) - sha256.Size
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, errors.New("damaged: the checksum is wrong")
	}
	if ply > MaxPly {
		return nil, fmt.Errorf("ply %d, the most is %d", ply, MaxPly)
	}
	b := &Book{ply: int(ply), words: make([]uint64, count)}
	for i := range b.words {
		b.words[i] = le.Uint64(data[header+8*i:])
		if i > 0 && b.words[i]>>8 <= b.words[i-1]>>8 {
			return nil, fmt.Errorf("position %d is out of order", i+1)
		}
	}
	return b, nil
}

// encode is the file of b.
func (b *Book) encode() []byte {
	le := binary.LittleEndian
	data := make([]byte, 0, header+8*len(b.words)+sha256.Size)
	data = append(data, magic...)
	data = le.AppendUint32(data, version)
	data = le.AppendUint32(data, uint32(b.ply))
	data = le.AppendUint64(data, uint64(len(b.words)))
	for _, w := range b.words {
		data = le.AppendUint64(data, w)
	}
	sum := sha256.Sum256(data)
	return append(data, sum[:]...)
}

// write puts b under a name at once: whoever looks sees nothing or all of it.
func (b *Book) write(path string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("book: %w", err)
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
			err = fmt.Errorf("book: %w", err)
		}
	}()
	_, err = io.Copy(f, bytes.NewReader(b.encode()))
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
