package container

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"trefoil/internal/atomicfile"
)

// A Reader reads the blocks of a file in their order, each after its checksum has been verified.
// Errors about the contents of the file are of type *Error.
type Reader struct {
	path    string
	file    io.ReaderAt
	close   func() error
	size    int64
	header  []byte // JSON
	summary []byte // JSON
	first   int64  // where the first block begins
	sum0    uint32 // checksum of what is before it
	last    uint32 // checksum of all of it
	blocks  uint64
	bytes   uint64 // of data in all blocks

	in    *bufio.Reader
	at    int64 // in the file
	sum   uint32
	read  uint64 // blocks
	done  uint64 // bytes of data
	block []byte
}

// KindOf returns the kind of a file by its first bytes; ok is false if it is none of this version, or cannot be read.
func KindOf(path string) (kind Kind, ok bool) {
	f, _, err := atomicfile.OpenRegular(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	head := make([]byte, len(magic)+kindBytes)
	if _, err := io.ReadFull(f, head); err != nil {
		return 0, false
	}
	for kind = 1; kind < kinds; kind++ {
		if kind.is(head) == nil {
			return kind, true
		}
	}
	return 0, false
}

// Open opens a file of a kind and decodes its header and its summary into two structs; a field that
// a struct does not have is an error. It checks the beginning, the end and the length of the file;
// Next checks the blocks.
func Open(path string, kind Kind, header, summary any) (*Reader, error) {
	f, info, err := atomicfile.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	r, err := newReader(f, info.Size(), path, kind)
	if err == nil {
		err = r.decode(header, summary)
	}
	if err == nil {
		r.close = f.Close
		return r, nil
	}
	return nil, errors.Join(err, f.Close())
}

// Read is Open for the contents of a file. name is only named in errors.
func Read(data []byte, name string, kind Kind, header, summary any) (*Reader, error) {
	r, err := newReader(bytes.NewReader(data), int64(len(data)), name, kind)
	if err == nil {
		err = r.decode(header, summary)
	}
	return r, err
}

// newReader reads a file of size bytes. path is only named in errors.
func newReader(file io.ReaderAt, size int64, path string, kind Kind) (*Reader, error) {
	r := &Reader{path: path, file: file, size: size, close: func() error { return nil }}
	if err := r.readBeginning(kind); err != nil {
		return nil, err
	}
	if err := r.readEnd(); err != nil {
		return nil, err
	}
	r.Rewind()
	return r, nil
}

// DecodeHeader decodes what EncodeHeader has returned, and ignores at least as many further bytes as
// an end has. path is only named in errors, which are of type *Error.
func DecodeHeader(memory []byte, path string, kind Kind, header any) error {
	r := &Reader{path: path, file: bytes.NewReader(memory), size: int64(len(memory))}
	if err := r.readBeginning(kind); err != nil {
		return err
	}
	if err := decode(r.header, header); err != nil {
		return r.Errorf("header is invalid: %v", err)
	}
	return nil
}

func (r *Reader) readBeginning(kind Kind) error {
	head := make([]byte, min(r.size, int64(prefixBytes)))
	if _, err := r.file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err := kind.is(head); err != nil {
		return r.Errorf("%v", err)
	}
	if len(head) < prefixBytes {
		return r.Errorf("cut short: it has %d bytes", r.size)
	}
	rest := head[len(kind.signature()):]
	version, length := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
	switch {
	case version != Version:
		return r.Errorf("format version is %d, want %d", version, Version)
	case length > MaxHeader:
		return r.Errorf("length of the header is %d, want at most %d", length, MaxHeader)
	case r.size < int64(prefixBytes)+int64(length)+sumBytes+endBytes:
		return r.Errorf("cut short: it has %d bytes", r.size)
	}
	text := make([]byte, length+sumBytes)
	if _, err := r.file.ReadAt(text, int64(prefixBytes)); err != nil {
		return err
	}
	r.header = text[:length]
	r.first = int64(prefixBytes + len(text))
	r.sum0 = crc32.Update(crc32.Checksum(head, castagnoli()), castagnoli(), r.header)
	return r.checkSum("the header", r.sum0, text[length:])
}

// readEnd reads the end, whose checksum continues the one before it, and the totals in it.
func (r *Reader) readEnd() error {
	b := make([]byte, sumBytes+endBytes)
	if _, err := r.file.ReadAt(b, r.size-int64(len(b))); err != nil {
		return err
	}
	before, end := binary.LittleEndian.Uint32(b), b[sumBytes:]
	body, sum := end[:endBytes-sumBytes], end[endBytes-sumBytes:]
	if binary.LittleEndian.Uint32(sum) != crc32.Update(before, castagnoli(), body) || binary.LittleEndian.Uint32(body) != 0 {
		return r.Errorf("cut short or damaged: the checksum of its last %d bytes is wrong", endBytes)
	}
	r.last = binary.LittleEndian.Uint32(sum)
	r.summary = body[lengthBytes:][:summaryBytes]
	r.blocks = binary.LittleEndian.Uint64(body[lengthBytes+summaryBytes:])
	r.bytes = binary.LittleEndian.Uint64(body[lengthBytes+summaryBytes+8:])
	left := uint64(r.size - r.first - endBytes)
	if r.bytes > left || r.blocks > left/(lengthBytes+sumBytes) || r.bytes+r.blocks*(lengthBytes+sumBytes) != left {
		return r.Errorf("length is %d bytes, which does not fit %d blocks with %d bytes of data", r.size, r.blocks, r.bytes)
	}
	return nil
}

// checkSum compares a computed checksum with the one in the file.
func (r *Reader) checkSum(of string, got uint32, stored []byte) error {
	if want := binary.LittleEndian.Uint32(stored); got != want {
		return r.Errorf("checksum of %s is %#08x, want %#08x: damaged", of, got, want)
	}
	return nil
}

// Errorf returns an *Error about the file.
func (r *Reader) Errorf(format string, args ...any) error {
	return &Error{r.path, fmt.Sprintf(format, args...)}
}

func (r *Reader) decode(header, summary any) error {
	if err := decode(r.header, header); err != nil {
		return r.Errorf("header is invalid: %v", err)
	}
	if err := decode(r.summary, summary); err != nil {
		return r.Errorf("summary is invalid: %v", err)
	}
	return nil
}

// decode is stricter than json.Unmarshal about fields.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("data after the JSON object")
	}
	return nil
}

// Checksum is the last checksum of the file, which covers all of it.
func (r *Reader) Checksum() uint32 { return r.last }

// Blocks is the number of blocks.
func (r *Reader) Blocks() uint64 { return r.blocks }

// Bytes is the number of bytes of data in all blocks.
func (r *Reader) Bytes() uint64 { return r.bytes }

// Size is the length of the file.
func (r *Reader) Size() uint64 { return uint64(r.size) }

// Rewind makes Next begin with the first block.
func (r *Reader) Rewind() {
	r.at, r.sum, r.read, r.done = r.first, r.sum0, 0, 0
	r.in = bufio.NewReaderSize(io.NewSectionReader(r.file, r.first, r.size-r.first), 64<<10)
}

// Next returns the data of the next block, which are valid until the next call, or io.EOF after
// the last one. Then the whole file has been verified.
func (r *Reader) Next() ([]byte, error) {
	left := r.bytes - r.done
	if r.read == r.blocks {
		if left != 0 {
			return nil, r.Errorf("length of all blocks is %d, want %d: damaged", r.done, r.bytes)
		}
		return nil, io.EOF
	}
	var frame [lengthBytes]byte
	if err := r.fill(frame[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(frame[:])
	if n == 0 || n > MaxBlock || uint64(n) > left {
		return nil, r.Errorf("length of block %d of %d, at byte %d, is %d, want 1 to %d: damaged", r.read+1, r.blocks, r.at, n, min(MaxBlock, left))
	}
	if r.block == nil {
		r.block = make([]byte, min(MaxBlock, r.bytes))
	}
	b := r.block[:n]
	if err := r.fill(b); err != nil {
		return nil, err
	}
	sum := crc32.Update(crc32.Update(r.sum, castagnoli(), frame[:]), castagnoli(), b)
	if err := r.fill(frame[:]); err != nil {
		return nil, err
	}
	if err := r.checkSum(fmt.Sprintf("block %d of %d, at byte %d,", r.read+1, r.blocks, r.at), sum, frame[:]); err != nil {
		return nil, err
	}
	r.sum = sum
	r.read++
	r.done += uint64(n)
	r.at += int64(n) + lengthBytes + sumBytes
	return b, nil
}

// fill reads len(b) bytes.
func (r *Reader) fill(b []byte) error {
	if _, err := io.ReadFull(r.in, b); err != nil {
		return fmt.Errorf("%s: block %d: %w", r.path, r.read+1, err)
	}
	return nil
}

// Each rewinds and hands every block to use, with the byte of all data at which it begins. It ends
// early with the cause of ctx, or the error of use.
func (r *Reader) Each(ctx context.Context, use func(block []byte, at uint64) error) error {
	r.Rewind()
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		at := r.done
		b, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = use(b, at)
		}
		if err != nil {
			return err
		}
	}
}

// Close closes the file.
func (r *Reader) Close() error { return r.close() }
