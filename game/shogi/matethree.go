package shogi

import "trefoil/game"

// What is looked at of a mate in three: beyond so many checks it takes too long, and after a
// check that leaves more replies hardly ever all of them are mated.
const (
	mostChecks  = 24
	mostReplies = 8
)

// MateInThree returns a check that mates, or after which every move is answered by a mate;
// None if it sees none: checks with many replies are passed over, and so are lines that come
// back to a position of before. l is overwritten.
func (p *Position) MateInThree(l *[3]game.List) game.Move {
	if p.kings[p.side&1^1] == Nowhere || p.most > 0 && p.ply+3 > p.most {
		return game.None
	}
	l[0].Reset()
	p.Checks(&l[0])
	if l[0].Len() > mostChecks {
		return game.None
	}
	for _, m := range l[0].All() {
		p.Make(m)
		mates := p.Repeats(0) == New && p.mateFollows(l)
		p.Undo()
		if mates {
			return m
		}
	}
	return game.None
}

// mateFollows reports whether every move of the side to move, which is in check, is answered
// by a mate.
func (p *Position) mateFollows(l *[3]game.List) bool {
	l[1].Reset()
	p.Moves(game.All, &l[1])
	if l[1].Len() > mostReplies {
		return false
	}
	for _, m := range l[1].All() {
		p.Make(m)
		mate := game.None
		if p.Repeats(0) == New {
			mate, _, _ = p.mateInOne(&l[2])
		}
		p.Undo()
		if mate == game.None {
			return false
		}
	}
	return true
}
