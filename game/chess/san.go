package chess

import (
	"strings"

	"trefoil/game"
)

// SAN writes a legal move as PGN does: Nbd7, exd5, O-O, e8=Q+, Qh7#.
func (p *Position) SAN(m game.Move) string {
	text := p.sanMove(m)
	if !p.GivesCheck(m) {
		return text
	}
	q := p.Copy()
	if q.Make(m); q.anyMove() {
		return text + "+"
	}
	return text + "#"
}

// sanMove is SAN without the mark of a check.
func (p *Position) sanMove(m game.Move) string {
	from, to := origin(m), target(m)
	form := m & forms
	if form == castling {
		if to > from {
			return "O-O"
		}
		return "O-O-O"
	}
	var b strings.Builder
	if kind := KindOf(m.Piece()); kind != Pawn {
		b.WriteByte("PNBRQK"[kind-Pawn])
		b.WriteString(p.sanOrigin(m))
	} else if from.File() != to.File() {
		b.WriteByte(from.String()[0])
	}
	if p.At(to) != 0 || form == enPassant {
		b.WriteByte('x')
	}
	b.WriteString(to.String())
	if form >= promotion {
		b.WriteByte('=')
		b.WriteByte("NBRQ"[promoted(m)-Knight])
	}
	return b.String()
}

// sanOrigin returns what SAN says of the origin of a piece's move: nothing, or the file, the rank or both, if
// other pieces of the kind can move to the same square.
func (p *Position) sanOrigin(m game.Move) string {
	from, others, sameFile, sameRank := origin(m), false, false, false
	var l game.List
	p.Moves(game.All, &l)
	for _, o := range l.All() {
		if o.Piece() != m.Piece() || o.To() != m.To() || o&forms == castling || origin(o) == from {
			continue
		}
		others = true
		sameFile = sameFile || origin(o).File() == from.File()
		sameRank = sameRank || origin(o).Rank() == from.Rank()
	}
	switch name := from.String(); {
	case !others:
		return ""
	case !sameFile:
		return name[:1]
	case !sameRank:
		return name[1:]
	default:
		return name
	}
}
