package web

import (
	"cmp"
	"net/http"

	rules "trefoil/game"
	"trefoil/web/board"
)

// maxMoves is the longest game.
const maxMoves = 2000

const startpos = "startpos"

// position is a game as far as it has been played, as a request has it.
type position struct {
	Game    string   `json:"game"`
	Setup   string   `json:"setup"`
	Moves   []string `json:"moves"`
	Board   string   `json:"board,omitempty"`
	Connect int      `json:"connect,omitempty"`
}

// view returns the game and its view.
func (p *position) view(games games) (*game, *board.View, error) {
	g := games.find(p.Game)
	if g == nil {
		return nil, nil, bad("game %.40q is not one of %v", p.Game, games.names())
	}
	if len(p.Moves) > maxMoves {
		return nil, nil, bad("moves: %d, more than %d", len(p.Moves), maxMoves)
	}
	start := board.Start{Setup: cmp.Or(p.Setup, startpos), Board: p.Board, Connect: p.Connect}
	v, err := g.board.View(start, p.Moves)
	if err != nil {
		return nil, nil, bad("%.300s", err)
	}
	return g, v, nil
}

// viewJSON is the answer to POST /api/position.
type viewJSON struct {
	Game     string       `json:"game"`
	Setup    string       `json:"setup"`
	Moves    []string     `json:"moves"`
	Board    string       `json:"board,omitempty"`
	Connect  int          `json:"connect,omitempty"`
	Notes    []string     `json:"notes"`
	Now      string       `json:"now"`
	Side     int          `json:"side"`
	Check    bool         `json:"check"`
	Played   []board.Move `json:"played"`
	Legal    []board.Move `json:"legal"`
	Declares bool         `json:"declares,omitempty"`
	Keyed    bool         `json:"keyed,omitempty"`
	Drawing  []string     `json:"drawing,omitempty"`
	Result   *endJSON     `json:"result"`

	// Of a game that was imported.
	Headers [][2]string  `json:"headers,omitempty"`
	Tree    []rules.Node `json:"tree,omitempty"`
}

type endJSON struct {
	Winner  *int   `json:"winner"`
	Unknown bool   `json:"unknown,omitempty"` // who has won; else nil is a draw
	Reason  string `json:"reason"`
}

// showPosition answers POST /api/position.
func (s *Server) showPosition(_ *http.Request, p *position) (any, error) {
	g, v, err := p.view(s.games)
	if err != nil {
		return nil, err
	}
	return viewOf(g, v, p), nil
}

func viewOf(g *game, v *board.View, p *position) *viewJSON {
	j := &viewJSON{
		Game: g.Name, Setup: v.Setup, Moves: []string{}, Board: p.Board, Connect: p.Connect,
		Notes: append([]string{}, v.Notes...),
		Now:   v.Now, Side: v.Side, Check: v.Check, Played: listed(v.Played), Legal: listed(v.Legal),
		Declares: v.Declares, Drawing: v.Drawing,
	}
	_, j.Keyed = v.Position.(board.Keyed)
	for _, m := range v.Played {
		j.Moves = append(j.Moves, m.Move)
	}
	if v.Ended != nil {
		j.Result = &endJSON{Reason: v.Ended.Reason, Unknown: v.Ended.Winner == board.Unknown}
		if v.Ended.Winner >= 0 {
			j.Result.Winner = &v.Ended.Winner
		}
	}
	return j
}

// listed returns moves of which JSON has a list, not null, if there are none.
func listed(moves []board.Move) []board.Move { return append([]board.Move{}, moves...) }

// linesRequest is the body of POST /api/lines.
type linesRequest struct {
	position
	Lines [][]string `json:"lines"`
}

// showLines answers POST /api/lines.
func (s *Server) showLines(_ *http.Request, r *linesRequest) (any, error) {
	if _, _, err := r.view(s.games); err != nil {
		return nil, err
	}
	lines := make([][]board.Move, len(r.Lines)) // nil: a line that is not legal
	for i, line := range r.Lines {
		p := r.position
		p.Moves = line
		if _, v, err := p.view(s.games); err == nil {
			lines[i] = listed(v.Played)
		}
	}
	return map[string]any{"lines": lines}, nil
}
