package halfkp

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// An architecture is the features and the sizes of the layers.
type architecture struct {
	features               *featureSet
	half, hidden1, hidden2 int
	stacks                 int // the number of layer stacks of SFNN, see stackNames; otherwise 0
}

// The greatest numbers of neurons.
const (
	maxHalf   = 2048
	maxHidden = 128
)

// known are the architectures for which YaneuraOu has editions. A hash alone may stand for them.
var known = [...]architecture{
	{featureSets[0], 256, 32, 32, 0},
	{featureSets[0], 512, 16, 32, 0},
	{featureSets[0], 1024, 8, 32, 0},
	{featureSets[0], 1024, 8, 64, 0},
	{featureSets[1], 256, 32, 32, 0},
	{halfKAhm, 1536, 15, 32, 9},
}

// knownText says which architectures can be read.
var knownText = fmt.Sprintf("%s[%d->Nx2] and %s[%d->Nx2], where N is a multiple of 32 up to %d, with two hidden "+
	"layers of 8, 16, … %d neurons, and %s", featureSets[0].name, featureSets[0].inputs(),
	featureSets[1].name, featureSets[1].inputs(), maxHalf, maxHidden, knownSFNN)

func (a *architecture) String() string {
	if a.stacks > 0 {
		return fmt.Sprintf("SFNN %s %d-%d-%d%s", a.features.name, a.half, a.hidden1, a.hidden2, stackNames[a.stacks])
	}
	return fmt.Sprintf("%s %dx2-%d-%d", a.features.name, a.half, a.hidden1, a.hidden2)
}

// hashes returns the hashes of a file: of the whole, of the feature transformer, and of the layers.
func (a *architecture) hashes() [3]uint32 {
	if a.stacks > 0 {
		return [3]uint32{0x3C203B32, 0x5F134AB8, 0x6333718A} // the same for all sizes
	}
	transformer := a.features.hash ^ uint32(2*a.half)
	layers := 0xEC42E90D ^ uint32(2*a.half)
	for i, neurons := range [...]int{a.hidden1, a.hidden2, 1} {
		if i > 0 {
			layers += 0x538D24C7 // of the activation
		}
		layers = (0xCC03DAE4 + uint32(neurons)) ^ layers>>1 ^ layers<<31
	}
	return [3]uint32{transformer ^ layers, transformer, layers}
}

// transformerBytes is the memory of the feature transformer, nearly all that a Net takes.
func (a *architecture) transformerBytes() uint64 {
	return uint64(a.features.inputs()) * uint64(a.half) * 2
}

// body is the number of bytes of a file after its header. A file of SFNN may have up to three times as many for the
// feature transformer, whose numbers are compressed.
func (a *architecture) body() int64 {
	if a.stacks > 0 {
		return 4 + 2*int64(leb128Header) + int64(a.half) + int64(a.transformerBytes()/2) + a.layersBytes()
	}
	return 4 + 2*int64(a.half) + int64(a.transformerBytes()) + a.layersBytes()
}

// layersBytes is the number of bytes of a file after the feature transformer.
func (a *architecture) layersBytes() int64 {
	outputs, inputs2 := a.firstLayer()
	stack := 4 + outputs*(4+inFile(a.inputs())) + a.hidden2*(4+inFile(inputs2)) + 4 + inFile(a.hidden2)
	return int64(max(1, a.stacks)) * int64(stack)
}

// inputs is the number of inputs of the first layer.
func (a *architecture) inputs() int {
	if a.stacks > 0 {
		return a.half
	}
	return 2 * a.half
}

// firstLayer returns the number of outputs of the first layer, and of the inputs of the second that are made of
// them. With 8n - 1 neurons SFNN has one output more, which bypasses the second.
func (a *architecture) firstLayer() (outputs, inputs2 int) {
	if a.stacks > 0 {
		return (a.hidden1 + 1) &^ 7, 2 * a.hidden1
	}
	return a.hidden1, a.hidden1
}

// inFile is the number of weights of a neuron in a file: the inputs and padding.
func inFile(inputs int) int { return (inputs + 31) &^ 31 }

var (
	featuresText = regexp.MustCompile(`Features=([^\[,]*)\[\d+->(\d+)x2\]`)
	layerText    = regexp.MustCompile(`\[\d+<-(\d+)\]`)
)

// parseArchitecture returns the architecture that a file says it has. Programs write it with other names of
// layers, and some write other hashes, which YaneuraOu accepts with a warning. So the features and the sizes
// of the layers decide; a text without them needs the hash of a known architecture.
func parseArchitecture(text string, hash uint32) (*architecture, error) {
	if strings.Contains(text, "SFNN") {
		return parseSFNN(text)
	}
	layers := layerText.FindAllStringSubmatch(text, -1)
	if !strings.Contains(text, "Features=") && layers == nil {
		for _, a := range known {
			if a.hashes()[0] == hash {
				return &a, nil
			}
		}
		return nil, fmt.Errorf("its architecture is %q with the hash %08x; known are %s", text, hash, knownText)
	}
	if features := featuresText.FindStringSubmatch(text); features != nil && len(layers) == 3 {
		a := &architecture{half: size(features[2]), hidden1: size(layers[1][1]), hidden2: size(layers[0][1])}
		for _, a.features = range featureSets {
			if a.features.name == features[1] && a.possible() && a.text() == features[0]+layers[0][0]+layers[1][0]+layers[2][0] {
				return a, nil
			}
		}
	}
	return nil, fmt.Errorf("its architecture is %q; known are %s", text, knownText)
}

// size parses a number of neurons; 0 stands for one that is too large.
func size(text string) int {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0
	}
	return int(n)
}

// possible reports whether there are kernels for the sizes of the layers.
func (a *architecture) possible() bool {
	in := func(n, multiple, greatest int) bool { return n > 0 && n <= greatest && n%multiple == 0 }
	if a.stacks > 0 {
		_, ok := stackNames[a.stacks]
		outputs, _ := a.firstLayer()
		return ok && in(a.half, 64, maxHalf) && in(outputs, 8, maxProducts) && outputs >= a.hidden1 &&
			in(a.hidden2, 8, maxHidden)
	}
	return in(a.half, 32, maxHalf) && in(a.hidden1, 8, maxHidden) && in(a.hidden2, 8, maxHidden)
}

// text returns the parts of the text that say what the architecture is.
func (a *architecture) text() string {
	return fmt.Sprintf("Features=%s[%d->%dx2][1<-%d][%[4]d<-%d][%[5]d<-%d]", a.features.name, a.features.inputs(),
		a.half, a.hidden2, a.hidden1, 2*a.half)
}
