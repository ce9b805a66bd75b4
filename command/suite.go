package command

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"trefoil/engine"
	enginebench "trefoil/engine/bench"
	"trefoil/internal/cli"
	"trefoil/ttanalysis/observe"
)

// searchDepth is the depth of a search, 0 if it has no limit.
type searchDepth int

// UnmarshalText reads a depth.
func (d *searchDepth) UnmarshalText(text []byte) (err error) {
	*d, err = cli.Whole[searchDepth](text, 0, enginebench.MaxDepth)
	return err
}

// newSuite returns a suite of one position in notation, else of the positions of a file, else of
// those of bench.
func newSuite(ctx context.Context, variant, setup, file string) (observe.Suite, error) {
	var setups []string
	switch {
	case setup != "" && file != "":
		return observe.Suite{}, fmt.Errorf("both --fen and the file %s: want one of them", file)
	case setup != "":
		setups = []string{setup}
	case file != "":
		var err error
		if setups, err = cli.UntilDone(ctx, func() ([]string, error) { return readSetups(file) }); err != nil {
			return observe.Suite{}, err
		}
	}
	g, err := engine.Games().FindAlphaBeta(variant)
	if err != nil {
		return observe.Suite{}, err
	}
	return enginebench.NewSuite(g, setups)
}

// Fields of a position: an SFEN and an EPD have no counters of moves behind the first four.
const (
	epdFields = 4
	fenFields = 6
)

// readSetups reads the positions of a file, one per line: FEN, SFEN, or EPD without its
// operations. Empty lines and lines that begin with # are skipped.
func readSetups(path string) (setups []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) > epdFields {
			if _, err := strconv.Atoi(words[epdFields]); err != nil {
				words = words[:epdFields] // operations of an EPD
			} else {
				words = words[:min(len(words), fenFields)]
			}
		}
		setups = append(setups, strings.Join(words, " "))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading positions of %s: %w", path, err)
	}
	if len(setups) == 0 {
		return nil, fmt.Errorf("%s: no positions", path)
	}
	return setups, nil
}
