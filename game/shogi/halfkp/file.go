package halfkp

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// An evaluation file, little endian:
//
//	4          Version
//	4          Hash
//	4, n       n, the architecture as a text of n bytes
//	4          hash of the feature transformer
//	2 each     its biases, then its weights by feature
//	4          hash of the layers
//	4, 1 each  for each layer its biases, then its weights by neuron, with padding to a multiple of 32
//
// In a file of SFNN the biases and the weights of the feature transformer are a block each: a magic text, the number of
// bytes that follow (4), and the numbers as signed LEB128. The hash and the layers follow for each stack.
//
// The hashes stand for the architecture, not for the weights.

// Version is what a file begins with.
const Version = 0x7AF32F16

const (
	headerBytes     = 3 * 4
	maxArchitecture = 1024 // more than the text of any architecture has
)

// MaxBytes is more than any file has.
const MaxBytes = 600 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Read makes a Net of a file of size bytes. The error says what is wrong with it, or which other
// architecture it has. Before it takes memory for the feature transformer, it calls reserve with the number
// of bytes, and returns its error.
func Read(file io.Reader, size int64, reserve func(bytes uint64) error) (*Net, error) {
	if size < headerBytes {
		return nil, fmt.Errorf("cut short: %d bytes, and the header alone has %d", size, headerBytes)
	}
	r := &reader{in: bufio.NewReaderSize(file, 1<<16)}
	if v := r.uint32(); r.err == nil && v != Version {
		return nil, fmt.Errorf("it begins with %08x, expected %08x: it is not an evaluation file of YaneuraOu", v,
			uint32(Version))
	}
	hash, n := r.uint32(), r.uint32()
	switch {
	case r.err != nil:
		return nil, r.err
	case n > maxArchitecture:
		return nil, fmt.Errorf("the text of its architecture has %d bytes, more than %d", n, maxArchitecture)
	case int64(n) > size-headerBytes:
		return nil, fmt.Errorf("cut short: %d bytes, and the text of its architecture has %d", size, n)
	}
	text := make([]byte, n)
	r.read(text)
	if r.err != nil {
		return nil, r.err
	}
	a, err := parseArchitecture(string(text), hash)
	if err != nil {
		return nil, err
	}
	want := headerBytes + int64(n) + a.body()
	if a.stacks > 0 && size < want {
		return nil, fmt.Errorf("%d bytes, but a file of the architecture %s has at least %d", size, a, want)
	}
	if a.stacks == 0 && size != want {
		return nil, fmt.Errorf("%d bytes, but a file of the architecture %s has %d", size, a, want)
	}
	if err := reserve(a.transformerBytes()); err != nil {
		return nil, err
	}
	net, err := newNet(a)
	if err != nil {
		return nil, err
	}
	hashes := [3]uint32{hash}
	hashes[1] = r.uint32()
	if a.stacks == 0 {
		r.int16s(net.bias)
		r.int16s(net.weights)
	} else {
		r.doubled(net.bias, "biases")
		r.doubled(net.weights, "weights")
		if left := size - r.bytes; r.err == nil && left != a.layersBytes() {
			return nil, fmt.Errorf("%d bytes after the feature transformer, but the layers of a file of the architecture "+
				"%s have %d", left, a, a.layersBytes())
		}
	}
	for _, l := range net.layers {
		hashes[2] = r.uint32()
		r.layers(l, a)
	}
	if r.err != nil {
		return nil, r.err
	}
	if want := a.hashes(); hashes != want {
		net.note = fmt.Sprintf("its hashes are %08x, of a known file %08x", hashes, want)
	}
	net.checksum = r.checksum
	return net, nil
}

// A reader takes numbers from a file. After an error all are 0.
type reader struct {
	in       *bufio.Reader
	bytes    int64 // read until now
	checksum uint32
	err      error
	buffer   [1 << 12]byte
}

// read fills b.
func (r *reader) read(b []byte) {
	if r.err == nil {
		if _, r.err = io.ReadFull(r.in, b); errors.Is(r.err, io.EOF) || errors.Is(r.err, io.ErrUnexpectedEOF) {
			r.err = errors.New("the file ended while it was read")
		}
	}
	if r.err != nil {
		clear(b)
	}
	r.bytes += int64(len(b))
	r.checksum = crc32.Update(r.checksum, castagnoli, b)
}

func (r *reader) uint32() uint32 {
	r.read(r.buffer[:4])
	return binary.LittleEndian.Uint32(r.buffer[:])
}

func (r *reader) int16s(v []int16) {
	for len(v) > 0 && r.err == nil {
		n := min(len(v), len(r.buffer)/2)
		b := r.buffer[:2*n]
		r.read(b)
		for i := range v[:n] {
			v[i] = int16(binary.LittleEndian.Uint16(b[2*i:]))
		}
		v = v[n:]
	}
}

// The beginning of a block: leb128Magic and the number of bytes.
const (
	leb128Magic  = "COMPRESSED_LEB128"
	leb128Header = len(leb128Magic) + 4
)

// doubled reads a block of numbers of the feature transformer of SFNN, times 2.
func (r *reader) doubled(v []int16, what string) {
	var magic [len(leb128Magic)]byte
	r.read(magic[:])
	if r.err == nil && string(magic[:]) != leb128Magic {
		r.err = fmt.Errorf("the %s of the feature transformer begin with %q, expected %q", what, magic, leb128Magic)
	}
	left := int(r.uint32())
	number, shift, n := 0, 0, 0
	for left > 0 && r.err == nil {
		b := r.buffer[:min(left, len(r.buffer))]
		r.read(b)
		left -= len(b)
		for _, x := range b {
			number |= int(x&0x7f) << shift
			if shift += 7; x >= 0x80 {
				if shift < 21 {
					continue
				}
				r.err = fmt.Errorf("number %d of the %s of the feature transformer has more than 3 bytes", n, what)
				return
			}
			if n == len(v) {
				r.err = fmt.Errorf("more than %d %s of the feature transformer", n, what)
				return
			}
			if x >= 0x40 {
				number |= -1 << shift
			}
			v[n] = 2 * int16(number)
			number, shift = 0, 0
			n++
		}
	}
	if r.err == nil && n < len(v) {
		r.err = fmt.Errorf("%d %s of the feature transformer, expected %d", n, what, len(v))
	}
}

func (r *reader) layers(l *layers, a *architecture) {
	outputs, inputs2 := a.firstLayer()
	r.layer(&l.first, outputs, a.inputs())
	r.layer(&l.second, a.hidden2, inputs2)
	l.bias3 = int32(r.uint32())
	b := r.buffer[:inFile(len(l.weights3))]
	r.read(b)
	for i := range l.weights3 {
		l.weights3[i] = int8(b[i])
	}
	l.setTogether()
}

// layer reads the weights neuron by neuron.
func (r *reader) layer(l *layer, neurons, inputs int) {
	for i := range l.bias[:neurons] {
		l.bias[i] = int32(r.uint32())
	}
	for neuron := range neurons {
		b := r.buffer[:inFile(inputs)]
		r.read(b)
		for i, v := range b[:inputs] {
			l.at(i/4, neuron)[i%4] = int8(v)
		}
	}
}
