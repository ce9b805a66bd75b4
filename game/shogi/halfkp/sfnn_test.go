package halfkp

import (
	"bytes"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"trefoil/game/shogi"
)

// sfnnFile is a small file of SFNN.
func sfnnFile() []byte { return testNets[5].file() }

// TestSFNNRefuses damages a file.
func TestSFNNRefuses(t *testing.T) {
	file := sfnnFile()
	biases := bytes.Index(file, []byte(leb128Magic))
	weights := biases + 1 + bytes.Index(file[biases+1:], []byte(leb128Magic))
	behind := func(place int, b ...byte) []byte { return slices.Concat(file[:place], b, file[place+len(b):]) }
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"no magic text", `the biases of the feature transformer begin with "XOMPRESSED_LEB128"`, behind(biases, 'X')},
		{"none before the weights", "the weights of the feature transformer begin with", behind(weights, 'X')},
		{"a number of four bytes", "number 3 of the biases of the feature transformer has more than 3 bytes",
			behind(biases+leb128Header+3, 0x80, 0x80, 0x80)},
		{"fewer biases", "63 biases of the feature transformer, expected 64", behind(weights-1, 0x80)},
		{"fewer biases in a block", "63 biases of the feature transformer, expected 64", behind(biases+leb128Header-4, 63)},
		{"more biases", "more than 64 biases", behind(biases+leb128Header-4, 200)},
		{"fewer weights", "4691519 weights of the feature transformer, expected 4691520",
			behind(weights+leb128Header-4, 0x3f, 0x96, 0x47, 0)},
		{"a block of 4 GB", "weights of the feature transformer", behind(weights+leb128Header-4, 255, 255, 255, 255)},
		{"too short", "bytes, but a file of the architecture SFNN HalfKA_hm2(Friend) 64-15-32 k3k3 has at least 4712276",
			file[:biases+100]},
		{"a byte more", "20521 bytes after the feature transformer, but the layers of a file of the architecture SFNN " +
			"HalfKA_hm2(Friend) 64-15-32 k3k3 have 20520", append(slices.Clone(file), 0)},
	} {
		if n, err := read(bytes.NewReader(c.data), int64(len(c.data))); err == nil || n != nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: net %v, error %v, want %q", c.name, n, err, c.want)
		}
	}
	if n := testNets[5].net(); n.Checksum() != crc32.Checksum(file, castagnoli) || n.Note() != "" {
		t.Errorf("checksum %08x, note %q", n.Checksum(), n.Note())
	}
}

// TestSFNNArchitectures checks texts as several programs write them.
func TestSFNNArchitectures(t *testing.T) {
	const hm, ka = "HalfKA_hm2(Friend)[73305->", "HalfKA2(Friend)[131949->"
	const layers = "AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-15](ClippedReLU[15](AffineTransform" +
		"[15<-3072](InputSlice[3072(0:3072)])))))"
	for _, c := range []struct{ features, network, want string }{
		{hm + "1536", "SFNN-1536{LayerStack=9}", "SFNN HalfKA_hm2(Friend) 1536-15-32 k3k3"},
		{hm + "1536", "SFNN-1536-V2{LayerStack=9}", "SFNN HalfKA_hm2(Friend) 1536-15-32 k3k3"},
		{"HalfKA_hm(Friend)[73305->1536", layers + "{LayerStack=9}", "SFNN HalfKA_hm2(Friend) 1536-15-32 k3k3"},
		{hm + "1024", "SFNN_HALFKAHM2_1024_15_64_K3K3{LayerStack=9}", "SFNN HalfKA_hm2(Friend) 1024-15-64 k3k3"},
		{ka + "1024", "SFNN_halfka2_1024_8_64{LayerStack=1}", "SFNN HalfKA2(Friend) 1024-8-64"},
		{ka + "1024", "SFNN_halfka2_1024_7_64_hand4{LayerStack=4}", ""},
		{ka + "1024", "SFNN_halfka2_1024_7_64_progress8_k3k3{LayerStack=72}", ""},
		{ka + "1024", "SFNN_halfka2_1024_7_64_c512_s64x8_k3k3{LayerStack=9}", ""},
		{ka + "1024", "SFNN_halfka2_1024_6_64_k3k3{LayerStack=9}", ""},
		{ka + "1024", "SFNN_halfka2_1024_12_64{LayerStack=1}", ""},
		{ka + "1024", "SFNN_halfka2_512_7_64_k3k3{LayerStack=9}", ""},
		{ka + "1024", "SFNN_halfka2_1024_7_64{LayerStack=9}", ""},
		{ka + "1000", "SFNN-1000{LayerStack=9}", ""},
		{"HalfKA_hm1(Friend)[76950->1536", "SFNN-1536{LayerStack=9}", ""},
		{hm + "1536", "SFNN-1536", ""},
	} {
		text := "ModelType=SFNNWithoutPsqt;Features=" + c.features + "x2],Network=" + c.network
		a, err := parseArchitecture(text, 0)
		switch {
		case c.want == "" && (err == nil || !strings.Contains(err.Error(), c.network)):
			t.Errorf("%s: %v, error %v", text, a, err)
		case c.want != "" && (err != nil || a.String() != c.want):
			t.Errorf("%s: %v, error %v, want %s", text, a, err, c.want)
		}
	}
	if a, err := parseArchitecture("", 0x3C203B32); err != nil || a.String() != "SFNN HalfKA_hm2(Friend) 1536-15-32 k3k3" {
		t.Errorf("a hash alone: %v, error %v", a, err)
	}
}

// TestMirror: a side whose king stands on the files 6 to 9 has the features of the mirrored position.
func TestMirror(t *testing.T) {
	n := testNets[5].net()
	p, q := position(t, "6k2/9/2p6/9/9/9/9/7B1/1K7 b 2P 1"), position(t, "2k6/9/6p2/9/9/9/9/1B7/7K1 b 2P 1")
	for side := range shogi.Colour(2) {
		if got, want := active(n.features, p, side), active(n.features, q, side); !slices.Equal(got, want) {
			t.Errorf("side %d: %v, mirrored %v", side, got, want)
		}
	}
	if got, want := fromScratch(n, 1, p), fromScratch(n, 1, q); got != want {
		t.Errorf("%d, mirrored %d", got, want)
	}
}

// TestStack checks the stack that kings on ranks choose.
func TestStack(t *testing.T) {
	n := testNets[5].net()
	for sfen, want := range map[string]int{
		shogi.StartSFEN:               8,
		"k8/9/9/9/9/9/9/9/K8 w - 1":   8,
		"9/9/9/9/4k4/9/9/9/K8 b - 1":  7,
		"9/9/9/9/4k4/9/9/9/K8 w - 1":  5,
		"2K6/9/9/9/9/9/6k2/9/9 b - 1": 0,
		"2K6/9/9/6k2/9/9/9/9/9 w - 1": 3,
		"9/9/9/9/9/6K2/2k6/9/9 b - 1": 3,
	} {
		if got := slices.Index(n.layers, n.stack(position(t, sfen))); got != want {
			t.Errorf("%s: stack %d, want %d", sfen, got, want)
		}
	}
}
