package chess

import "trefoil/game"

// Perft returns the number of legal move sequences of a length. The moves of
// the last ply are counted, not made.
func Perft(p *Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perft(p, make([]game.List, depth))
}

func perft(p *Position, frames []game.List) (total uint64) {
	l := &frames[0]
	l.Reset()
	p.Moves(game.All, l)
	if len(frames) == 1 {
		return uint64(l.Len())
	}
	for _, m := range l.All() {
		p.Make(m)
		total += perft(p, frames[1:])
		p.Undo()
	}
	return total
}
