package board

import (
	"trefoil/game"
	"trefoil/game/shogi"
	"trefoil/game/shogi/kifu"
)

var shogiGame = Game{
	Sides: [2]string{"Black", "White"}, Table: ClusterTable, View: shogiView, TableMove: shogi.Text16,
	Records: []Record{{Format: "kif", Write: writerOf(kifu.WriteTree)}, {Format: "csa", Write: writerOf(kifu.WriteCSA)}},
}

func shogiView(start Start, moves []string) (*View, error) {
	setup := start.Setup
	if setup == startpos {
		setup = shogi.StartSFEN
	}
	p, repairs, err := shogi.ReadSFEN(setup)
	if err != nil {
		return nil, err
	}
	first := p.SFEN()
	v, err := viewOf(p, moves, func(p *shogi.Position, m game.Move) Move {
		return Move{Move: p.Text(m), Text: p.Western(m), Kanji: kifu.MoveText(shogi.Colour(p.Side()), m)}
	})
	if err != nil {
		return nil, err
	}
	v.Setup, v.Now, v.Notes, v.Ended, v.Declares = first, p.SFEN(), repairs, shogiEnded(p, len(v.Legal)), p.Declares()
	return v, nil
}

// shogiEnded returns how the game ended in p, which has that many legal moves; nil if it goes on.
func shogiEnded(p *shogi.Position, legal int) *Ended {
	if legal == 0 {
		reason := "checkmate"
		if !p.InCheck() {
			reason = "no legal move"
		}
		return &Ended{Winner: 1 - p.Side(), Reason: reason}
	}
	switch p.Repeats(0) {
	case shogi.RepetitionDraw:
		return &Ended{Winner: Drawn, Reason: "fourth occurrence of the position"}
	case shogi.RepetitionWin:
		return &Ended{Winner: p.Side(), Reason: "perpetual check"}
	case shogi.RepetitionLoss:
		return &Ended{Winner: 1 - p.Side(), Reason: "perpetual check"}
	}
	return nil
}
