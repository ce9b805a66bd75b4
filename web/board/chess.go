package board

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"trefoil/game"
	"trefoil/game/chess"
)

// chess960 begins the setup of a start position of Chess960: its number follows, or it is drawn.
const chess960 = "chess960"

var chessGame = Game{
	Sides: [2]string{"White", "Black"}, Table: ClusterTable, View: chessView, TableMove: chess.Text16,
	Variants: []Variant{{Name: chess960, Title: "Chess960", Setup: chess960}},
	Records:  []Record{{Format: "pgn", Write: writePGN}},
}

func chessView(start Start, moves []string) (*View, error) {
	setup, err := setup960(start.Setup)
	if err != nil {
		return nil, err
	}
	if setup == startpos {
		setup = chess.StartFEN
	}
	p, repairs, err := chess.ReadFEN(setup)
	if err != nil {
		return nil, err
	}
	first := p.FEN()
	v, err := viewOf(p, moves, func(p *chess.Position, m game.Move) Move {
		return Move{Move: p.Text(m), Text: p.SAN(m)}
	})
	if err != nil {
		return nil, err
	}
	v.Setup, v.Now, v.Notes, v.Ended = first, p.FEN(), repairs, chessEnded(p, len(v.Legal))
	return v, nil
}

// setup960 replaces a start position of Chess960 by its FEN.
func setup960(setup string) (string, error) {
	number, ok := strings.CutPrefix(setup, chess960)
	if !ok {
		return setup, nil
	}
	number = strings.TrimSpace(number)
	if number == "" {
		return chess.StartFEN960(rand.IntN(chess.Starts960))
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		return "", fmt.Errorf("%s %.40q: not a number", chess960, number)
	}
	return chess.StartFEN960(n)
}

// chessEnded returns how the game ended in p, which has that many legal moves; nil if it goes on.
func chessEnded(p *chess.Position, legal int) *Ended {
	switch {
	case legal == 0 && p.InCheck():
		return &Ended{Winner: 1 - p.Side(), Reason: "checkmate"}
	case legal == 0:
		return &Ended{Winner: Drawn, Reason: "stalemate"}
	case p.InsufficientMaterial():
		return &Ended{Winner: Drawn, Reason: "too little material to mate"}
	case p.Rule50() >= 100:
		return &Ended{Winner: Drawn, Reason: "fifty moves without a capture or a pawn move"}
	case p.Occurrences() >= 3:
		return &Ended{Winner: Drawn, Reason: "third occurrence of the position"}
	}
	return nil
}
