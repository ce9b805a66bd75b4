package web

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"trefoil/engine/analysis"
)

// contentsRequest is the body of POST /api/contents.
type contentsRequest struct {
	Text string `json:"text"`
}

// contentsJSON is a game of a file.
type contentsJSON struct {
	From    int64     `json:"from"`
	To      int64     `json:"to"`
	Players [2]string `json:"players"`
	Result  string    `json:"result"`
	Date    string    `json:"date"`
	Event   string    `json:"event"`
	Plies   int       `json:"plies"`
	Error   string    `json:"error,omitempty"`
}

// contents answers POST /api/contents.
func (s *Server) contents(_ *http.Request, r *contentsRequest) (any, error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	games := []contentsJSON{}
	f := analysis.Guess([]byte(r.Text))
	if f == nil {
		return nil, bad("text %.60q begins like no game of a file", r.Text)
	}
	for next := f.Contents(strings.NewReader(r.Text)); ; {
		e, err := next()
		if errors.Is(err, io.EOF) {
			return map[string]any{"games": games}, nil
		} else if err != nil {
			return nil, bad("%s: %v", f.Name, err)
		}
		j := contentsJSON{From: e.From, To: e.To, Players: e.Players, Result: e.Result, Date: e.Date, Event: e.Event,
			Plies: e.Plies}
		if e.Err != nil {
			j.Error = e.Err.Error()
		}
		games = append(games, j)
	}
}
