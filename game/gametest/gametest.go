// Package gametest sets up positions in tests, which end if a text is wrong.
package gametest

import (
	"strings"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/connect4"
	"trefoil/game/shogi"
	"trefoil/game/ultimate"
)

// TB is a testing.TB or a rapid.TB.
type TB interface {
	Helper()
	Fatal(...any)
}

// Chess returns the position of a FEN after moves.
func Chess(t TB, fen string, moves ...string) *chess.Position {
	t.Helper()
	p, err := chess.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	Play(t, p, moves...)
	return p
}

// Shogi returns the position of an sfen after moves.
func Shogi(t TB, sfen string, moves ...string) *shogi.Position {
	t.Helper()
	p, err := shogi.ParseSFEN(sfen)
	if err != nil {
		t.Fatal(err)
	}
	Play(t, p, moves...)
	return p
}

// Board is a position on which moves are made.
type Board interface {
	ParseMove(string) (game.Move, error)
	Make(game.Move)
}

// Play makes moves and returns them. A text may have several, with blanks between.
func Play(t TB, p Board, texts ...string) (line []game.Move) {
	t.Helper()
	for text := range strings.FieldsSeq(strings.Join(texts, " ")) {
		line = append(line, Move(t, p, text))
		p.Make(line[len(line)-1])
	}
	return line
}

// Move returns a legal move.
func Move(t TB, p Board, text string) game.Move {
	t.Helper()
	m, err := p.ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ConnectFour returns the position after moves on the standard board.
func ConnectFour(t TB, moves string) connect4.Position {
	t.Helper()
	p, err := connect4.Parse(moves)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Ultimate returns a position of Ultimate Tic-Tac-Toe.
func Ultimate(t TB, text string) ultimate.Position {
	t.Helper()
	p, err := ultimate.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
