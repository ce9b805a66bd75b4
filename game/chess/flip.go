package chess

// Flipped returns the position with colours exchanged, which has the same value for the side to move: the board
// upside down, the pieces of the other colour, the other side to move. It has no history.
func (p *Position) Flipped() *Position {
	f := &Position{chess960: p.chess960, side: p.side ^ 1, history: make([]state, 0, 256)}
	if f.side == Black {
		f.key ^= 1
	}
	for b := p.Occupied(); b != 0; {
		s := b.Pop()
		code := p.At(s)
		f.putPiece(Code(ColourOf(code)^1, KindOf(code)), s^56)
	}
	for b := p.castle; b != 0; {
		rook := b.Pop() ^ 56
		f.castle |= rook.Bit()
		f.key ^= words.castle[rook]
	}
	if p.ep != 0 {
		f.ep = p.ep ^ 56
		f.key ^= words.ep[f.ep&7]
	}
	if s := p.Passed(); s != 0 {
		f.passedBefore = s ^ 56
	}
	f.half, f.ply = p.half, p.ply-int(p.side)+int(f.side)
	f.checkers = f.attackersOf(f.King(f.side), f.Occupied(), f.side^1)
	return f
}
