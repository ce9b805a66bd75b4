package halfkp

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"trefoil/game/shogi"
)

// stackNames are how YaneuraOu names the choices of stacks that can be read, by the number of stacks.
var stackNames = map[int]string{1: "", 9: " k3k3"}

// knownSFNN says which architectures of SFNN can be read.
var knownSFNN = fmt.Sprintf("SFNN with %s or %s, N-H-H, where N is a multiple of 64 and the first H is 7, 8, 15, 16, "+
	"… %d, with one layer stack or 9 (k3k3)", halfKAhm.name, halfKA.name, maxProducts)

// maxProducts is the greatest number of neurons of the first layer.
const maxProducts = maxHidden / 2

// productGroup is the number of neurons of a group in the first layer, where neurons that the file has not are 0.
const productGroup = 16

var (
	sfnnText   = regexp.MustCompile(`Features=([^\[,]*)\[(\d+)->(\d+)x2\],Network=(.*)\{LayerStack=(\d+)\}$`)
	sfnnLayers = regexp.MustCompile(`(?i)^SFNN_[A-Z0-9]+_(\d+)_(\d+)_(\d+)(_K3K3)?$`)
	sfnnPlain  = regexp.MustCompile(`^SFNN-\d+(-V2)?$`)
)

// parseSFNN returns the architecture of SFNN that a text describes. Programs write the layers in several ways. Those
// without sizes have 15 and 32 neurons.
func parseSFNN(text string) (*architecture, error) {
	if m := sfnnText.FindStringSubmatch(text); m != nil {
		a := &architecture{half: size(m[3]), hidden1: 15, hidden2: 32, stacks: size(m[5])}
		known := sfnnPlain.MatchString(m[4])
		if layers := layerText.FindAllStringSubmatch(m[4], -1); len(layers) == 3 {
			a.hidden1, a.hidden2 = size(layers[1][1]), size(layers[0][1])
			known = true
		} else if layers := sfnnLayers.FindStringSubmatch(m[4]); layers != nil {
			a.hidden1, a.hidden2 = size(layers[2]), size(layers[3])
			known = size(layers[1]) == a.half && (layers[4] != "") == (a.stacks == 9)
		}
		for _, a.features = range []*featureSet{halfKAhm, halfKA} {
			named := strings.Replace(m[1], "HalfKA_hm(", "HalfKA_hm2(", 1)
			if known && a.features.name == named && strconv.Itoa(a.features.inputs()) == m[2] && a.possible() {
				return a, nil
			}
		}
	}
	return nil, fmt.Errorf("its architecture is %q; known are %s", text, knownText)
}

// stack returns the layers for a position.
func (n *Net) stack(p *shogi.Position) *layers {
	if len(n.layers) == 1 {
		return n.layers[0]
	}
	us := shogi.Colour(p.Side())
	return n.layers[kingSquare(p, us)%9/3*3+kingSquare(p, us.Other())%9/3]
}
