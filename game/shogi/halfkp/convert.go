package halfkp

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"trefoil/game/shogi"
	evaluation "trefoil/game/shogi/nnue"
	"trefoil/nnue"
)

// Convert returns an evaluation file of the kind SFNN that has nearly the values of a net of package game/shogi/nnue,
// and the FV_SCALE for it.
//
// The activation of the net is a square, in SFNN a product of two neurons. So a neuron of the net becomes a pair of
// equal neurons, and each pair is there twice, because weights have fewer steps: of an odd feature weight, which is
// halved, one pair gets the greater half, and each pair has half of the output weight. The weighted sum of the squares
// is the output that bypasses the second layer; all other weights are 0. A promoted minor piece has the weights of a
// gold.
func Convert(net *nnue.Net) (file []byte, fvScale int, err error) {
	features, bias, output, outputBias := net.Weights()
	a := &architecture{features: halfKAhm, half: 4 * net.Hidden, hidden1: 15, hidden2: 32, stacks: 1}
	if !a.possible() {
		return nil, 0, fmt.Errorf("no architecture has %d neurons, four times those of the net", a.half)
	}
	most := 1
	for _, w := range output {
		most = max(most, int(w), -int(w))
	}
	// 100 centipawns are 90 of YaneuraOu's units. A square is 512 products, and there are two of them.
	unit := 0.9 * float64(net.Scale) / (nnue.QA * nnue.QB)
	share := unit * 512 / nnue.QA / 2
	fvScale = min(MaxScale, int(math.MaxInt8/(share*float64(most))))
	if fvScale < MinScale {
		return nil, 0, fmt.Errorf("an output weight is %d: no FV_SCALE makes it fit a byte", most)
	}
	w := writer{hidden: net.Hidden}
	text := fmt.Sprintf("ModelType=SFNNWithoutPsqt;Features=%s[%d->%dx2],"+
		"Network=SFNN_HALFKAHM2_%[3]d_%d_%d{LayerStack=1}", a.features.name, a.features.inputs(), a.half,
		a.hidden1, a.hidden2)
	hashes := a.hashes()
	w.words(Version, hashes[0], uint32(len(text)))
	w.file = append(w.file, text...)
	w.words(hashes[1])
	w.block(bias)
	rows := make([]int16, 0, a.features.inputs()*net.Hidden)
	features = append(features, make([]int16, net.Hidden)...) // of none
	for king := range a.features.kings {
		for _, feature := range featuresOf(king) {
			rows = append(rows, features[int(feature)*net.Hidden:][:net.Hidden]...)
		}
	}
	w.block(rows)
	w.words(hashes[2])
	_, inputs2 := a.firstLayer()
	w.zeros(4 * a.hidden1)
	w.words(uint32(int32(unit * float64(fvScale) * float64(outputBias[0]))))
	w.zeros(a.hidden1 * a.half)
	for side := range slices.Chunk(output, net.Hidden) {
		for pair := range 2 {
			for _, v := range side {
				both := int(math.Round(2 * share * float64(fvScale) * float64(v)))
				w.file = append(w.file, byte((both+pair)>>1))
			}
		}
	}
	w.zeros(a.hidden2*int(4+inFile(inputs2)) + int(4+inFile(a.hidden2)))
	return w.file, fvScale, nil
}

// none stands for the features of a file that the net has not.
const none = evaluation.Inputs

// featuresOf returns which feature of the net is each feature of HalfKA_hm2 with the own king on a square.
func featuresOf(king int) []uint16 {
	list := make([]uint16, halfKAhm.rows)
	for i := range list {
		list[i] = none
	}
	for s := range shogi.Nowhere {
		for code, first := range halfKAhm.first {
			k := shogi.KindOf(code)
			own := shogi.ColourOf(code) == shogi.Black
			switch {
			case first == 0 || k == shogi.King && own != (int(s) == king):
			case boardPieces[k] == boardPieces[shogi.Gold] && k != shogi.Gold:
			default:
				list[int(first)+int(s)] = evaluation.Feature(shogi.Black, 0, code, s)
			}
		}
	}
	for owner := range shogi.Colour(2) {
		for k, n := range inSet {
			for i, f := range evaluation.AppendHeld(nil, shogi.Black, owner, shogi.Kind(k), 0, n) {
				list[int(handPiece(shogi.Black, owner, shogi.Kind(k)))+i] = f
			}
		}
	}
	return list
}

// A writer writes numbers to a file.
type writer struct {
	file   []byte
	hidden int
}

func (w *writer) zeros(bytes int) { w.file = append(w.file, make([]byte, bytes)...) }

func (w *writer) words(list ...uint32) {
	for _, v := range list {
		w.file = binary.LittleEndian.AppendUint32(w.file, v)
	}
}

// block writes rows of weights of the net as a block of the feature transformer.
func (w *writer) block(weights []int16) {
	w.file = append(w.file, leb128Magic...)
	begin := len(w.file)
	w.words(0)
	for row := 0; row < len(weights)/w.hidden; row++ {
		for part := range 4 { // the two pairs, then again for the other neurons of the pairs
			for neuron, v := range weights[row*w.hidden:][:w.hidden] {
				v = (v + int16(part+row+neuron)&1) >> 1
				for ; v < -64 || v > 63; v >>= 7 {
					w.file = append(w.file, byte(v)|0x80)
				}
				w.file = append(w.file, byte(v)&0x7f)
			}
		}
	}
	binary.LittleEndian.PutUint32(w.file[begin:], uint32(len(w.file)-begin-4))
}
