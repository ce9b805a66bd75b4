package web

import (
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"trefoil/engine/analysis"
	"trefoil/engine/registry"
	"trefoil/options"
	"trefoil/web/board"
)

// game is a game with what the page shows of it.
type game struct {
	*registry.Game
	board *board.Game
	// The options of its weaker levels, and the one that has its searches observed; nil if it has none.
	skill, elo, audit *options.Option
}

// The names of these options, and of the one that turns Elo on.
const (
	skillOption = "Skill Level"
	eloOption   = "UCI_Elo"
	limitOption = "UCI_LimitStrength"
	auditOption = "HashAudit"
)

type games []*game

// gamesOf returns the games of an engine, which is not in use yet.
func gamesOf(e Engine, r *registry.Registry) (list games) {
	for _, g := range r.Games() {
		used := func(name string) *options.Option {
			o := optionOf(e, name)
			if o != nil && len(o.Games) > 0 && !slices.Contains(o.Games, g.Name) {
				return nil
			}
			return o
		}
		list = append(list, &game{g, board.Of(g), used(skillOption), used(eloOption), used(auditOption)})
	}
	return list
}

// find returns the game of that name, in any case; nil if there is none.
func (games games) find(name string) *game {
	if i := slices.IndexFunc(games, func(g *game) bool { return strings.EqualFold(g.Name, name) }); i >= 0 {
		return games[i]
	}
	return nil
}

func (games games) names() (names []string) {
	for _, g := range games {
		names = append(names, g.Name)
	}
	return names
}

// The modes of a search that only some games have.
const (
	mateMode   = "mate"
	valuesMode = "values"
)

// mode returns the mode of a search that g has beside those of all games: the value of every move in a game that is
// solved, mates in a game of alpha-beta.
func (g *game) mode() string {
	switch {
	case g.AlphaBeta != nil:
		return mateMode
	case g.WDL:
		return valuesMode
	}
	return ""
}

// gameJSON is a game of GET /api/games.
type gameJSON struct {
	Name     string          `json:"name"`
	Title    string          `json:"title"`
	Start    string          `json:"start"`
	Notation string          `json:"notation"`
	Board    string          `json:"board"`
	Sides    [2]string       `json:"sides"`
	Variants []board.Variant `json:"variants"`
	Shapes   *board.Shapes   `json:"shapes,omitempty"`
	Formats  []string        `json:"formats"`
	Mode     string          `json:"mode,omitempty"`
	Levels   *levelsJSON     `json:"levels,omitempty"`
	Table    string          `json:"table,omitempty"`
	Counted  bool            `json:"counted,omitempty"`
	Marked   bool            `json:"marked,omitempty"`
}

// levelsJSON are the weaker levels of a game.
type levelsJSON struct {
	Kind    string `json:"kind"` // the field of a search
	Lowest  int    `json:"lowest"`
	Highest int    `json:"highest"`
}

func (g *game) levels() *levelsJSON {
	switch {
	case g.elo != nil:
		return &levelsJSON{"elo", g.elo.Min, g.elo.Max}
	case g.skill != nil:
		return &levelsJSON{"skill", g.skill.Min, g.skill.Max}
	}
	return nil
}

// textBoard draws games for which the page has no board.
const textBoard = "text"

// listGames answers GET /api/games.
func (s *Server) listGames(*http.Request) (any, error) {
	list := []gameJSON{}
	for _, g := range s.games {
		j := gameJSON{Name: g.Name, Title: g.Title, Start: startpos, Notation: g.Notation, Board: textBoard,
			Sides: g.board.Sides, Variants: append([]board.Variant{}, g.board.Variants...), Shapes: g.board.Shapes,
			Formats: formats(g), Mode: g.mode(), Levels: g.levels(), Table: g.board.Table, Counted: g.audit != nil}
		_, j.Marked = analysis.ScaleOf(g.Name)
		if _, err := fs.Stat(files, "page/boards/"+g.Name+".js"); err == nil {
			j.Board = g.Name
		}
		list = append(list, j)
	}
	return list, nil
}
