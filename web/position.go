package web

import (
	"net/http"

	"trefoil/engine/registry"
)

// maxMoves is the longest game.
const maxMoves = 2000

// position is a game as far as it has been played, as a request has it.
type position struct {
	Game    string   `json:"game"`
	Setup   string   `json:"setup"`
	Moves   []string `json:"moves"`
	Board   string   `json:"board,omitempty"`
	Connect int      `json:"connect,omitempty"`
}

// view returns the game and its view.
func (p *position) view(games *registry.Registry) (*registry.Game, *registry.View, error) {
	g, known := games.Lookup(p.Game)
	if !known || g.View == nil {
		return nil, nil, bad("game %.40q is not one of %v", p.Game, names(games))
	}
	if len(p.Moves) > maxMoves {
		return nil, nil, bad("moves: %d, more than %d", len(p.Moves), maxMoves)
	}
	setup := p.Setup
	if setup == "" {
		setup = "startpos"
	}
	v, err := g.View(registry.Start{Setup: setup, Board: p.Board, Connect: p.Connect}, p.Moves)
	if err != nil {
		return nil, nil, bad("%.300s", err)
	}
	return g, v, nil
}

// names are the games that have a view.
func names(games *registry.Registry) []string {
	return games.Names(func(g *registry.Game) bool { return g.View != nil })
}

// gameJSON is a game of GET /api/games.
type gameJSON struct {
	Name     string        `json:"name"`
	Title    string        `json:"title"`
	Start    string        `json:"start"`
	Notation string        `json:"notation"`
	Sides    [2]string     `json:"sides"`
	Variants []variantJSON `json:"variants"`
	Formats  []string      `json:"formats"`
}

type variantJSON struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Setup string `json:"setup"`
}

// listGames answers GET /api/games.
func (s *Server) listGames(*http.Request) (any, error) {
	list := []gameJSON{}
	for _, g := range s.games.Games() {
		if g.View == nil {
			continue
		}
		j := gameJSON{Name: g.Name, Title: g.Title, Start: "startpos", Notation: g.Notation, Sides: g.Sides,
			Variants: []variantJSON{}, Formats: formats(g)}
		for _, v := range g.Variants {
			j.Variants = append(j.Variants, variantJSON(v))
		}
		list = append(list, j)
	}
	return list, nil
}

// viewJSON is the answer to POST /api/position.
type viewJSON struct {
	Game     string     `json:"game"`
	Setup    string     `json:"setup"`
	Moves    []string   `json:"moves"`
	Board    string     `json:"board,omitempty"`
	Connect  int        `json:"connect,omitempty"`
	Notes    []string   `json:"notes"`
	Now      string     `json:"now"`
	Side     int        `json:"side"`
	Check    bool       `json:"check"`
	Played   []moveJSON `json:"played"`
	Legal    []moveJSON `json:"legal"`
	Declares bool       `json:"declares,omitempty"`
	Result   *endJSON   `json:"result"`
}

type moveJSON struct {
	Move  string `json:"move"`
	Text  string `json:"text"`
	Kanji string `json:"kanji,omitempty"`
}

type endJSON struct {
	Winner *int   `json:"winner"`
	Reason string `json:"reason"`
}

// showPosition answers POST /api/position.
func (s *Server) showPosition(_ *http.Request, p *position) (any, error) {
	g, v, err := p.view(s.games)
	if err != nil {
		return nil, err
	}
	return viewOf(g, v, p), nil
}

func viewOf(g *registry.Game, v *registry.View, p *position) *viewJSON {
	j := &viewJSON{
		Game: g.Name, Setup: v.Setup, Moves: []string{}, Board: p.Board, Connect: p.Connect,
		Notes: append([]string{}, v.Notes...),
		Now:   v.Now, Side: v.Side, Check: v.Check, Played: moves(v.Played), Legal: moves(v.Legal), Declares: v.Declares,
	}
	for _, m := range v.Played {
		j.Moves = append(j.Moves, m.Move)
	}
	if v.Ended != nil {
		j.Result = &endJSON{Reason: v.Ended.Reason}
		if v.Ended.Winner != registry.Drawn {
			j.Result.Winner = &v.Ended.Winner
		}
	}
	return j
}

func moves(texts []registry.MoveText) []moveJSON {
	list := make([]moveJSON, len(texts))
	for i, m := range texts {
		list[i] = moveJSON(m)
	}
	return list
}
