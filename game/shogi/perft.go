package shogi

import "trefoil/game"

// Perft returns the number of legal move sequences of a length. The moves of
// the last ply are counted, not made.
func Perft(p *Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perft(p, make([]game.List, depth-1))
}

func perft(p *Position, frames []game.List) (total uint64) {
	if len(frames) == 0 {
		return uint64(p.MoveCount())
	}
	l := &frames[0]
	l.Reset()
	p.Moves(game.All, l)
	for _, m := range l.All() {
		p.Make(m)
		total += perft(p, frames[1:])
		p.Undo()
	}
	return total
}
