package train

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"trefoil/internal/container"
)

// A checkpoint is a container.Training file:
//
//	header     Config, steps done, Data and Place of the Source, tile
//	blocks     weights, then AdamW's means of the gradient, then of its square:
//	           parameters.values, little-endian float32
//	summary    empty

// A State is what a checkpoint says of the Source.
type State struct {
	Data  string // which samples it has
	From  string // the checkpoint whose weights were the first, or empty
	Place Place  // of the next sample
}

type header struct {
	Config Config
	Step   int
	State  State
	Tile   int // neurons of a tile, on which the order of the numbers depends
}

type summary struct{}

// blockBytes is the length of the blocks of a checkpoint but the last of each parameters.
const blockBytes = 1 << 20

// Save writes a checkpoint. The file at path is replaced only by a complete one, and only if it is
// a checkpoint too.
func (t *Trainer) Save(path string, s State) error {
	return container.Write(container.Replace(path), container.Training, header{t.Config, t.step, s, tile},
		func(w *container.Writer) (any, error) {
			for _, p := range t.saved() {
				b := make([]byte, 0, blockBytes)
				for i, v := range p.values {
					b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
					if len(b) == blockBytes || i == len(p.values)-1 {
						if err := w.WriteBlock(b); err != nil {
							return nil, err
						}
						b = b[:0]
					}
				}
			}
			return summary{}, nil
		})
}

// saved lists the parameters of a checkpoint.
func (t *Trainer) saved() [3]*parameters { return [3]*parameters{&t.weights, &t.mean, &t.square} }

// Load returns a Trainer that continues from a checkpoint.
func Load(path string, workers int) (*Trainer, State, error) {
	var h header
	r, err := container.Open(container.File(path), container.Training, &h, &summary{})
	if err != nil {
		return nil, State{}, err
	}
	defer r.Close()
	if err := h.Config.Check(); err != nil {
		return nil, State{}, r.Errorf("header: %v", err)
	}
	if h.Tile != tile {
		return nil, State{}, r.Errorf("header: tiles of %d neurons, want %d: another version of this program made it",
			h.Tile, tile)
	}
	if h.Step < 0 || h.Step > h.Config.Steps {
		return nil, State{}, r.Errorf("header: step %d of %d", h.Step, h.Config.Steps)
	}
	if want := uint64(3 * 4 * size(h.Config.Shape)); r.Bytes() != want {
		return nil, State{}, r.Errorf("%d bytes of weights, want %d", r.Bytes(), want)
	}
	b := make([]byte, 0, r.Bytes())
	err = r.Each(context.Background(), func(block []byte, _ uint64) error {
		b = append(b, block...)
		return nil
	})
	if err != nil {
		return nil, State{}, err
	}
	t, err := New(h.Config, workers)
	if err != nil {
		return nil, State{}, r.Errorf("header: %v", err)
	}
	t.step = h.Step
	for _, p := range t.saved() {
		for i := range p.values {
			p.values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
			b = b[4:]
		}
		if err := p.finite(); err != nil {
			return nil, State{}, r.Errorf("%v", err)
		}
	}
	return t, h.State, nil
}

// Restart takes over the weights of another training of the same shape, or with fewer neurons; the outputs
// stay the same. The optimiser begins anew.
func (t *Trainer) Restart(from *Trainer) error {
	return t.takeOver(from.weights, from.Loss.K)
}

// takeOver takes over weights whose output of 1 is k centipawns. Neurons that they lack keep their random
// feature weights, with output weights of 0.
func (t *Trainer) takeOver(from parameters, k float64) error {
	shape := from.Shape
	shape.Hidden = max(shape.Hidden, t.Shape.Hidden)
	if shape != t.Shape {
		return fmt.Errorf("weights of a net of the shape %+v, want %+v, or fewer neurons", from.Shape, t.Shape)
	}
	copy(t.weights.features(), from.features())
	if t.OutputOnly {
		t.weights.roundFeatures()
	}
	outputs := t.weights.outputs()
	clear(outputs[copy(outputs, from.outputs()):])
	copy(t.weights.outputBias(), from.outputBias())
	layer := t.weights.values[len(t.weights.features()):]
	for i := range layer {
		layer[i] *= float32(k / t.Loss.K)
	}
	return nil
}
