package board

import (
	"fmt"

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
	v := &View{Setup: p.String()}
	var err error
	if p, v.Played, err = ultimatePlay(p, moves); err != nil {
		return nil, fmt.Errorf("moves: %w", err)
	}
	for _, m := range p.Moves(nil) {
		v.Legal = append(v.Legal, Move{Move: m.String(), Text: m.String()})
	}
	v.Now, v.Side, v.Position = p.String(), int(p.Side()), ultimatePosition{p}
	if winner, won, over := p.Over(); won {
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

// ultimatePlay plays moves as far as they are legal.
func ultimatePlay(p ultimate.Position, moves []string) (_ ultimate.Position, texts []Move, err error) {
	for _, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			return p, texts, err
		}
		p, texts = p.Play(m), append(texts, Move{Move: m.String(), Text: m.String()})
	}
	return p, texts, nil
}

type ultimatePosition struct{ pos ultimate.Position }

func (p ultimatePosition) Line(moves []string) []Move {
	_, texts, _ := ultimatePlay(p.pos, moves)
	return texts
}

func (p ultimatePosition) Key() uint64 { return ultimate.NewWalker(p.pos).Key() }

func (p ultimatePosition) Walk() Walk {
	w := ultimate.NewWalker(p.pos)
	return Walk{w, func(m game.Move) Move { return Move{Move: w.Text(m), Text: w.Text(m)} }}
}
