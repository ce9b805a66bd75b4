package shogi

import "trefoil/game"

// Moves appends the legal moves of a kind to l. All is every legal move. Noisy moves are the
// captures, and the promotions of pawns, bishops and rooks; Checks are the quiet moves that give
// check. All kinds but All leave out moves that could only be best to avoid mating by a pawn drop:
// pawn, bishop and rook moves that decline a promotion, and unpromoted lance moves to the last rank
// but one.
func (p *Position) Moves(kind game.Kind, l *game.List) {
	if kind == game.Checks {
		p.checksOf(l, game.Quiet)
		return
	}
	g := p.generator(kind, l)
	if p.checkers.Any() {
		g.evasions()
		return
	}
	g.kingMoves(g.targets())
	g.pieceMoves(g.colours[g.us&1], whole)
	if kind != game.Noisy {
		g.drops(whole.Without(g.occ))
	}
}

// Checks appends all legal moves that give check to l, whatever their kind.
func (p *Position) Checks(l *game.List) { p.checksOf(l, game.All) }

// generator is what the parts of a generator share.
type generator struct {
	*Position
	l          *game.List
	kind       game.Kind
	us         Colour
	king       Square
	occ, enemy Bitboard
	pinned     Bitboard // own pieces that must stay on their line with the king
}

func (p *Position) generator(kind game.Kind, l *game.List) generator {
	us := p.side
	king := p.kings[us&1]
	return generator{
		Position: p, l: l, kind: kind, us: us, king: king,
		occ: p.Occupied(), enemy: p.colours[us&1^1],
		pinned: p.blockers(king, us^1).And(p.colours[us&1]),
	}
}

// targets returns where moves of the wanted kind end that do not promote.
func (g *generator) targets() Bitboard {
	switch g.kind {
	case game.Noisy:
		return g.enemy
	case game.Quiet:
		return whole.Without(g.occ)
	}
	return whole.Without(g.colours[g.us&1])
}

// evasions adds the moves that end the check: the king's, and if one piece gives
// it, its capture and what can be put between.
func (g *generator) evasions() {
	g.kingMoves(g.targets())
	if g.checkers.Many() {
		return
	}
	checker := g.checkers.First()
	gap := Between(g.king, checker)
	safe := gap.Or(checker.Bit())
	if helpers := g.helpers(safe); helpers.Any() {
		g.pieceMoves(helpers, safe)
	}
	if g.kind != game.Noisy && gap.Any() {
		g.drops(gap)
	}
}

// kingMoves adds the king's steps to targets.
func (g *generator) kingMoves(targets Bitboard) {
	occ := g.occ.Without(g.king.Bit())
	m := game.Move(g.king)<<7 | game.Move(g.board[g.king&127])<<16
	for b := around[0][g.king&127].king.And(targets); b.Any(); {
		var to Square
		if to, b = b.Next(); !g.Attacked(to, occ, g.us^1) {
			g.l.Add(m | game.Move(to) | g.victim(to))
		}
	}
}

// pieceMoves adds the moves of some pieces, but the king, to squares in safe.
func (g *generator) pieceMoves(own, safe Bitboard) {
	us := g.us
	safe = safe.Without(g.colours[us&1])
	pawns := own.And(g.kinds[Pawn])
	g.pawnMoves(pawns.Without(g.pinned), safe)
	for b := own.Without(pawns).Without(g.king.Bit()).Without(g.pinned); b.Any(); {
		var from Square
		from, b = b.Next()
		k := KindOf(g.At(from))
		g.add(from, k, Attacks(us, k, from, g.occ).And(safe))
	}
	for b := own.And(g.pinned); b.Any(); {
		var from Square
		from, b = b.Next()
		k := KindOf(g.At(from))
		g.add(from, k, Attacks(us, k, from, g.occ).And(safe).And(Line(g.king, from)))
	}
}

// split returns the targets of a piece for the wanted kind of moves, promoting and not.
func (g *generator) split(from Square, k Kind, targets Bitboard) (promoting, plain Bitboard) {
	if k >= King || k == Gold {
		return Bitboard{}, targets.And(g.targets())
	}
	promoting = targets
	if !zone(g.us).Has(from) {
		promoting = targets.And(zone(g.us))
	}
	plain = targets.Without(dead(g.us, k))
	if g.kind == game.All {
		return promoting, plain
	}
	switch k {
	case Pawn, Bishop, Rook:
		plain = plain.Without(promoting).And(g.targets())
		if g.kind == game.Quiet {
			promoting = Bitboard{}
		}
		return promoting, plain
	case Lance:
		plain = plain.Without(dead(g.us, Knight))
	}
	return promoting.And(g.targets()), plain.And(g.targets())
}

// add adds the moves of the wanted kind of the piece on from to targets.
func (g *generator) add(from Square, k Kind, targets Bitboard) {
	promoting, plain := g.split(from, k, targets)
	g.list(from, promoting, plain)
}

// list adds the moves of the piece on from.
func (g *generator) list(from Square, promoting, plain Bitboard) {
	m := game.Move(from)<<7 | game.Move(g.board[from&127])<<16
	for promoting.Any() {
		var to Square
		to, promoting = promoting.Next()
		g.l.Add(m | game.Move(to) | g.victim(to) | promotes1)
	}
	for plain.Any() {
		var to Square
		to, plain = plain.Next()
		g.l.Add(m | game.Move(to) | g.victim(to))
	}
}

// promotes1 marks a move as a promotion, in its Move16 and beside it.
var promotes1 = game.NewMove(promotion.Move16(), 0, 0, true)

// pawnMoves adds the moves of the wanted kind of some pawns to targets.
func (g *generator) pawnMoves(pawns, targets Bitboard) {
	targets = pawns.ahead(g.us).And(targets)
	promoting := targets.And(zone(g.us))
	var plain Bitboard
	switch g.kind {
	case game.All:
		plain = targets.Without(dead(g.us, Pawn))
	case game.Noisy:
		plain = targets.Without(promoting).And(g.enemy)
	default:
		plain = targets.Without(promoting).Without(g.enemy)
		promoting = Bitboard{}
	}
	back := Square(1)
	if g.us == White {
		back = -1
	}
	m := game.Move(Code(g.us, Pawn)) << 16
	for promoting.Any() {
		var to Square
		to, promoting = promoting.Next()
		g.l.Add(m | game.Move(to) | game.Move(to+back)<<7 | g.victim(to) | promotes1)
	}
	for plain.Any() {
		var to Square
		to, plain = plain.Next()
		g.l.Add(m | game.Move(to) | game.Move(to+back)<<7 | g.victim(to))
	}
}

// victim returns the piece on s as the victim of a move.
func (p *Position) victim(s Square) game.Move { return game.Move(p.board[s&127]) << 21 }
