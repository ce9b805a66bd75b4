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
	Game uint   `default:"1" placeholder:"N" help:"Number of the game in the file of --pgn."`
}

// errGameAlone is the error about --game where nothing chooses a file of games.
var errGameAlone = errors.New("--game needs --pgn")

// suite returns a suite of the positions of the game.
func (f *gameFlags) suite(ctx context.Context, std *cli.Console, variant string) (observe.Suite, error) {
	format := analysis.FormatOf(f.PGN)
	if format == nil {
		format = analysis.Formats[0]
	}
	std.NotePipe(f.PGN)
	record, err := pipe.Within(ctx, func() (analysis.Record, error) { return readRecord(f.PGN, format, f.Game) })
	if err != nil {
		return observe.Suite{}, err
	}
	s, err := suiteOf(variant, format, []analysis.Record{record})
	s.OneGame = true
	return s, err
}

// readRecord returns game n of a file. Games before it need not be readable.
func readRecord(path string, format *analysis.Format, n uint) (analysis.Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	next := format.Open(text.Reader(f))
	for i := uint(1); ; i++ {
		record, err := next()
		switch bad := (*analysis.RecordError)(nil); {
		case err == io.EOF:
			return nil, fmt.Errorf("%s: there is no game %d: the last one is %d", path, n, i-1)
		case err != nil && (i == n || !errors.As(err, &bad)):
			return nil, fmt.Errorf("%s: %w", path, err)
		case i == n:
			return record, nil
		}
	}
}

// readRecords returns the games of a file. One that cannot be read is an error.
func readRecords(path string, format *analysis.Format) (records []analysis.Record, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for next := format.Open(text.Reader(f)); ; {
		record, err := next()
		switch {
		case err == io.EOF && len(records) == 0:
			return nil, fmt.Errorf("%s: no games", path)
		case err == io.EOF:
			return records, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		records = append(records, record)
	}
}

// suiteOf returns a suite of all positions of games.
func suiteOf(variant string, format *analysis.Format, records []analysis.Record) (observe.Suite, error) {
	if variant != format.Variant && variant != engine.Games().Names()[0] {
		return observe.Suite{}, fmt.Errorf("--variant %s: the games are of %s", variant, format.Variant)
	}
	var setups []string
	for _, r := range records {
		setups = append(setups, r.Positions()...)
	}
	g, err := engine.Games().FindAlphaBeta(format.Variant)
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
	case setup != "" && file != "":
		return observe.Suite{}, fmt.Errorf("--fen and the file %s cannot be used together", file)
	case setup != "":
		setups = []string{setup}
	case analysis.FormatOf(file) != nil:
		format := analysis.FormatOf(file)
		std.NotePipe(file)
		records, err := pipe.Within(ctx, func() ([]analysis.Record, error) { return readRecords(file, format) })
		if err != nil {
			return observe.Suite{}, err
		}
		return suiteOf(variant, format, records)
	case file != "":
		var err error
		if setups, err = enginebench.ReadSetups(ctx, file, std.Warn); err != nil {
			return observe.Suite{}, err
		}
	}
	g, err := engine.Games().FindAlphaBeta(variant)
	if err != nil {
		return observe.Suite{}, err
	}
	return enginebench.NewSuite(g, setups)
}
