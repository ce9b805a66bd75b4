package nnue

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

var smallShape = Shape{Features: "test", Inputs: 3, Active: 2, Hidden: 32, Buckets: 2}

// smallFile is the file of a small net.
func smallFile(t testing.TB) []byte {
	t.Helper()
	n := randomWeights(rand.New(rand.NewPCG(1, 2)), smallShape, 1).net(t, smallShape, 400)
	return written(t, n)
}

func written(t testing.TB, n *Net) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := n.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sign computes the checksum anew.
func sign(file []byte) []byte {
	if end := len(file) - 4; end >= 0 {
		binary.LittleEndian.PutUint32(file[end:], crc32.Checksum(file[:end], castagnoli))
	}
	return file
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, s := range randomShapes() {
		n := randomNet(t, rng, s)
		file := written(t, n)
		got, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, n) {
			t.Fatalf("hidden %d: another net was read than written", s.Hidden)
		}
		if end := binary.LittleEndian.Uint32(file[len(file)-4:]); got.Checksum() != end {
			t.Errorf("checksum %08x, that of the file is %08x", got.Checksum(), end)
		}
	}
}

// TestFormat builds a file as the comment in file.go describes it.
func TestFormat(t *testing.T) {
	w := randomWeights(rand.New(rand.NewPCG(1, 2)), smallShape, 1)
	n, err := New(smallShape, 400, "by hand", w.feature, w.bias, w.output, w.outputBias)
	if err != nil {
		t.Fatal(err)
	}
	b := []byte("TREFOIL\nnet\x00\x00\x00\x00\x00")
	for _, v := range []any{
		[]uint32{1, 3, 2, 32, 2, 400, 4, 7}, []byte("test"), []byte("by hand"), w.feature, w.bias, w.output, w.outputBias,
	} {
		if b, err = binary.Append(b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	b = sign(append(b, 0, 0, 0, 0))
	if !bytes.Equal(b, written(t, n)) {
		t.Error("the file is not as documented")
	}
}

// TestChecksumNamesTheNet holds that nets that differ in any part have different checksums.
func TestChecksumNamesTheNet(t *testing.T) {
	seen := map[uint32]string{}
	for name, change := range map[string]func(*weights, *Shape){
		"nothing":        func(*weights, *Shape) {},
		"feature weight": func(w *weights, _ *Shape) { w.feature[5]++ },
		"feature bias":   func(w *weights, _ *Shape) { w.bias[31]++ },
		"output weight":  func(w *weights, _ *Shape) { w.output[0]++ },
		"output bias":    func(w *weights, _ *Shape) { w.outputBias[1]++ },
		"features":       func(_ *weights, s *Shape) { s.Features = "Test" },
		"active":         func(_ *weights, s *Shape) { s.Active = 1 },
	} {
		s := smallShape
		w := randomWeights(rand.New(rand.NewPCG(1, 2)), s, 0)
		change(&w, &s)
		sum := w.net(t, s, 400).Checksum()
		if other, ok := seen[sum]; ok {
			t.Errorf("%s and %s: checksum %08x", name, other, sum)
		}
		seen[sum] = name
	}
}

// patched returns a file with a number changed and a checksum that fits.
func patched(file []byte, at int, v uint32) []byte {
	file = bytes.Clone(file)
	binary.LittleEndian.PutUint32(file[at:], v)
	return sign(file)
}

func TestReadRefuses(t *testing.T) {
	file := smallFile(t)
	damaged := bytes.Clone(file)
	damaged[100] ^= 1
	for _, c := range []struct {
		file []byte
		want string
	}{
		{nil, "cut short: 0 bytes"},
		{file[:12], "cut short: 12 bytes"},
		{file[:30], "cut short: 30 bytes, and the header alone has 48"},
		{file[:48], "cut short: 48 bytes, and its texts have 4 and 9"},
		{file[:50], "cut short: 50 bytes, and its texts have 4 and 9"},
		{file[:len(file)-1], "584 bytes, but a net of this shape has 585"},
		{append(bytes.Clone(file), 0), "586 bytes, but a net of this shape has 585"},
		{damaged, "damaged: its checksum is "},
		{[]byte("hello, world"), `it begins with "hello, w", expected "TREFOIL\n": it is not a net of Trefoil`},
		{[]byte("TREFOIL\nhash\x00\x00\x00\x00\x02\x00"), `of the kind "hash", expected "net"`},
		{patched(file, 16, 2), "format version 2, expected 1"},
		{patched(file, 20, 0), "inputs: 0 is not between 1 and 65536"},
		{patched(file, 20, 4), "585 bytes, but a net of this shape has 649"},
		{patched(file, 20, 1<<32-1), "inputs: 2147483647 is not between"},
		{patched(file, 24, 4), "active features: 4 is not between 1 and 3"},
		{patched(file, 28, 33), "hidden neurons: 33 is not a multiple of 32"},
		{patched(file, 28, 1<<31), "hidden neurons: 2147483647 is not between"},
		{patched(file, 32, 0), "buckets: 0 is not between"},
		{patched(file, 36, 0), "scale: 0 is not between"},
		{patched(file, 40, 1<<32-1), "its texts have 2147483647 and 9"},
		{patched(file, 44, 1<<32-1), "its texts have 4 and 2147483647"},
		{patched(file, 40, 0), "name of the features: 0 is not between"},
		{patched(file, 48, 0x01010101), `"\x01\x01\x01\x01" is not one line`},
		{patched(file, 48+4+9, 0x7fff), "neuron 0 could overflow"},
		{patched(file, len(file)-4-2*4-4, 0x7fff7fff), "bucket 1 could overflow: its |output weights|"},
	} {
		n, err := Read(c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
		if n != nil {
			t.Errorf("%v, and a net", err)
		}
	}
}

// TestReadShaped: a net of another shape is refused with the difference, and what is no net as by Read.
func TestReadShaped(t *testing.T) {
	file := smallFile(t)
	for want, shape := range map[string]Shape{
		"": smallShape,
		`its features are "test", expected "other"`:       {Features: "other", Inputs: 3, Active: 2, Hidden: 32, Buckets: 2},
		"3 inputs, 2 active, 2 buckets, expected 4, 2, 2": {Features: "test", Inputs: 4, Active: 2, Hidden: 32, Buckets: 2},
	} {
		n, err := ReadShaped(file, func(hidden int) Shape {
			if hidden != 32 {
				t.Errorf("%d hidden neurons", hidden)
			}
			return shape
		})
		if want == "" && (err != nil || n.Shape != shape) || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := ReadShaped(file[:9], func(int) Shape { return smallShape }); err == nil ||
		!strings.Contains(err.Error(), "cut short") {
		t.Error(err)
	}
}

// TestReadFindsDamage changes every bit of a file.
func TestReadFindsDamage(t *testing.T) {
	file := smallFile(t)
	for i := range file {
		for bit := range 8 {
			file[i] ^= 1 << bit
			if _, err := Read(file); err == nil {
				t.Fatalf("bit %d of byte %d was changed, and the file read", bit, i)
			}
			file[i] ^= 1 << bit
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteError(t *testing.T) {
	n, err := Read(smallFile(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Write(fullDisk{}); err == nil {
		t.Error("no error")
	}
}

// FuzzRead reads any file, as it is and with a checksum that fits. What is read is written as it was.
func FuzzRead(f *testing.F) {
	file := smallFile(f)
	f.Add(file)
	f.Add([]byte{})
	for _, n := range []int{7, 16, 20, 47, 48, 60, len(file) - 1} {
		f.Add(file[:n])
	}
	for at := 16; at < headerBytes; at += 4 {
		f.Add(patched(file, at, 0))
		f.Add(patched(file, at, 1<<31))
		f.Add(patched(file, at, 1<<32-1))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, data := range [][]byte{data, sign(bytes.Clone(data))} {
			n, err := Read(data)
			if err != nil {
				continue
			}
			if !bytes.Equal(written(t, n), data) {
				t.Fatal("written another way than read")
			}
			us, them := make([]int16, n.Hidden), make([]int16, n.Hidden)
			n.Refresh(us, nil)
			n.Refresh(them, []uint16{uint16(n.Inputs - 1)})
			for bucket := range n.Buckets {
				n.Output(us, them, bucket)
			}
		}
	})
}
