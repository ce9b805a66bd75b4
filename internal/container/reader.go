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
)

// A Reader reads the blocks of a file in their order, each after its checksum has been verified.
// Errors about the contents of the file are of type *Error.
//
// The end of a regular file is read first. The end of a stream comes last: until Next has returned io.EOF,
// its summary is not decoded, and Complete is false.
type Reader struct {
	path     string
	file     io.ReaderAt // nil while a stream is read
	close    func() error
	size     int64  // of a stream: what has been read of it
	header   []byte // JSON
	summary  []byte // JSON
	into     any    // what the summary is decoded into
	first    int64  // where the first block begins
	sum0     uint32 // checksum of what is before it
	last     uint32 // checksum of all of it
	blocks   uint64
	bytes    uint64 // of data in all blocks
	want     uint64 // what bytes has to be
	complete bool   // the end has been read
	kept     *keeper

	in    *bufio.Reader
	at    int64 // in the file
	sum   uint32
	read  uint64 // blocks
	done  uint64 // bytes of data
	block []byte
}

// Open opens a file of a kind and decodes its header and its summary into pointers to two structs; a field
// that a struct does not have is an error. It checks the beginning, and of a regular file the end and the
// length; Next checks the rest.
func Open(in Input, kind Kind, header, summary any) (*Reader, error) {
	f, size, err := in.open()
	if err != nil {
		return nil, err
	}
	var r *Reader
	if file, ok := f.(io.ReaderAt); ok && in.Open == nil {
		r, err = newReader(file, size, in.Name, kind)
	} else {
		r, err = newStream(f, in.Name, kind)
	}
	if err == nil {
		err = r.decode(header, summary)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.close = f.Close
	return r, nil
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
	r := &Reader{path: path, file: file, size: size, want: anyBytes, close: func() error { return nil }}
	err := r.readBeginning(kind)
	if err == nil {
		err = r.readEnd()
	}
	if err != nil {
		return nil, err
	}
	r.complete = true
	return r, r.Rewind()
}

// DecodeHeader decodes what EncodeHeader has returned, and ignores at least as many further bytes as
// an end has. path is only named in errors, which are of type *Error.
func DecodeHeader(memory []byte, path string, kind Kind, header any) error {
	r := &Reader{path: path, file: bytes.NewReader(memory), size: int64(len(memory))}
	if err := r.readBeginning(kind); err != nil {
		return err
	}
	return r.decode(header, nil)
}

// readBeginning reads and checks everything before the first block.
func (r *Reader) readBeginning(kind Kind) error {
	head := make([]byte, min(r.size, int64(prefixBytes)))
	if _, err := r.file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	length, err := r.checkPrefix(head, kind)
	if err != nil {
		return err
	}
	if r.size < int64(prefixBytes)+int64(length)+sumBytes+endBytes {
		return r.cutShort(r.size)
	}
	text := make([]byte, length+sumBytes)
	if _, err := r.file.ReadAt(text, int64(prefixBytes)); err != nil {
		return err
	}
	return r.checkBeginning(head, text)
}

// checkPrefix checks what stands before the header, or the whole of a shorter file, and returns the length
// of the header.
func (r *Reader) checkPrefix(head []byte, kind Kind) (length uint32, err error) {
	if err := kind.is(head); err != nil {
		return 0, r.Errorf("%v", err)
	}
	if len(head) < prefixBytes {
		return 0, r.cutShort(int64(len(head)))
	}
	rest := head[len(kind.signature()):]
	version, length := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
	switch {
	case version != Version:
		return 0, r.Errorf("format version is %d, expected %d", version, Version)
	case length > MaxHeader:
		return 0, r.Errorf("length of the header is %d, expected at most %d", length, MaxHeader)
	}
	return length, nil
}

// checkBeginning checks the checksum after the header.
func (r *Reader) checkBeginning(head, text []byte) error {
	n := len(text) - sumBytes
	r.header = text[:n]
	r.first = int64(prefixBytes + len(text))
	r.sum0 = crc32.Update(crc32.Checksum(head, castagnoli()), castagnoli(), r.header)
	return r.checkSum("the header", r.sum0, text[n:])
}

// cutShort is the error about a file that ends after size bytes.
func (r *Reader) cutShort(size int64) error { return r.Errorf("cut short: it has %d bytes", size) }

// readEnd reads the end, whose checksum continues the one before it, and the totals in it.
func (r *Reader) readEnd() error {
	b := make([]byte, sumBytes+endBytes)
	if _, err := r.file.ReadAt(b, r.size-int64(len(b))); err != nil {
		return err
	}
	if err := r.parseEnd(binary.LittleEndian.Uint32(b), b[sumBytes:]); err != nil {
		return err
	}
	left := uint64(r.size - r.first - endBytes)
	if r.bytes > left || r.blocks > left/(lengthBytes+sumBytes) || r.bytes+r.blocks*(lengthBytes+sumBytes) != left {
		return r.Errorf("length is %d bytes, which does not fit %d blocks with %d bytes of data", r.size, r.blocks, r.bytes)
	}
	return nil
}

// parseEnd checks the end by the checksum before it.
func (r *Reader) parseEnd(before uint32, end []byte) error {
	body, sum := end[:endBytes-sumBytes], end[endBytes-sumBytes:]
	if binary.LittleEndian.Uint32(sum) != crc32.Update(before, castagnoli(), body) ||
		binary.LittleEndian.Uint32(body) != 0 {
		return r.Errorf("cut short or damaged: the checksum of its last %d bytes is wrong", endBytes)
	}
	r.last = binary.LittleEndian.Uint32(sum)
	r.summary = body[lengthBytes:][:summaryBytes]
	r.blocks = binary.LittleEndian.Uint64(body[lengthBytes+summaryBytes:])
	r.bytes = binary.LittleEndian.Uint64(body[lengthBytes+summaryBytes+8:])
	return nil
}

// checkSum compares a computed checksum with the one in the file.
func (r *Reader) checkSum(of string, got uint32, stored []byte) error {
	if want := binary.LittleEndian.Uint32(stored); got != want {
		return r.Errorf("checksum of %s is %#08x, expected %#08x: damaged", of, got, want)
	}
	return nil
}

// Errorf returns an *Error about the file.
func (r *Reader) Errorf(format string, args ...any) error {
	return &Error{r.path, fmt.Sprintf(format, args...)}
}

// decode decodes the header, and the summary unless it has not been read yet.
func (r *Reader) decode(header, summary any) error {
	if err := decode(r.header, header); err != nil {
		return r.Errorf("header is invalid: %v", err)
	}
	r.into = summary
	if !r.complete {
		return nil
	}
	return r.decodeSummary()
}

func (r *Reader) decodeSummary() error {
	if err := decode(r.summary, r.into); err != nil {
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

// Checksum is the last checksum, which covers the whole file, once the end has been read.
func (r *Reader) Checksum() uint32 { return r.last }

// Complete reports whether the end has been read, so that the summary, Blocks, Bytes and Size are known.
func (r *Reader) Complete() bool { return r.complete }

// Blocks is the number of blocks.
func (r *Reader) Blocks() uint64 { return r.blocks }

// Bytes is the number of bytes of data in all blocks.
func (r *Reader) Bytes() uint64 { return r.bytes }

// Size is the length of the file.
func (r *Reader) Size() uint64 { return uint64(r.size) }

// anyBytes is the number of bytes of data where no other number is expected.
const anyBytes = 1<<64 - 1

// Expect says how many bytes of data there have to be in all blocks. It refuses a file that has another
// number; of a stream, Next does that.
func (r *Reader) Expect(bytes uint64) error {
	r.want = bytes
	if r.complete && r.bytes != bytes {
		return r.Errorf("length of all blocks is %d, expected %d", r.bytes, bytes)
	}
	return nil
}

// Rewind makes Next begin with the first block. A stream can be read again if Keep was called before
// its first block was read, and Next has returned io.EOF.
func (r *Reader) Rewind() error {
	switch {
	case r.file != nil:
		r.at, r.sum, r.read, r.done = r.first, r.sum0, 0, 0
		r.in = bufio.NewReaderSize(io.NewSectionReader(r.file, r.first, r.size-r.first), 64<<10)
	case r.read > 0 || r.complete:
		return fmt.Errorf("%s: it cannot be read twice", r.path)
	}
	return nil
}

// Again returns another Reader of the same file, which any goroutine may use beside r, as long as r is
// open. A stream has to be kept for that, and read to its end.
func (r *Reader) Again() (*Reader, error) {
	if r.file == nil {
		return nil, fmt.Errorf("%s: it cannot be read twice", r.path)
	}
	again := *r
	again.block, again.kept, again.close = nil, nil, func() error { return nil }
	return &again, again.Rewind()
}

// Next returns the data of the next block, which are valid until the next call, or io.EOF after
// the last one. Then the whole file has been verified.
func (r *Reader) Next() ([]byte, error) {
	if r.complete && r.read == r.blocks {
		if r.done != r.bytes {
			return nil, r.Errorf("length of all blocks is %d, expected %d: damaged", r.done, r.bytes)
		}
		return nil, io.EOF
	}
	var frame [lengthBytes]byte
	if err := r.fill(frame[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(frame[:])
	if n == 0 && !r.complete {
		return nil, r.finish(frame[:])
	}
	if most := min(MaxBlock, r.left()); n == 0 || uint64(n) > most {
		return nil, r.Errorf("length of block %s, at byte %d, is %d, expected 1 to %d: damaged", r.number(), r.at, n, most)
	}
	if int(n) > cap(r.block) {
		r.block = make([]byte, n, r.capacity(int(n)))
	}
	b := r.block[:n]
	if err := r.fill(b); err != nil {
		return nil, err
	}
	sum := crc32.Update(crc32.Update(r.sum, castagnoli(), frame[:]), castagnoli(), b)
	if err := r.fill(frame[:]); err != nil {
		return nil, err
	}
	if err := r.checkSum(fmt.Sprintf("block %s, at byte %d,", r.number(), r.at), sum, frame[:]); err != nil {
		return nil, err
	}
	r.sum = sum
	r.read++
	r.done += uint64(n)
	r.at += int64(n) + lengthBytes + sumBytes
	return b, nil
}

// left is how many bytes of data may still come.
func (r *Reader) left() uint64 {
	if r.complete {
		return r.bytes - r.done
	}
	return r.want - r.done
}

// capacity is how large a block is allocated if it has to have n bytes.
func (r *Reader) capacity(n int) int {
	if r.complete {
		return int(min(MaxBlock, r.bytes))
	}
	return n
}

// number says which block is being read.
func (r *Reader) number() string {
	if r.complete {
		return fmt.Sprintf("%d of %d", r.read+1, r.blocks)
	}
	return fmt.Sprint(r.read + 1)
}

// fill reads len(b) bytes.
func (r *Reader) fill(b []byte) error {
	n, err := io.ReadFull(r.in, b)
	switch {
	case r.file == nil:
		return r.filled(b, n, err)
	case err != nil:
		return fmt.Errorf("%s: block %d: %w", r.path, r.read+1, err)
	}
	return nil
}

// Each rewinds and hands every block to use, with the byte of all data at which it begins. It ends
// early with the cause of ctx, or the error of use.
func (r *Reader) Each(ctx context.Context, use func(block []byte, at uint64) error) error {
	if err := r.Rewind(); err != nil {
		return err
	}
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

// Close closes the file, or the stream.
func (r *Reader) Close() error {
	if r.kept != nil {
		r.kept.remove()
	}
	return r.close()
}
