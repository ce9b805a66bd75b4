package shogi

import (
	"cmp"
	"context"
	"fmt"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	"trefoil/game"
	rules "trefoil/game/shogi"
	"trefoil/game/shogi/bookdb"
	"trefoil/internal/cli"
	"trefoil/options"
)

// bookFile is the name of that option in UCI.
const bookFile = "Shogi BookFile"

// bookOptions choose among the moves of a book.
type bookOptions struct {
	best       *options.Check // not of shogi alone
	narrow     *options.Check
	evalDiff   *options.Spin    // centipawns
	evalLimits [2]*options.Spin // centipawns, by side
	depthLimit *options.Spin
	pvMoves    *options.Spin
}

func newBookOptions(env registry.Env) *bookOptions {
	s := env.Options.Set
	decl := func(usi, help string) options.Decl {
		return options.Decl{USI: usi, Help: help, Games: []string{name}}
	}
	evalLimit := func(side string, value int) *options.Spin {
		return options.NewSpin(s, decl("BookEval"+side+"Limit", "the least value of book moves of "+side),
			value, -99999, 99999)
	}
	return &bookOptions{
		best: env.Options.BestBookMove,
		evalDiff: options.NewSpin(s, decl("BookEvalDiff",
			"by how much the value of a book move may be lower than that of the best move"), 30, 0, 99999),
		evalLimits: [2]*options.Spin{evalLimit("Black", 0), evalLimit("White", -140)},
		depthLimit: options.NewSpin(s, decl("BookDepthLimit",
			"the least depth of the best book move with which the book is used"), 16, 0, 99999),
		narrow: options.NewCheck(s, decl("NarrowBook",
			"plays no book move of less than 10 % of the games"), false),
		pvMoves: options.NewSpin(s, decl("BookPvMoves", "most moves of a line from the book"), 8, 1, 246),
	}
}

// newOwnBook declares BookFile and the options of its moves.
func newOwnBook(env registry.Env) *alphabetagame.OwnBook[*rules.Position] {
	var choice *bookOptions
	own := alphabetagame.BookFile(env, options.Decl{UCI: bookFile, USI: "BookFile", Games: []string{name},
		Help:    "an opening book in the text format of YaneuraOu, `.db`",
		Details: "See [The opening book](usi.md#the-opening-book)"},
		func(ctx context.Context, path string) (alphabetagame.Book[*rules.Position], string, error) {
			b, err := bookdb.Open(ctx, path, func(p bookdb.Progress) error {
				env.Notices.SetProgress(fmt.Sprintf("reading the book: %d %%", 100*p.Done/p.Total))
				return env.Memory.Fix(bookFile, 9*p.Index/4) // when it grows, by a quarter, it is copied
			})
			env.Notices.SetProgress("")
			if err != nil {
				return nil, "", err
			}
			about := fmt.Sprintf("%s, an index of %.1f MB in memory", cli.Count(b.Len(), "position"), float64(b.Bytes())/1e6)
			return book{b, choice}, about, nil
		})
	choice = newBookOptions(env)
	return own
}

// book is a book of YaneuraOu as an alphabetagame.Book.
type book struct {
	*bookdb.Book
	*bookOptions
}

var _ alphabetagame.BookLines[*rules.Position] = book{}

// Moves returns the moves that the book has. Their weights are the counts.
func (b book) Moves(p *rules.Position) (moves []alphabetagame.BookMove, err error) {
	found, err := b.Book.Moves(p)
	games := 0.0
	for i := range found {
		games += float64(found[i].Count)
	}
	var best *bookdb.Move // of those that NarrowBook leaves
	counted := false
	for i := range found {
		m, excluded := &found[i], ""
		if b.narrow.Value() && 10*float64(m.Count) < games {
			excluded = "NarrowBook"
		} else {
			best = cmp.Or(best, m)
			excluded = b.excluded(m, best, p.Side())
		}
		moves = append(moves, alphabetagame.BookMove{Move: m.Move, Reply: m.Reply, Weight: m.Count, Value: m.Value,
			Depth: m.Depth, Excluded: excluded})
		counted = counted || excluded == "" && m.Count > 0
	}
	if !counted || b.best.Value() { // some books count nothing, and the best move needs no games
		for i := range moves {
			moves[i].Weight = max(moves[i].Weight, 1)
		}
	}
	return moves, err
}

// excluded returns the option by which a side does not play a move, beside the best one; "" if it may.
func (b book) excluded(m, best *bookdb.Move, side int) string {
	switch {
	case best.Depth < b.depthLimit.Value():
		return "BookDepthLimit"
	case m.Value < best.Value-b.evalDiff.Value():
		return "BookEvalDiff"
	case m.Value < b.evalLimits[side].Value():
		return [...]string{"BookEvalBlackLimit", "BookEvalWhiteLimit"}[side]
	}
	return ""
}

// Line returns a move and the best moves that follow in the book, up to BookPvMoves in all. Where the book ends, the
// expected reply is the last one.
func (b book) Line(p *rules.Position, m alphabetagame.BookMove) (line []string) {
	pos := p.Copy()
	play := func(m game.Move) {
		line = append(line, pos.Text(m))
		pos.Make(m)
	}
	play(m.Move)
	for reply := m.Reply; len(line) < b.pvMoves.Value(); {
		found, err := b.Book.Moves(pos)
		if err != nil || len(found) == 0 {
			if m, err := pos.ParseMove(reply); err == nil {
				play(m)
			}
			break
		}
		play(found[0].Move)
		reply = found[0].Reply
	}
	return line
}
