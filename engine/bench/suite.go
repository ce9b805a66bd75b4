package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"trefoil/engine/registry"
	"trefoil/internal/cli"
	"trefoil/internal/pipe"
	"trefoil/internal/text"
	"trefoil/ttanalysis/observe"
)

// NewSuite returns a suite of positions of a game that is played by alpha-beta, in its notation; without
// any, of the positions of its bench. The error names the position that cannot be parsed.
func NewSuite(g *registry.Game, setups []string) (observe.Suite, error) {
	if len(setups) == 0 {
		setups = g.AlphaBeta.Setups
	}
	newRoot := g.AlphaBeta.NewRoots()
	for i, setup := range setups {
		if _, err := newRoot(setup); err != nil {
			return observe.Suite{}, fmt.Errorf("position %d: %w", i+1, err)
		}
	}
	return observe.Suite{Game: g.Name, KeySeed: g.AlphaBeta.Seed, Setups: setups, NewRoot: newRoot}, nil
}

// ReadSetups reads the positions of a file, one per line, in the notation of the game. Empty lines and lines
// that begin with # are skipped, and a byte order mark before the first line. If the file is a named pipe, note
// gets a message before it is opened. It ends early with ctx.
func ReadSetups(ctx context.Context, path string, note func(string)) ([]string, error) {
	cli.NotePipe(path, note)
	return pipe.Within(ctx, func() ([]string, error) { return readSetups(path) })
}

func readSetups(path string) (setups []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(text.Reader(f))
	number := 1
	for ; lines.Scan(); number++ {
		line := lines.Text()
		if number == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			setups = append(setups, line)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s: line %d: a line of %d KiB or more", path, number, bufio.MaxScanTokenSize>>10)
	} else if err != nil {
		return nil, fmt.Errorf("reading positions of %s: %w", path, err)
	}
	if len(setups) == 0 {
		return nil, fmt.Errorf("%s: no positions", path)
	}
	return setups, nil
}
