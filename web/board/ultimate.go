package board

import (
	"trefoil/game"
	"trefoil/game/ultimate"
)

var ultimateGame = Game{
	Sides: [2]string{"X", "O"}, Table: ClusterTable, View: ultimateView, TableMove: ultimateMove,
}

func ultimateView(start Start, moves []string) (*View, error) {
	p := ultimate.Start()
	if start.Setup != startpos {
		var err error
		if p, err = ultimate.Parse(start.Setup); err != nil {
			return nil, err
		}
	}
	w := ultimate.NewWalker(p)
	v, err := viewOf(w, moves, func(w *ultimate.Walker, m game.Move) Move {
		return Move{Move: w.Text(m), Text: w.Text(m)}
	})
	if err != nil {
		return nil, err
	}
	v.Setup, v.Now = p.String(), w.String()
	if winner, won, over := w.Over(); won {
		v.Ended = &Ended{Winner: int(winner), Reason: "three boards in a row"}
	} else if over {
		v.Ended = &Ended{Winner: Drawn, Reason: "all boards are decided"}
	}
	return v, nil
}

// ultimateMove is Game.TableMove.
func ultimateMove(bits uint16) string {
	if bits == 0 || bits > 81 {
		return ""
	}
	return ultimate.Move(bits - 1).String()
}
