package nnue

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
)

// The file of a Net, little endian. It begins like all files of Trefoil.
//
//	8          "TREFOIL" and a line feed
//	8          "net", then zeros
//	4          version of the format
//	5 × 4      Inputs, Active, Hidden, Buckets, Scale
//	4, 4       f, t: lengths of Features and Trained
//	f, t       Features, Trained
//	2 each     feature weights, feature biases, output weights
//	4 each     output biases
//	4          checksum: CRC-32C of all bytes before it
const (
	magic   = "TREFOIL\n"
	kind    = "net\x00\x00\x00\x00\x00"
	version = 1

	headerBytes   = len(magic) + len(kind) + 4 + 5*4 + 2*4 // without the texts
	checksumBytes = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Read makes a Net of a file. The error says what is wrong with it.
func Read(data []byte) (*Net, error) {
	if err := checkSignature(data); err != nil {
		return nil, err
	}
	if len(data) < headerBytes {
		return nil, fmt.Errorf("cut short: %d bytes, and the header alone has %d", len(data), headerBytes)
	}
	r := reader{data[len(magic)+len(kind):]}
	if v := r.uint32(); v != version {
		return nil, fmt.Errorf("format version %d, expected %d", v, version)
	}
	n := &Net{}
	for _, v := range []*int{&n.Inputs, &n.Active, &n.Hidden, &n.Buckets, &n.Scale} {
		*v = r.length()
	}
	features, trained := r.length(), r.length()
	if features > len(r.data) || trained > len(r.data)-features {
		return nil, fmt.Errorf("cut short: %d bytes, and its texts have %d and %d", len(data), features, trained)
	}
	n.Features, n.Trained = string(r.take(features)), string(r.take(trained))
	if err := n.checkHeader(); err != nil {
		return nil, err
	}
	weights := (n.Inputs+1+n.Buckets*2)*n.Hidden*2 + n.Buckets*4
	if want := headerBytes + features + trained + weights + checksumBytes; len(data) != want {
		return nil, fmt.Errorf("%d bytes, but a net of this shape has %d", len(data), want)
	}
	n.featureWeights = numbers[int16](&r, n.Inputs*n.Hidden)
	n.featureBias = numbers[int16](&r, n.Hidden)
	n.outputWeights = numbers[int16](&r, n.Buckets*2*n.Hidden)
	n.outputBias = numbers[int32](&r, n.Buckets)
	n.checksum = r.uint32()
	if sum := crc32.Checksum(data[:len(data)-checksumBytes], castagnoli); sum != n.checksum {
		return nil, fmt.Errorf("damaged: its checksum is %08x, that of its contents %08x", n.checksum, sum)
	}
	if err := n.checkOverflow(); err != nil {
		return nil, err
	}
	return n, nil
}

// ReadShaped is Read for a game: shape returns the shape that a net with that many hidden neurons must
// have. The error also says in what it differs.
func ReadShaped(data []byte, shape func(hidden int) Shape) (*Net, error) {
	n, err := Read(data)
	if err != nil {
		return nil, err
	}
	switch want := shape(n.Hidden); {
	case n.Features != want.Features:
		return nil, fmt.Errorf("its features are %q, expected %q", n.Features, want.Features)
	case n.Shape != want:
		return nil, fmt.Errorf("%d inputs, %d active, %d buckets, expected %d, %d, %d",
			n.Inputs, n.Active, n.Buckets, want.Inputs, want.Active, want.Buckets)
	}
	return n, nil
}

// checkSignature checks that a file begins like a net.
func checkSignature(data []byte) error {
	switch {
	case bytes.HasPrefix(data, []byte(magic+kind)):
		return nil
	case bytes.HasPrefix([]byte(magic+kind), data):
		return fmt.Errorf("cut short: %d bytes", len(data))
	case bytes.HasPrefix(data, []byte(magic)):
		tag := data[len(magic):min(len(data), len(magic)+len(kind))]
		return fmt.Errorf("a file of Trefoil of the kind %q, expected %q", bytes.TrimRight(tag, "\x00"),
			bytes.TrimRight([]byte(kind), "\x00"))
	}
	return fmt.Errorf("it begins with %q, expected %q: it is not a net of Trefoil",
		data[:min(len(data), len(magic))], magic)
}

// Write writes the file of a Net.
func (n *Net) Write(w io.Writer) error {
	_, err := w.Write(binary.LittleEndian.AppendUint32(n.encode(), n.checksum))
	return err
}

// encode returns the file of a Net up to the checksum.
func (n *Net) encode() []byte {
	b := []byte(magic + kind)
	for _, v := range []int{version, n.Inputs, n.Active, n.Hidden, n.Buckets, n.Scale, len(n.Features), len(n.Trained)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	b = append(b, n.Features+n.Trained...)
	for _, part := range [][]int16{n.featureWeights, n.featureBias, n.outputWeights} {
		b = slices.Grow(b, 2*len(part))
		for _, v := range part {
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		}
	}
	for _, v := range n.outputBias {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return b
}

// A reader takes numbers from the front of a file, whose length its caller has checked.
type reader struct{ data []byte }

func (r *reader) take(n int) []byte {
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *reader) uint32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }

// length reads a number of at most 2^31-1, which int has on every system; a larger one, too large for
// any net, is read as that.
func (r *reader) length() int { return int(min(r.uint32(), math.MaxInt32)) }

// numbers reads n numbers.
func numbers[T int16 | int32](r *reader, n int) []T {
	v := make([]T, n)
	_, _ = binary.Decode(r.take(binary.Size(v)), binary.LittleEndian, v) // it has as many bytes
	return v
}
