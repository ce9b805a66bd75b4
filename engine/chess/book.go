package chess

import (
	"context"
	"fmt"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	rules "trefoil/game/chess"
	"trefoil/game/chess/polyglot"
	"trefoil/options"
)

// newOwnBook declares BookFile.
func newOwnBook(env registry.Env) *alphabetagame.OwnBook[*rules.Position] {
	return alphabetagame.BookFile(env, options.Decl{UCI: "BookFile", Games: []string{name},
		Help:    "an opening book in the format of PolyGlot, `.bin`",
		Details: "See [The opening book](uci.md#the-opening-book)"},
		func(ctx context.Context, path string) (alphabetagame.Book[*rules.Position], string, error) {
			b, err := polyglot.Open(ctx, path)
			if err != nil {
				return nil, "", err
			}
			return book{b}, fmt.Sprintf("%d entries", b.Len()), nil
		})
}

// book is a PolyGlot book as an alphabetagame.Book.
type book struct{ *polyglot.Book }

func (b book) Moves(p *rules.Position) (moves []alphabetagame.BookMove, err error) {
	found, err := b.Book.Moves(p)
	for _, m := range found {
		moves = append(moves, alphabetagame.BookMove{Move: m.Move, Weight: uint64(m.Weight)})
	}
	return moves, err
}
