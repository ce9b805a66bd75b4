package chess

import "trefoil/game"

// Adjudicate reports a draw by repetition, by the rule of fifty moves (unless the side to move is mated) or
// by too little material to mate. A position that repeats one of the last ply positions is drawn at once, a
// repetition of an older position at the third occurrence.
func (p *Position) Adjudicate(ply int) (game.Outcome, bool) {
	drawn := p.half >= 100 && (p.checkers == 0 || p.anyMove()) || p.repeats(ply) || p.InsufficientMaterial()
	return game.Draw, drawn
}

// repeats reports a repetition in the sense of Adjudicate.
func (p *Position) repeats(ply int) bool {
	n := len(p.history)
	seen := false
	for d := 4; d <= min(int(p.back), n); d += 2 {
		if p.history[n-d].key != p.key {
			continue
		}
		if d <= ply || seen {
			return true
		}
		seen = true
	}
	return false
}

// Occurrences returns how often the position has occurred in the game, at least 1.
func (p *Position) Occurrences() int {
	n, times := len(p.history), 1
	for d := 4; d <= min(int(p.back), n); d += 2 {
		if p.history[n-d].key == p.key {
			times++
		}
	}
	return times
}

// RepeatableKeys returns the keys of the earlier positions that could be repeated: those since
// the last capture, pawn move or null move, the latest first.
func (p *Position) RepeatableKeys() []uint64 {
	n := len(p.history)
	keys := make([]uint64, min(int(p.back), n))
	for i := range keys {
		keys[i] = p.history[n-1-i].key
	}
	return keys
}

// InsufficientMaterial reports whether neither side can mate by any sequence of moves: there
// is nothing but one minor piece, or bishops on squares of one colour.
func (p *Position) InsufficientMaterial() bool {
	if p.kinds[Pawn]|p.kinds[Rook]|p.kinds[Queen] != 0 {
		return false
	}
	bishops, knights := p.kinds[Bishop], p.kinds[Knight]
	if knights != 0 {
		return bishops == 0 && !knights.Many()
	}
	return bishops&Dark == 0 || bishops&^Dark == 0
}

// anyMove reports whether there is a legal move.
func (p *Position) anyMove() bool {
	var l game.List
	p.Moves(game.All, &l)
	return l.Len() != 0
}

// NoMoves returns how a position without a legal move ends: checkmate or stalemate.
func (p *Position) NoMoves() game.Outcome {
	if p.checkers != 0 {
		return game.Loss
	}
	return game.Draw
}

// NullMoveSound reports whether a null move is sound: the side to move is not in
// check and has more than pawns.
func (p *Position) NullMoveSound() bool {
	return p.checkers == 0 && p.colours[p.side&1]&^(p.kinds[Pawn]|p.kinds[King]) != 0
}
