package web

import (
	"net/http"

	"trefoil/engine/analysis"
	"trefoil/search"
	"trefoil/web/board"
)

// resultJSON is the result of a search, the last exact score that it reported.
type resultJSON struct {
	Score scoreJSON `json:"score"`
	Move  string    `json:"move"` // the best one, "" if there is none
}

// reviewRequest is the body of POST /api/review.
type reviewRequest struct {
	position
	Results []*resultJSON `json:"results"`
}

// reviewJSON is the answer: how bad each move is, from 0 to 3, for a blunder, and summaries of the sides.
type reviewJSON struct {
	Marks []analysis.Mark `json:"marks"`
	Sides []string        `json:"sides"`
}

// review answers POST /api/review as `trefoil analyse` does.
func (s *Server) review(_ *http.Request, r *reviewRequest) (any, error) {
	g, v, err := r.view(s.games)
	if err != nil {
		return nil, err
	}
	scale, ok := analysis.ScaleOf(g.Name)
	if !ok {
		return nil, bad("game %s has no marks", g.Name)
	}
	n := len(v.Played)
	if len(r.Results) != n+1 {
		return nil, bad("results: %d, not %d, one for each position", len(r.Results), n+1)
	}
	report := analysis.Report{Game: analysis.Game{First: (v.Side + n) % 2}, Scale: scale,
		Positions: make([]analysis.Position, n+1)}
	for i, result := range r.Results {
		p := &report.Positions[i]
		switch {
		case i == n && v.Ended != nil:
			p.Score.Mate = v.Ended.Winner != board.Drawn // else a draw
			if v.Ended.Winner == v.Side {
				p.Score.Plies = 1
			}
		case result == nil || result.Score.Centipawns == nil && (result.Score.Mate == nil || result.Score.Plies == nil):
			return nil, bad("results: position %d has no score", i)
		default:
			if p.Score = result.Score.score(); result.Move != "" {
				p.Line = []string{result.Move}
			}
		}
	}
	answer := reviewJSON{Marks: []analysis.Mark{}}
	for i, m := range v.Played {
		report.Game.Moves = append(report.Game.Moves, m.Move)
		answer.Marks = append(answer.Marks, report.Loss(i).Mark)
	}
	answer.Sides = report.SideTexts(g.board.Sides)
	return answer, nil
}

// score reads centipawns, or a mate.
func (s scoreJSON) score() search.Score {
	switch {
	case s.Centipawns != nil:
		return search.Score{Centipawns: *s.Centipawns}
	case *s.Mate > 0:
		return search.Score{Mate: true, Plies: *s.Plies}
	}
	return search.Score{Mate: true, Plies: -*s.Plies}
}
