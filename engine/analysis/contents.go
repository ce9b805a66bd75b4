package analysis

import (
	"errors"
	"io"

	"trefoil/game/chess/pgn"
	"trefoil/game/shogi/kifu"
)

// Entry is a game of a file as a table of contents has it.
type Entry struct {
	From, To int64 // its bytes
	Players  [2]string
	Result   string
	Date     string
	Event    string
	Plies    int
	Err      error // why the game cannot be read; nil if nothing is known against it
}

// pgnContents counts the moves and does not read them.
func pgnContents(in io.Reader) func() (Entry, error) {
	r := pgn.NewReader(in)
	return func() (e Entry, err error) {
		e.From = r.Read()
		g, plies, err := r.Skip()
		if _, ok := errors.AsType[*pgn.Error](err); ok {
			e.Err = err
		} else if err != nil {
			return e, err
		}
		e.To, e.Plies, e.Result = r.Read(), plies, g.Result
		e.Players, e.Date, e.Event = [2]string{g.Tag("White"), g.Tag("Black")}, g.Tag("Date"), g.Tag("Event")
		return e, nil
	}
}

func kifuContents(in io.Reader, format kifu.Format) func() (Entry, error) {
	r := kifu.NewReader(in, format)
	return func() (e Entry, err error) {
		e.From = r.Read()
		g, err := r.Next()
		e.To = r.Read()
		if _, ok := errors.AsType[*kifu.Error](err); ok {
			e.Err = err
			return e, nil
		} else if err != nil {
			return e, err
		}
		e.Players, e.Plies, e.Result = g.Names, len(g.Moves), g.End
		for _, h := range g.Tree().Headers {
			switch h[0] {
			case "開始日時":
				e.Date = h[1]
			case "棋戦":
				e.Event = h[1]
			}
		}
		return e, nil
	}
}
