package board

import (
	"cmp"
	"fmt"
	"strings"

	"trefoil/game/connect4"
	"trefoil/search"
)

var connect4Game = Game{
	Sides: [2]string{"Yellow", "Red"}, Table: RemainderTable, View: connect4View, Shapes: connect4Shapes(),
	SetupMoves: func(columns string) []string { return strings.Split(columns, "") },
}

// connect4Shapes are the boards that the rules allow.
func connect4Shapes() *Shapes {
	s := &Shapes{Size: sizeOf(connect4.Standard), Connect: connect4.Standard.Connect, Least: connect4.MinConnect,
		Most: connect4.MaxConnect}
	for _, size := range connect4.Sizes() {
		s.Sizes = append(s.Sizes, fmt.Sprintf("%dx%d", size[0], size[1]))
	}
	return s
}

func connect4View(start Start, moves []string) (*View, error) {
	b := connect4.Standard
	if start.Board != "" || start.Connect != 0 {
		var err error
		b, err = connect4.ParseBoard(cmp.Or(start.Board, sizeOf(b)), cmp.Or(start.Connect, b.Connect))
		if err != nil {
			return nil, err
		}
	}
	columns := start.Setup
	if columns == startpos {
		columns = ""
	}
	p, err := b.Parse(columns)
	if err != nil {
		return nil, err
	}
	v := &View{Setup: start.Setup,
		Options: [][2]string{{"Connect4 Board", sizeOf(b)}, {"Connect4 Line", fmt.Sprint(b.Connect)}}}
	if p, v.Played, err = connect4Play(p, moves); err != nil {
		return nil, fmt.Errorf("moves: %w", err)
	}
	v.Now, v.Side, v.Position = columns+strings.Join(moves, ""), p.Ply()&1, connect4Position{p}
	if won, over := p.Over(); over {
		v.Ended = &Ended{Winner: Drawn, Reason: "the board is full"}
		if won {
			v.Ended = &Ended{Winner: 1 - v.Side, Reason: fmt.Sprintf("%d in a row", b.Connect)}
		}
		return v, nil
	}
	for col := range b.Width {
		if p.CanPlay(col) {
			v.Legal = append(v.Legal, Move{Move: connect4.Text(col), Text: connect4.Text(col)})
		}
	}
	return v, nil
}

// connect4Play plays moves as far as they are legal.
func connect4Play(p connect4.Position, moves []string) (_ connect4.Position, texts []Move, err error) {
	for _, text := range moves {
		col, err := p.ParseMove(text)
		if err != nil {
			return p, texts, err
		}
		p, texts = p.Play(col), append(texts, Move{Move: text, Text: text})
	}
	return p, texts, nil
}

// sizeOf is the size of a board as the option has it.
func sizeOf(b *connect4.Board) string { return fmt.Sprintf("%dx%d", b.Width, b.Height) }

type connect4Position struct{ connect4.Position }

func (p connect4Position) Line(moves []string) []Move {
	_, texts, _ := connect4Play(p.Position, moves)
	return texts
}

// Score is the number of stones that the winner has left, and 1, negative if the side to move loses.
func (p connect4Position) Score(s search.Score) int {
	left := p.Board().Cells - p.Ply()
	switch {
	case !s.Mate:
		return 0
	case s.Plies > 0:
		return (left+1)/2 - (s.Plies-1)/2
	default:
		return -s.Plies/2 - (left+2)/2
	}
}
