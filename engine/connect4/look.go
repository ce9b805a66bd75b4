package connect4

import (
	"trefoil/engine/registry"
	"trefoil/remainder"
	"trefoil/search/exact"
)

// Look is registry.Viewer.Look.
func (p *player) Look(f func(registry.Tables)) {
	if !p.table.Look(func(s *exact.Solver) { f(registry.Tables{Exact: exactTable{s}}) }) {
		f(registry.Tables{})
	}
}

// exactTable is registry.ExactTable.
type exactTable struct{ *exact.Solver }

func (s exactTable) Position(key remainder.Key) (rows []string, side int) {
	p := s.Board().PositionOf(key.High, key.Low)
	b := p.Board()
	side = p.Ply() & 1
	for row := b.Height; row >= 1; row-- {
		line := make([]byte, b.Width)
		for col := range line {
			cell := b.Column(col).And(b.Rows(row)).AndNot(b.Rows(row - 1))
			switch {
			case p.All.And(cell).IsZero():
				line[col] = '.'
			case !p.Mover.And(cell).IsZero():
				line[col] = '0' + byte(side)
			default:
				line[col] = '1' - byte(side)
			}
		}
		rows = append(rows, string(line))
	}
	return rows, side
}
