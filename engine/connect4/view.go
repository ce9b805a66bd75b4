package connect4

import (
	"fmt"
	"strings"

	"trefoil/engine/registry"
	rules "trefoil/game/connect4"
	"trefoil/search"
)

// view is registry.Game.View.
func view(start registry.Start, moves []string) (*registry.View, error) {
	board := rules.Standard
	if start.Board != "" || start.Connect != 0 {
		size, connect := start.Board, start.Connect
		if size == "" {
			size = sizeOf(board)
		}
		if connect == 0 {
			connect = board.Connect
		}
		var err error
		if board, err = rules.ParseBoard(size, connect); err != nil {
			return nil, err
		}
	}
	first, err := parseSetup(board, start.Setup)
	if err != nil {
		return nil, err
	}
	v := &registry.View{Options: [][2]string{{"Connect4 Board", sizeOf(board)},
		{"Connect4 Line", fmt.Sprint(board.Connect)}}}
	p, columns := first, ""
	if start.Setup != "startpos" {
		columns = start.Setup
	}
	v.Setup = columns
	if p, v.Played, err = play(first, moves); err != nil {
		return nil, fmt.Errorf("moves: %w", err)
	}
	columns += strings.Join(moves, "")
	if v.Setup == "" {
		v.Setup = "startpos"
	}
	v.Now, v.Side = columns, p.Ply()&1
	if won, over := p.Over(); over {
		v.Ended = &registry.Ended{Winner: registry.Drawn, Reason: "the board is full"}
		if won {
			v.Ended = &registry.Ended{Winner: 1 - v.Side, Reason: fmt.Sprintf("%d in a row", board.Connect)}
		}
	} else {
		for col := range board.Width {
			if p.CanPlay(col) {
				v.Legal = append(v.Legal, registry.MoveText{Move: rules.Text(col), Text: rules.Text(col)})
			}
		}
	}
	v.Line = func(moves []string) []registry.MoveText {
		_, texts, _ := play(p, moves)
		return texts
	}
	v.Score = func(s search.Score) int { return score(p, s) }
	return v, nil
}

// play plays moves as far as they are legal.
func play(p rules.Position, moves []string) (_ rules.Position, texts []registry.MoveText, err error) {
	for _, text := range moves {
		col, err := p.ParseMove(text)
		if err != nil {
			return p, texts, err
		}
		p, texts = p.Play(col), append(texts, registry.MoveText{Move: text, Text: text})
	}
	return p, texts, nil
}

// sizeOf is the size of a board as the option has it.
func sizeOf(b *rules.Board) string { return fmt.Sprintf("%dx%d", b.Width, b.Height) }

// score is the inverse of distance: the stones that the winner has left, and 1, negative if the side to move loses.
func score(p rules.Position, s search.Score) int {
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
