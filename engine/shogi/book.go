package shogi

import (
	"context"
	"fmt"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	rules "trefoil/game/shogi"
	"trefoil/game/shogi/bookdb"
	"trefoil/internal/cli"
	"trefoil/options"
)

// bookFile is the name of that option in UCI.
const bookFile = "Shogi BookFile"

// newOwnBook declares BookFile and BookEvalDiff.
func newOwnBook(env registry.Env) *alphabetagame.OwnBook[*rules.Position] {
	var diff *options.Spin
	own := alphabetagame.BookFile(env, options.Decl{UCI: bookFile, USI: "BookFile", Games: []string{name},
		Help: "an opening book in the text format of YaneuraOu, `.db`",
		Details: "A relative name is relative to the folder in which the engine was started. See [The opening " +
			"book](usi.md#the-opening-book)"},
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
			return book{b, diff}, about, nil
		})
	diff = options.NewSpin(env.Options.Set, options.Decl{USI: "BookEvalDiff", Games: []string{name},
		Help: "by how much the value of a book move may be lower than that of the best move"}, 30, 0, 99999)
	return own
}

// book is a book of YaneuraOu as an alphabetagame.Book.
type book struct {
	*bookdb.Book
	diff *options.Spin // BookEvalDiff
}

// Moves returns the moves that are nearly as good as the best one. Their weights are the counts.
func (b book) Moves(p *rules.Position) (moves []alphabetagame.BookMove, err error) {
	found, err := b.Book.Moves(p)
	counted := false
	for _, m := range found {
		if m.Value < found[0].Value-b.diff.Value() {
			break
		}
		moves = append(moves, alphabetagame.BookMove{Move: m.Move, Weight: m.Count, Value: m.Value, Depth: m.Depth})
		counted = counted || m.Count > 0
	}
	if !counted { // some books count nothing
		for i := range moves {
			moves[i].Weight = 1
		}
	}
	return moves, err
}
