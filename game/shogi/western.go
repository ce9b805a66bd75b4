package shogi

import (
	"strings"

	"trefoil/game"
)

// Western writes a legal move as Western books do: P-7f, Bx2b+, S*5e. The origin is added where another piece
// of the kind could go there, as in G6i-5h, and = where a promotion is declined.
func (p *Position) Western(m game.Move) string {
	to := target(m)
	if IsDrop(m) {
		return Letter(Code(Black, Dropped(m))) + "*" + to.String()
	}
	kind := KindOf(m.Piece())
	var b strings.Builder
	b.WriteString(Letter(Code(Black, kind)))
	ambiguous, declined := false, false
	var l game.List
	p.Moves(game.All, &l)
	for _, o := range l.All() {
		if IsDrop(o) || o.Piece() != m.Piece() || o.To() != m.To() {
			continue
		}
		ambiguous = ambiguous || Origin(o) != Origin(m)
		declined = declined || Origin(o) == Origin(m) && o.Promotes() && !m.Promotes()
	}
	if ambiguous {
		b.WriteString(Origin(m).String())
	}
	if p.At(to) != 0 {
		b.WriteByte('x')
	} else {
		b.WriteByte('-')
	}
	b.WriteString(to.String())
	switch {
	case m.Promotes():
		b.WriteByte('+')
	case declined:
		b.WriteByte('=')
	}
	return b.String()
}
