package halfkp

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"testing"

	"trefoil/game/evaltest"
	"trefoil/game/shogi"
	"trefoil/game/shogi/halfkp/halfkptest"
)

// A testNet is a file and the Net that it holds.
type testNet struct {
	name string
	// edition is the name that YaneuraOu gives the architecture.
	edition string
	file    func() []byte
	net     func() *Net
}

func newTestNet(name, edition string, kind halfkptest.Kind, seed uint64, s halfkptest.Sizes) *testNet {
	file := sync.OnceValue(func() []byte { return kind.File(seed, s) })
	return &testNet{name, edition, file, sync.OnceValue(func() *Net { return mustRead(file()) })}
}

// testNets are the nets that most tests use, in the order of golden.
var testNets = []*testNet{
	newTestNet("usual", "halfkp_256x2-32-32", halfkptest.HalfKP, 1, halfkptest.Usual),
	newTestNet("extreme", "halfkp_256x2-32-32", halfkptest.HalfKP, 2, halfkptest.Extreme),
	newTestNet("K-P", "kp_256x2-32-32", halfkptest.KP, 3, halfkptest.Usual),
	newTestNet("K-P, extreme", "kp_256x2-32-32", halfkptest.KP, 4, halfkptest.Extreme),
	newTestNet("K-P, 8-96", "kp_512x2-8-96", halfkptest.KP.Sized(512, 8, 96), 5, wide),
	newTestNet("SFNN", "SFNN_halfkahm2_64_15_32_k3k3", halfkptest.SFNN.Sized(64, 15, 32), 8, products64),
	newTestNet("SFNN, extreme", "SFNN_halfka2_64_16_64", halfkptest.HalfKA2.Sized(64, 16, 64), 9, halfkptest.Extreme),
}

// largeNets take much memory; only TestYaneuraOu uses them.
var largeNets = []*testNet{
	newTestNet("512x2-16-32", "halfkp_512x2-16-32", halfkptest.HalfKP.Sized(512, 16, 32), 6, wide),
	newTestNet("SFNN 1536", "SFNN1536", halfkptest.SFNN, 10, halfkptest.Usual),
	newTestNet("SFNN 1536, extreme", "SFNN1536", halfkptest.SFNN, 11, halfkptest.Extreme),
	newTestNet("SFNN 1024", "SFNN_halfka2_1024_7_64_k3k3", halfkptest.HalfKA2.Stacked(9), 12, halfkptest.Usual),
	newTestNet("SFNN 1024, one stack", "SFNN_halfkahm2_1024_15_32", // as of Convert
		halfkptest.SFNN.Sized(1024, 15, 32).Stacked(1), 13, halfkptest.Usual),
	newTestNet("1024x2-8-32", "halfkp_1024x2-8-32", halfkptest.HalfKP.Sized(1024, 8, 32), 7, wide),
}

// wide is halfkptest.Usual for more inputs and fewer neurons.
var wide = func() halfkptest.Sizes {
	s := halfkptest.Usual
	s.Weight1, s.Weight2 = 4, 80
	return s
}()

// products64 is halfkptest.Usual for fewer inputs.
var products64 = func() halfkptest.Sizes {
	s := halfkptest.Usual
	s.Weight1 = 35
	return s
}()

func usualFile() []byte { return testNets[0].file() }
func usual() *Net       { return testNets[0].net() }
func extreme() *Net     { return testNets[1].net() }
func kp() *Net          { return testNets[2].net() }

func mustRead(file []byte) *Net {
	n, err := read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		panic(err)
	}
	return n
}

// read is Read without a limit of memory.
func read(file io.Reader, size int64) (*Net, error) {
	return Read(file, size, func(uint64) error { return nil })
}

// starts are positions that random games begin in: usual ones, handicaps, nearly empty and full boards,
// large hands, a king that is missing.
var starts = []string{
	shogi.StartSFEN,
	shogi.StartSFEN,
	"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
	"lnsgk2nl/1r4gs1/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/7R1/LN1GKGSNL b Bb 15",
	"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
	"3gk4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
	"9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
	"8k/9/9/9/9/9/9/9/K8 w 2R2B4G4S4N4L18P 1",
	"1+P1+L1+N1+S1/9/4k4/9/1+R5+B1/9/4K4/9/1+p1+l1+n1+s1 b - 1",
	"1+R1K1+P1+P1/3G1G1S1/2SN5/9/9/9/9/2k6/9 b RB2N2L14Pbgs 1",
	"9/9/4k4/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
}

// walks walks through random games from these positions.
var walks = evaltest.Game[*shogi.Position]{Parse: shogi.ParseCrowded, Text: (*shogi.Position).SFEN, Starts: starts}

func position(t testing.TB, sfen string) *shogi.Position {
	t.Helper()
	p, err := shogi.ParseCrowded(sfen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// active lists the features of a side without the square of its king, ascending.
func active(set *featureSet, p *shogi.Position, side shogi.Colour) (list []uint16) {
	var now state
	now.set(p)
	c := &changes{set: set}
	added, _ := c.Changes(new(state), &now)
	for _, f := range added {
		list = append(list, c.View(int(side), set.orientation(p, side))[f])
	}
	slices.Sort(list)
	return list
}

// fromScratch evaluates without an Evaluator and without assembly.
func fromScratch(n *Net, scale int, p *shogi.Position) int {
	var sides [2][]int16
	for side := range shogi.Colour(2) {
		a, weights := slices.Clone(n.bias), n.rowsFor(n.features.orientation(p, side))
		for _, f := range active(n.features, p, side) {
			for i := range a {
				a[i] += weights[int(f)*n.half+i]
			}
		}
		sides[side] = a
	}
	us := p.Side()
	v := int(goKernel.propagate(n.stack(p), new(activations), sides[us], sides[us^1])) / scale
	return min(max(v, -MaxValue), MaxValue)
}
