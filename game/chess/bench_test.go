package chess

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
)

// sample returns positions from random games, and a move of each.
func sample(b *testing.B) (positions []*Position, moves []game.Move) {
	walk(b, 2000, func(p *Position, l *game.List, rnd *rand.Rand) {
		if l.Len() > 0 && rnd.IntN(8) == 0 {
			positions = append(positions, p.Copy())
			moves = append(moves, l.At(rnd.IntN(l.Len())))
		}
	})
	return positions, moves
}

// BenchmarkBoard times what a search asks of a position, each on many positions.
func BenchmarkBoard(b *testing.B) {
	positions, moves := sample(b)
	var l game.List
	list := func(kind game.Kind) func(*Position, game.Move) {
		return func(p *Position, _ game.Move) {
			l.Reset()
			p.Moves(kind, &l)
		}
	}
	for _, c := range []struct {
		name string
		do   func(*Position, game.Move)
	}{
		{"All", list(game.All)},
		{"Noisy", list(game.Noisy)},
		{"Quiet", list(game.Quiet)},
		{"Checks", list(game.Checks)},
		{"MakeUndo", func(p *Position, m game.Move) { p.Make(m); p.Undo() }},
		{"FromMove16", func(p *Position, m game.Move) { p.FromMove16(m.Move16()) }},
		{"GivesCheck", func(p *Position, m game.Move) { p.GivesCheck(m) }},
		{"KeyAfter", func(p *Position, m game.Move) { p.KeyAfter(m) }},
		{"SEE", func(p *Position, m game.Move) { p.SEE(m, 0) }},
		{"Adjudicate", func(p *Position, _ game.Move) { p.Adjudicate(3) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				c.do(positions[i%len(positions)], moves[i%len(positions)])
			}
		})
	}
}

// BenchmarkMake times one Make and Undo in a walk through a tree.
func BenchmarkMake(b *testing.B) {
	p := parse(b, standard[1].fen)
	var l [2]game.List
	made := 0
	for b.Loop() {
		l[0].Reset()
		p.Moves(game.All, &l[0])
		for _, m := range l[0].All() {
			p.Make(m)
			l[1].Reset()
			p.Moves(game.All, &l[1])
			for range 10 {
				for _, m := range l[1].All() {
					p.Make(m)
					p.Undo()
					made++
				}
			}
			p.Undo()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(made), "ns/move")
}
