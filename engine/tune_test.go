//go:build tune

package engine

import (
	"strconv"
	"testing"

	"trefoil/options"
	"trefoil/search/alphabeta"
)

// TestParameters tests that the parameters are options: of chess in UCI, of shogi in USI.
func TestParameters(t *testing.T) {
	e := New()
	defer e.Close()
	for protocol, params := range map[options.Protocol]*alphabeta.Params{
		options.UCI: alphabeta.Chess, options.USI: alphabeta.Shogi,
	} {
		for _, p := range params.List() {
			before := p.Value()
			if err := e.Options().Set(t.Context(), protocol, p.Name, strconv.Itoa(p.Max)); err != nil ||
				p.Value() != p.Max {
				t.Errorf("%s is %d, not %d: %v", p.Name, p.Value(), p.Max, err)
			}
			if err := e.Options().Set(t.Context(), protocol, p.Name, strconv.Itoa(p.Min-1)); err == nil ||
				p.Value() != p.Max {
				t.Errorf("%s is set to %d, below its bound", p.Name, p.Value())
			}
			if err := p.Set(before); err != nil {
				t.Error(err)
			}
		}
	}
}
