package alphabetagame

import (
	"errors"
	"slices"

	"trefoil/engine/registry"
	"trefoil/game"
	"trefoil/search"
)

// Rules are what a Player needs of a position besides the search.
type Rules interface {
	ParseMove(string) (game.Move, error)
	Text(game.Move) string
	Moves(game.Kind, *game.List)
	Make(game.Move)
}

// Play parses moves and plays them. Its error says which move is wrong; then p is left in between.
func Play(p Rules, moves []string) error {
	return registry.PlayMoves(moves, func(text string) error {
		m, err := p.ParseMove(text)
		if err == nil {
			p.Make(m)
		}
		return err
	})
}

// LegalMoves returns the moves that are legal in p, each once and as p writes it. It reports
// the others.
func LegalMoves(p Rules, moves []string, report func(search.Info)) (legal []string) {
	for _, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			report(search.Info{Text: "searchmoves: " + err.Error()})
			continue
		}
		if canonical := p.Text(m); !slices.Contains(legal, canonical) {
			legal = append(legal, canonical)
		}
	}
	if len(moves) > 0 && len(legal) == 0 {
		report(search.Info{Text: registry.NoneLegal})
	}
	return legal
}

// AnyMove returns a legal move of p, "" if there is none.
func AnyMove(p Rules) string {
	var l game.List
	if p.Moves(game.All, &l); l.Len() == 0 {
		return ""
	}
	return p.Text(l.At(0))
}

// LineTexts plays the moves of a line on p and returns their texts.
func LineTexts(p Rules, moves []game.Move) (texts []string) {
	for _, m := range moves {
		texts = append(texts, p.Text(m))
		p.Make(m)
	}
	return texts
}

// ErrInCheck is the error of Explain for a position in check.
var ErrInCheck = errors.New("the side to move is in check: there is no static evaluation")
