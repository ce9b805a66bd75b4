package pgn

import (
	"fmt"
	"strings"

	"trefoil/game"
	rules "trefoil/game/chess"
)

// maxDepth is how deep variations of a tree are nested.
const maxDepth = 100

// Tree returns the game with its variations. What of a variation cannot be played, such as a null move and what
// follows it, is a comment on the move before it.
func (g *Game) Tree() *game.Tree {
	t := game.NewTree()
	for _, tag := range g.Tags {
		t.Headers = append(t.Headers, [2]string{tag.Name, tag.Value})
	}
	t.Comment(0, g.Before...)
	at := g.addTo(t, 0, g.start(), 0)
	t.Nodes[at].End = g.Result
	return t
}

// addTo adds the moves to a tree after a node, whose position is p, and returns the last node. p stays.
func (g *Game) addTo(t *game.Tree, at int, p *rules.Position, depth int) int {
	last := at
	for i := range g.Moves {
		last = t.Add(last, g.Moves[i].UCI) // before variations that begin with the same moves
	}
	for i := range g.Moves {
		m, parent := &g.Moves[i], at
		at = t.Add(parent, m.UCI)
		n := &t.Nodes[at]
		n.Marks = append(n.Marks, m.Marks...)
		if i == 0 && depth > 0 {
			n.Before = append(n.Before, g.Before...)
		}
		t.Comment(at, m.Comments...)
		for _, text := range m.Variations {
			addVariation(t, parent, at, p, text, depth+1)
		}
		play(p, m.UCI)
	}
	undo(p, len(g.Moves))
	return last
}

// undo takes moves back.
func undo(p *rules.Position, moves int) {
	for range moves {
		p.Undo()
	}
}

// addVariation adds a variation to a tree after a node, whose position is p. Where none of it can be played it is a
// comment on the node beside it.
func addVariation(t *game.Tree, parent, beside int, p *rules.Position, text string, depth int) {
	l := newLexer(strings.NewReader(text))
	b := builder{lexer: l, Game: &Game{Setup: p.FEN(), Result: "*"}, moves: true, position: p}
	read := 0
	for more := depth <= maxDepth; more; {
		if more = b.step(); b.err != nil {
			break
		}
		read = l.size
	}
	undo(p, len(b.Moves))
	at := beside
	switch {
	case len(b.Moves) > 0:
		at = b.addTo(t, parent, p, depth)
		if b.Result != "*" {
			t.Nodes[at].End = b.Result
		}
	case len(b.early) > 0:
		read = 0 // marks of no move
	default:
		t.Comment(at, b.Before...)
	}
	t.Comment(at, comments([]string{text[read:]})...)
}

// braces are what a comment may not have.
var braces = strings.NewReplacer("{", "(", "}", ")")

// FromTree returns the game of a tree, without tags. Its setup is a FEN. An error names the move.
func FromTree(setup string, t *game.Tree) (*Game, error) {
	p, err := rules.ParseFEN(setup)
	if err != nil {
		return nil, err
	}
	w := fromTree{t, t.Children()}
	g := &Game{Setup: p.FEN(), Before: comments(t.Nodes[0].Comments), Result: t.Nodes[0].End}
	if len(t.Nodes) > 1 {
		err = w.line(g, p, w.children[0][0], 0)
	}
	return g, err
}

// fromTree is a tree from which games are made.
type fromTree struct {
	*game.Tree
	children [][]int
}

// line adds to g the moves from a node on, whose parent has the position p. p stays.
func (w *fromTree) line(g *Game, p *rules.Position, at, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("variations are nested more than %d deep", maxDepth)
	}
	defer func() { undo(p, len(g.Moves)) }()
	for {
		n := &w.Nodes[at]
		m, err := p.ParseMove(n.Move)
		if err != nil {
			return err
		}
		before := &g.Before
		if i := len(g.Moves) - 1; i >= 0 {
			before = &g.Moves[i].Comments
		}
		*before = append(*before, comments(n.Before)...)
		move := Move{SAN: p.SAN(m), UCI: p.Text(m), Marks: n.Marks, Comments: comments(n.Comments)}
		if beside := w.children[n.After]; beside[0] == at {
			for _, other := range beside[1:] {
				v := &Game{Setup: p.FEN()}
				if err := w.line(v, p, other, depth+1); err != nil {
					return err
				}
				move.Variations = append(move.Variations, strings.TrimSpace(v.movetext()))
			}
		}
		g.Moves = append(g.Moves, move)
		p.Make(m)
		if len(w.children[at]) == 0 {
			if g.Result = n.End; results[g.Result] != g.Result {
				return fmt.Errorf("%.20q is no result", g.Result)
			}
			return nil
		}
		at = w.children[at][0]
	}
}

// comments are the texts that are not empty, as they can be between braces.
func comments(texts []string) (list []string) {
	for _, text := range texts {
		if text = tidy(braces.Replace(text)); text != "" {
			list = append(list, text)
		}
	}
	return list
}
