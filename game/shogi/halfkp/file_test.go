package halfkp

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// header returns the beginning of a file.
func header(version, hash uint32, architecture string) []byte {
	var b []byte
	for _, v := range []uint32{version, hash, uint32(len(architecture))} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return append(b, architecture...)
}

// The text and the hash of HalfKP 256x2-32-32.
const (
	standard = "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](ClippedReLU[32]" +
		"(AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))"
	standardHash = 0x3E5AA6EE
)

func TestRead(t *testing.T) {
	n, file := usual(), usualFile()
	if want := crc32.Checksum(file, castagnoli); n.Checksum() != want {
		t.Errorf("checksum %08x, want %08x", n.Checksum(), want)
	}
	if n.Note() != "" {
		t.Errorf("note %q", n.Note())
	}
	if len(file) > MaxBytes {
		t.Errorf("%d bytes, more than MaxBytes", len(file))
	}
}

func TestReadRefuses(t *testing.T) {
	file := usualFile()
	size := int64(len(file))
	wide := strings.ReplaceAll(strings.ReplaceAll(standard, "256x2", "512x2"), "32<-512", "16<-1024")
	for _, c := range []struct {
		name, want string
		data       []byte
		size       int64
	}{
		{"empty", "cut short: 0 bytes, and the header alone has 12", nil, 0},
		{"a few bytes", "cut short: 11 bytes", file[:11], 11},
		{"another file", "it begins with 46455254, expected 7af32f16: it is not an evaluation file of YaneuraOu", []byte("TREFOIL\nnet     "), 16},
		{"a long text", "the text of its architecture has 4294967295 bytes, more than 1024", append(header(Version, standardHash, "")[:8], 255, 255, 255, 255), size},
		{"the longest text", `its architecture is "xxxx`, header(Version, 1, strings.Repeat("x", maxArchitecture)), size},
		{"a text cut short", "cut short: 20 bytes, and the text of its architecture has 178", file[:20], 20},
		{"only a header", "190 bytes, but a file of the architecture HalfKP(Friend) 256x2-32-32 has 64217066", file[:190], 190},
		{"cut short by a byte", "64217065 bytes, but", file, size - 1},
		{"a byte more", "64217067 bytes, but", file, size + 1},
		{"ends early", "the file ended while it was read", file[:1<<20], size},
		{"ends in the header", "the file ended while it was read", file[:100], size},
		{"ends in the version", "the file ended while it was read", file[:3], size},
		{"other features", `its architecture is "Features=K+A2[1710->256x2],`, header(Version, 1, strings.Replace(standard, "HalfKP(Friend)[125388", "K+A2[1710", 1)), size},
		{"other features with the same hash", `its architecture is "Features=HalfKPE9(Friend)`,
			header(Version, standardHash, strings.Replace(standard, "HalfKP(", "HalfKPE9(", 1)), size},
		{"layers that do not fit", `InputSlice[512(0:512)])))))"; known are HalfKP(Friend)[125388->Nx2] and K+P[1710->Nx2], where`, header(Version, 1, wide), size},
		{"other layers", "[16<-1024]", header(Version, 1, strings.ReplaceAll(standard, "32<-512", "16<-1024")), size},
		{"a later kind of net", "ModelType=SFNNWithoutPsqt", header(Version, 0x3c203b32, "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1536x2],Network=SFNN"), size},
		{"no text, another hash", `its architecture is "" with the hash 00000001; known are HalfKP(`, header(Version, 1, ""), size},
		{"control characters", `its architecture is "\x00\n" with`, header(Version, 1, "\x00\n"), size},
	} {
		n, err := read(bytes.NewReader(c.data), c.size)
		if err == nil || !strings.Contains(err.Error(), c.want) || n != nil {
			t.Errorf("%s: net %v, error %v, want %q", c.name, n, err, c.want)
		}
	}
}

// TestReadAccepts checks headers as other programs write them.
func TestReadAccepts(t *testing.T) {
	const halfKP = "HalfKP(Friend) 256x2-32-32"
	kpText := strings.Replace(standard, "HalfKP(Friend)[125388", "K+P[1710", 1)
	sparse := strings.Replace(standard, "AffineTransform[32<-512]", "AffineTransformSparseInput[32<-512]", 1)
	for _, c := range []struct {
		name, architecture string
		hash               uint32
		want               string
	}{
		{"another name of a layer", sparse, standardHash, halfKP},
		{"another hash", standard, 1, halfKP},
		{"no text", "", standardHash, halfKP},
		{"a remark", "Network trained by a program", standardHash, halfKP},
		{"K-P", kpText, 1, "K+P 256x2-32-32"},
		{"K-P, no text", "", 0x5C6464A9, "K+P 256x2-32-32"},
	} {
		if a, err := parseArchitecture(c.architecture, c.hash); err != nil || a.String() != c.want {
			t.Errorf("%s: %v, error %v", c.name, a, err)
		}
	}
	h, body := header(Version, 1, sparse), usualFile()[headerBytes+len(standard):]
	n, err := read(io.MultiReader(bytes.NewReader(h), bytes.NewReader(body)), int64(len(h)+len(body)))
	switch {
	case err != nil:
		t.Error(err)
	case n.Note() != "its hashes are [00000001 5d69d7b8 63337156], of a known file [3e5aa6ee 5d69d7b8 63337156]":
		t.Errorf("note %q", n.Note())
	case !reflect.DeepEqual(n.layers, usual().layers) || !slices.Equal(n.bias, usual().bias) ||
		n.Checksum() == usual().Checksum():
		t.Error("another net")
	}
}

// TestRefusalAllocatesLittle holds that the memory of a net is only asked for when the size fits.
func TestRefusalAllocatesLittle(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	h := header(Version, standardHash, standard)
	if _, err := read(bytes.NewReader(h), int64(len(h))); err == nil {
		t.Error("no error")
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}

func FuzzRead(f *testing.F) {
	for _, h := range [][]byte{nil, header(Version, standardHash, standard),
		header(Version, 1, "Features=K+P[1710->256x2]"),
		header(Version, standardHash, "")} {
		f.Add(h, int64(len(h)))
		f.Add(h, usual().body()+int64(len(h)))
	}
	f.Fuzz(func(t *testing.T, data []byte, size int64) {
		if n, err := read(bytes.NewReader(data), size); (n == nil) != (err != nil) {
			t.Errorf("net %v, error %v", n, err)
		}
	})
}
