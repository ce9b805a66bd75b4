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
	if want := headerBytes + int64(n) + a.body(); size != want {
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
	r.int16s(net.bias)
	r.int16s(net.weights)
	hashes[2] = r.uint32()
	r.layers(net.layers)
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

func (r *reader) layers(l *layers) {
	r.layer(&l.first, 2*l.half)
	r.layer(&l.second, len(l.first.bias))
	l.bias3 = int32(r.uint32())
	b := r.buffer[:inFile(len(l.weights3))]
	r.read(b)
	for i := range l.weights3 {
		l.weights3[i] = int8(b[i])
	}
	l.setTogether()
}

// layer reads the weights neuron by neuron.
func (r *reader) layer(l *layer, inputs int) {
	for i := range l.bias {
		l.bias[i] = int32(r.uint32())
	}
	for neuron := range l.bias {
		b := r.buffer[:inFile(inputs)]
		r.read(b)
		for i, v := range b[:inputs] {
			l.at(i/4, neuron)[i%4] = int8(v)
		}
	}
}
