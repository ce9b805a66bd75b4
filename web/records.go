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
	rules "trefoil/game"
	"trefoil/web/board"
)

// textFormat is the format of a game that is written in one line, as the command position of UCI has it.
const textFormat = "text"

// tagName and maxTag bound the tags of a game.
var tagName = regexp.MustCompile(`^[A-Za-z0-9_]{1,40}$`)

const maxTag = 200

// firstMove begins the moves of a game in PGN, where its tags are left out, or a comment before them. JKF begins with
// a brace and a quotation mark. A move without a number needs a successor: a4 is also two columns of Connect Four.
var firstMove = regexp.MustCompile(`^(1\s*\.|;|\{\s*[^\s"]|(N[acfh]3|[a-h](2[a-h])?[34])\s)`)

// lineEnds makes the ends of lines alike.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// exportRequest is the body of POST /api/export.
type exportRequest struct {
	position
	Format  string            `json:"format"`
	Tags    map[string]string `json:"tags"`
	Headers [][2]string       `json:"headers"`
	Tree    []rules.Node      `json:"tree"`
}

// record returns the game, and makes its main line the moves of the request.
func (r *exportRequest) record() (*rules.Tree, error) {
	for _, h := range r.Headers {
		if strings.ContainsFunc(h[0]+h[1], unicode.IsControl) || h[0] == "" || r.Format == "pgn" && !pgnName(h[0]) {
			return nil, bad("header %.60q %.60q: a name without spaces, brackets and quotation marks, and one line", h[0],
				h[1])
		}
	}
	if len(r.Tree) == 0 {
		t := rules.Line(r.Moves, "")
		t.Headers = r.Headers
		return t, nil
	}
	t := &rules.Tree{Headers: r.Headers, Nodes: r.Tree}
	depths := make([]int, len(t.Nodes))
	for i, n := range t.Nodes {
		switch {
		case i == 0 && n.Move+n.Time == "" && n.After == 0:
			continue
		case i == 0 || n.After < 0 || n.After >= i:
			return nil, bad("tree: node %d: after %d is no node before it", i, n.After)
		case slices.ContainsFunc(n.Marks, func(mark int) bool { return mark < 0 || mark > 255 }):
			return nil, bad("tree: node %d: marks are from 0 to 255", i)
		}
		if depths[i] = depths[n.After] + 1; depths[i] > maxMoves {
			return nil, bad("tree: a line has more than %d moves", maxMoves)
		}
	}
	r.Moves = nil
	for _, at := range t.Main()[1:] {
		r.Moves = append(r.Moves, t.Nodes[at].Move)
	}
	return t, nil
}

// pgnName reports whether a text can be the name of a tag.
func pgnName(name string) bool { return name != "" && !strings.ContainsFunc(name, notInName) }

// notInName reports whether a name of a tag cannot have a character.
func notInName(c rune) bool {
	return unicode.IsSpace(c) || unicode.IsControl(c) || strings.ContainsRune(`[]"`, c)
}

// export answers POST /api/export.
func (s *Server) export(_ *http.Request, r *exportRequest) (any, error) {
	tree, err := r.record()
	if err != nil {
		return nil, err
	}
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
	i := slices.IndexFunc(g.board.Records, func(f board.Record) bool { return f.Format == r.Format })
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
	case i >= 0:
		if text, err = g.board.Records[i].Write(v, tree, r.Tags); err != nil {
			return nil, bad("%.300s", err)
		}
	default:
		return nil, bad("format %.40q is not one of %q, in which games of %s are written", r.Format, formats(g), g.Title)
	}
	return map[string]string{"text": text}, nil
}

// formats are the formats in which games are written.
func formats(g *game) (names []string) {
	for _, f := range g.board.Records {
		names = append(names, f.Format)
	}
	return append(names, textFormat)
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
	text := strings.TrimSpace(lineEnds.Replace(strings.TrimPrefix(r.Text, "\ufeff")))
	if text == "" {
		return nil, bad("text is missing")
	}
	p, tree, err := s.readRecord(text)
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
	j := viewOf(g, v, p)
	if tree != nil {
		j.Headers, j.Tree = tree.Headers, tree.Nodes
	}
	return j, nil
}

// readRecord reads the first game of a text in any format of game files. It returns nil if the text has no
// such format. A long game in PGN takes seconds, so one text is read at a time.
func (s *Server) readRecord(text string) (*position, *rules.Tree, error) {
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
			return nil, nil, bad("%s: %v", f.Name, err)
		}
		tree := record.Tree()
		for i, h := range tree.Headers {
			if f.Name == "pgn" {
				h[0] = replaced(h[0], notInName)
			}
			h[0], h[1] = replaced(h[0], unicode.IsControl), replaced(h[1], unicode.IsControl)
			tree.Headers[i] = h
		}
		g := record.Game()
		return &position{Game: f.Variant, Setup: g.Setup, Moves: g.Moves}, tree, nil
	}
	return nil, nil, nil
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
		if refused = p.open(games); refused == nil {
			return p, nil
		}
	}
	for _, g := range games {
		p.Game = g.Name
		if p.open(games) == nil {
			return p, nil
		}
	}
	if refused != nil {
		return nil, refused
	}
	return nil, bad("text %.60q is neither a game nor a position of %s", text, strings.Join(games.names(), ", "))
}

// open checks a game whose setup was typed. A setup that consists of moves becomes moves.
func (p *position) open(games games) error {
	g, _, err := p.view(games)
	if err == nil && g.board.SetupMoves != nil && p.Setup != startpos {
		p.Setup, p.Moves = startpos, slices.Concat(g.board.SetupMoves(p.Setup), p.Moves)
	}
	return err
}

// replaced is a text with underscores in the place of some characters.
func replaced(text string, wrong func(rune) bool) string {
	return strings.Map(func(c rune) rune {
		if wrong(c) {
			return '_'
		}
		return c
	}, text)
}
