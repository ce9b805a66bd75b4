package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"trefoil/engine"
	"trefoil/engine/analysis"
	enginebench "trefoil/engine/bench"
	"trefoil/internal/cli"
	"trefoil/internal/pipe"
	"trefoil/internal/text"
	"trefoil/ttanalysis/observe"
)

// searchDepth is the depth of a search, 0 if it has no limit.
type searchDepth int

// UnmarshalText reads a depth.
func (d *searchDepth) UnmarshalText(text []byte) (err error) {
	*d, err = cli.Whole[searchDepth](text, 0, enginebench.MaxDepth)
	return err
}

// gameFlags choose a game. All its positions are searched, with one table.
type gameFlags struct {
	PGN  string `name:"pgn" placeholder:"FILE" help:"Search one game from its first position to its last, instead of other positions: the table is not cleared."`
	Game uint   `default:"1" help:"Number of the game in the file of --pgn."`
}

// errGameAlone is the error about --game where nothing chooses a file of games.
var errGameAlone = errors.New("--game needs --pgn")

// suite returns a suite of the positions of the game.
func (f *gameFlags) suite(ctx context.Context, std *cli.Console, variant string) (observe.Suite, error) {
	format := analysis.FormatOf(f.PGN)
	if format == nil {
		format = analysis.Formats[0]
	}
	s, err := gamesSuite(ctx, std, variant, f.PGN, format, &f.Game)
	s.OneGame = true
	return s, err
}

// gamesSuite returns a suite of all positions of the games of a file, or of game n unless that is nil.
func gamesSuite(ctx context.Context, std *cli.Console, variant, path string, format *analysis.Format,
	n *uint) (observe.Suite, error) {
	std.NotePipe(path)
	records, err := pipe.Within(ctx, func() ([]analysis.Record, error) { return readRecords(path, format, n) })
	if err != nil {
		return observe.Suite{}, err
	}
	if variant != format.Variant && variant != engine.Games().Names()[0] {
		return observe.Suite{}, fmt.Errorf("--variant %s: the games are of %s", variant, format.Variant)
	}
	var setups []string
	for _, r := range records {
		setups = append(setups, r.Positions()...)
	}
	return suiteOf(format.Variant, setups)
}

// readRecords returns the games of a file, which all have to be readable, or game n unless that is nil. Games
// before it need not be readable.
func readRecords(path string, format *analysis.Format, n *uint) (records []analysis.Record, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	next := format.Open(text.Reader(f))
	for i := uint(1); ; i++ {
		record, err := next()
		switch bad := (*analysis.RecordError)(nil); {
		case err == io.EOF && n != nil:
			return nil, fmt.Errorf("%s: there is no game %d: the last one is %d", path, *n, i-1)
		case err == io.EOF && i == 1:
			return nil, fmt.Errorf("%s: no games", path)
		case err == io.EOF:
			return records, nil
		case n != nil && i != *n && (err == nil || errors.As(err, &bad)):
			continue
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if records = append(records, record); n != nil {
			return records, nil
		}
	}
}

// suiteOf returns a suite of positions of a game.
func suiteOf(variant string, setups []string) (observe.Suite, error) {
	g, err := engine.Games().FindAlphaBeta(variant)
	if err != nil {
		return observe.Suite{}, err
	}
	return enginebench.NewSuite(g, setups)
}

// newSuite returns a suite of the position setup, of the positions of a file, or of the positions of bench
// if there is neither. From a file of games it takes all positions of the games.
func newSuite(ctx context.Context, std *cli.Console, variant, setup, file string) (observe.Suite, error) {
	var setups []string
	switch {
	case setup != "":
		setups = []string{setup}
	case analysis.FormatOf(file) != nil:
		return gamesSuite(ctx, std, variant, file, analysis.FormatOf(file), nil)
	case file != "":
		var err error
		if setups, err = enginebench.ReadSetups(ctx, file, std.Warn); err != nil {
			return observe.Suite{}, err
		}
	}
	return suiteOf(variant, setups)
}
