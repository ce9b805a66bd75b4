package web

import (
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"trefoil/engine/analysis"
)

// textFormat is the format of a game that is written in one line, as the command position of UCI has it.
const textFormat = "text"

// tagName and maxTag bound the tags of a game.
var tagName = regexp.MustCompile(`^[A-Za-z0-9_]{1,40}$`)

const maxTag = 200

// firstMove begins the moves of a game in PGN, where its tags are left out.
var firstMove = regexp.MustCompile(`^1\s*\.`)

// exportRequest is the body of POST /api/export.
type exportRequest struct {
	position
	Format string            `json:"format"`
	Tags   map[string]string `json:"tags"`
}

// export answers POST /api/export.
func (s *Server) export(_ *http.Request, r *exportRequest) (any, error) {
	g, v, err := r.view(s.games)
	if err != nil {
		return nil, err
	}
	for name, value := range r.Tags {
		if !tagName.MatchString(name) || len(value) > maxTag || strings.ContainsFunc(value, unicode.IsControl) {
			return nil, bad("tag %.60q %.60q: a name has letters and digits, a value one line of at most %d bytes", name,
				value, maxTag)
		}
	}
	text := ""
	switch {
	case r.Format == textFormat:
		text = v.Setup
		for i, m := range v.Played {
			if i == 0 {
				text += " moves"
			}
			text += " " + m.Move
		}
		text += "\n"
	case g.board.Record != nil && r.Format == g.board.Record.Format:
		if text, err = g.board.Record.Write(v, r.Tags); err != nil {
			return nil, err
		}
	default:
		return nil, bad("format %.40q is not one of %q, in which games of %s are written", r.Format, formats(g), g.Title)
	}
	return map[string]string{"text": text}, nil
}

// formats are the formats in which games are written.
func formats(g *game) []string {
	if g.board.Record == nil {
		return []string{textFormat}
	}
	return []string{g.board.Record.Format, textFormat}
}

// importRequest is the body of POST /api/import.
type importRequest struct {
	Game    string `json:"game"` // preferred, if the text may be of several games
	Board   string `json:"board"`
	Connect int    `json:"connect"`
	Text    string `json:"text"`
}

// importGame answers POST /api/import.
func (s *Server) importGame(_ *http.Request, r *importRequest) (any, error) {
	if r.Game != "" && s.games.find(r.Game) == nil {
		return nil, bad("game %.40q is not one of %v", r.Game, s.games.names())
	}
	text := strings.TrimSpace(strings.TrimPrefix(r.Text, "\ufeff"))
	if text == "" {
		return nil, bad("text is missing")
	}
	p, err := s.readRecord(text)
	if p == nil && err == nil {
		p, err = r.readLine(s.games, text)
	}
	if err != nil {
		return nil, err
	}
	g, v, err := p.view(s.games)
	if err != nil {
		return nil, err
	}
	return viewOf(g, v, p), nil
}

// readRecord reads the first game of a text in any format of game files. It returns nil if the text has no
// such format. A long game in PGN takes seconds, so one text is read at a time.
func (s *Server) readRecord(text string) (*position, error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	for _, f := range analysis.Formats {
		begins := f.Check([]byte(text)) == nil && (strings.Contains(text, "\n") || f.Name == "jkf") ||
			f.Name == "pgn" && firstMove.MatchString(text)
		if !begins {
			continue
		}
		record, err := f.Open(strings.NewReader(text + "\n"))()
		switch {
		case errors.Is(err, io.EOF):
			continue
		case err != nil:
			return nil, bad("%s: %v", f.Name, err)
		}
		g := record.Game()
		return &position{Game: f.Variant, Setup: g.Setup, Moves: g.Moves}, nil
	}
	return nil, nil
}

// readLine reads a position, and moves after the word "moves", as the command position of UCI and USI has them.
func (r *importRequest) readLine(games games, text string) (*position, error) {
	words := strings.Fields(text)
	for len(words) > 1 && slices.Contains([]string{"position", "fen", "sfen"}, words[0]) {
		words = words[1:]
	}
	p := &position{Game: r.Game, Board: r.Board, Connect: r.Connect}
	if i := slices.Index(words, "moves"); i >= 0 {
		words, p.Moves = words[:i], words[i+1:]
	}
	p.Setup = strings.Join(words, " ")
	var refused error // by the game that is preferred
	if p.Game != "" {
		if _, _, refused = p.view(games); refused == nil {
			return p, nil
		}
	}
	for _, g := range games {
		p.Game = g.Name
		if _, _, err := p.view(games); err == nil {
			return p, nil
		}
	}
	if refused != nil {
		return nil, refused
	}
	return nil, bad("text %.60q is neither a game nor a position of %s", text, strings.Join(games.names(), ", "))
}
