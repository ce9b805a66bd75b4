package connect4

import (
	"trefoil/engine/registry"
	rules "trefoil/game/connect4"
	"trefoil/search/exact"
)

// Look is registry.Viewer.Look.
func (p *player) Look(f func(registry.Tables)) {
	looked := p.table.Look(func(s *exact.Solver) {
		t := registry.Tables{
			Remainder: s.Table(), Bounds: s.Bounds, Fields: s.Fields(),
			Position: func(key uint64) ([]string, int) { return rowsOf(s.Board().PositionOf(key)) },
		}
		f(t)
	})
	if !looked {
		f(registry.Tables{})
	}
}

// rowsOf draws a position, see registry.Tables.
func rowsOf(p rules.Position) (rows []string, side int) {
	b := p.Board()
	side = p.Ply() & 1
	for row := b.Height; row >= 1; row-- {
		line := make([]byte, b.Width)
		for col := range line {
			cell := b.Column(col) & b.Rows(row) &^ b.Rows(row-1)
			switch {
			case p.All&cell == 0:
				line[col] = '.'
			case p.Mover&cell != 0:
				line[col] = '0' + byte(side)
			default:
				line[col] = '1' - byte(side)
			}
		}
		rows = append(rows, string(line))
	}
	return rows, side
}
