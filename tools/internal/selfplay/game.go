package selfplay

import (
	"context"

	"trefoil/game"
	"trefoil/search"
)

// Ends are the limits by which games are adjudicated: a side is WonBy centipawns ahead for WonPlies
// plies, the score has been within DrawnBy for DrawnPlies from ply DrawnFrom on, or the game is
// longer than Longest plies, which is a draw.
type Ends struct {
	WonBy, WonPlies                int
	DrawnBy, DrawnPlies, DrawnFrom int
	Longest                        int
}

// The limits of the games.
var (
	ChessEnds = Ends{WonBy: 1200, WonPlies: 5, DrawnBy: 8, DrawnPlies: 16, DrawnFrom: 80, Longest: 400}
	ShogiEnds = Ends{WonBy: 2500, WonPlies: 5, DrawnBy: 8, DrawnPlies: 16, DrawnFrom: 300, Longest: 320}
)

// PlayedOut returns limits that no score reaches: games end by the rules, or far beyond Longest.
func (e Ends) PlayedOut() Ends {
	return Ends{WonBy: Mate + 1, WonPlies: 1, DrawnBy: -1, DrawnPlies: 1, Longest: 10 * e.Longest}
}

// Play plays a game from pos on, which ply plies have led to, with searches within limits, and returns
// the half points of the first player. Before each move it calls visit with the position and the line
// of that move; visit must not change them.
func (p *Player) Play(ctx context.Context, pos Board, ply int, limits search.Limits, ends Ends,
	visit func(Board, Line)) (half int, err error) {
	return Play(pos, ply, ends, func(pos Board) (Line, error) {
		line, err := p.Best(ctx, pos, limits)
		if err == nil {
			visit(pos, line)
		}
		return line, err
	})
}

// Play plays a game from pos on, which ply plies have led to, and returns the half points of the first
// player. search chooses the moves of both sides; it must not change the position.
func Play(pos Board, ply int, ends Ends, search func(Board) (Line, error)) (half int, err error) {
	var l game.List
	won, drawn := 0, 0 // plies; won is negative for the second player
	for ; ; ply++ {
		if half, over := Result(pos, &l); over || ply >= ends.Longest {
			return half, nil
		}
		line, err := search(pos)
		if err != nil {
			return 0, err
		}
		first := line.Value * (1 - 2*pos.Side())
		switch {
		case first >= ends.WonBy:
			won = max(won, 0) + 1
		case first <= -ends.WonBy:
			won = min(won, 0) - 1
		default:
			won = 0
		}
		if drawn++; abs(first) > ends.DrawnBy || ply < ends.DrawnFrom {
			drawn = 0
		}
		switch {
		case won >= ends.WonPlies:
			return 2, nil
		case -won >= ends.WonPlies:
			return 0, nil
		case drawn >= ends.DrawnPlies:
			return 1, nil
		}
		pos.Make(line.Move)
	}
}

func abs(n int) int { return max(n, -n) }

// Result reports whether the game is over at pos, and the half points of the first player, 1 if it is
// not. It uses l for the moves.
func Result(pos Board, l *game.List) (half int, over bool) {
	l.Reset()
	pos.Moves(game.All, l)
	o := game.Draw
	if l.Len() == 0 {
		o, over = pos.NoMoves(), true
	} else {
		o, over = pos.Adjudicate(0)
	}
	switch o {
	case game.Win, game.Ahead:
		return 2 - 2*pos.Side(), over
	case game.Loss, game.Behind:
		return 2 * pos.Side(), over
	}
	return 1, over
}
