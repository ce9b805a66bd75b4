package shogi

import "trefoil/game"

// checksOf appends the legal moves of a kind, All or Quiet, that give check to l.
func (p *Position) checksOf(l *game.List, kind game.Kind) {
	us := p.side
	enemy := p.kings[us&1^1]
	if enemy == Nowhere {
		return
	}
	g := p.generator(kind, l)
	own := p.colours[us&1]
	discoverers := p.blockers(enemy, us).And(own)
	if discoverers.Has(g.king) {
		g.kingMoves(g.targets().Without(Line(enemy, g.king)))
	}
	if p.checkers.Many() {
		return
	}
	safe := whole
	if p.checkers.Any() {
		checker := p.checkers.First()
		safe = Between(g.king, checker).Or(checker.Bit())
	}
	r := p.reach(enemy, us, g.occ)
	safe = safe.Without(own)
	for b := p.CheckCandidates(enemy, us).Or(discoverers).And(own).Without(g.king.Bit()); b.Any(); {
		var from Square
		from, b = b.Next()
		k := KindOf(g.At(from))
		targets := Attacks(us, k, from, g.occ).And(safe)
		if !discoverers.Has(from) && !targets.Meets(r[k&15].Or(r[(k|promoted)&15])) {
			continue
		}
		if g.pinned.Has(from) {
			targets = targets.And(Line(g.king, from))
		}
		promoting, plain := g.split(from, k, targets)
		var uncovered Bitboard
		if discoverers.Has(from) {
			uncovered = whole.Without(Line(enemy, from))
		}
		g.list(from,
			promoting.And(r[(k|promoted)&15].Or(uncovered)),
			plain.And(r[k&15].Or(uncovered)))
	}
	g.dropChecks(&r, safe.Without(g.occ))
}

// near are the squares from which a pawn, lance, knight, silver or gold of a colour may give
// check to a king on a square with its next move.
var near [2][Nowhere][Gold + 1]Bitboard

func init() {
	for c := Black; c <= White; c++ {
		for king := range Nowhere {
			r := new(Position).reach(king, c, Bitboard{})
			for k := range near[c][king] {
				goals := r[k].Or(r[Kind(k)|promoted])
				for from := range Nowhere {
					if Attacks(c, Kind(k), from, Bitboard{}).Meets(goals) {
						near[c][king][k] = near[c][king][k].Or(from.Bit())
					}
				}
			}
		}
	}
}

// CheckCandidates returns where pieces stand, of either colour, that may give check to a king on s
// with the next move of c.
func (p *Position) CheckCandidates(s Square, c Colour) Bitboard {
	n := &near[c&1][s]
	return n[Pawn].And(p.kinds[Pawn]).
		Or(n[Lance].And(p.kinds[Lance])).
		Or(n[Knight].And(p.kinds[Knight])).
		Or(n[Silver].And(p.kinds[Silver])).
		Or(n[Gold].And(p.kinds[golds])).
		Or(p.kinds[Bishop]).Or(p.kinds[Rook]).Or(p.kinds[Horse]).Or(p.kinds[Dragon])
}

// dropChecks adds the drops on targets that give check.
func (g *generator) dropChecks(r *[16]Bitboard, targets Bitboard) {
	hand := g.hands[g.us&1]
	if hand.Has(Pawn) && targets.Meets(r[Pawn]) {
		g.addDrops(Pawn, g.pawnDrops(targets.And(r[Pawn])))
	}
	for k := Lance; k <= Rook; k++ {
		if hand.Has(k) {
			g.addDrops(k, targets.And(r[k&15]).Without(dead(g.us, k)))
		}
	}
}

// reach returns, by kind, the squares from which a piece of us attacks a king on
// s when occ is occupied; a king never does.
func (p *Position) reach(s Square, us Colour, occ Bitboard) (r [16]Bitboard) {
	a := &around[us&1^1][s&127]
	diagonal, straight := BishopAttacks(s, occ), RookAttacks(s, occ)
	r[Pawn], r[Knight], r[Silver], r[Gold] = a.pawn, a.knight, a.silver, a.gold
	r[Lance] = straight.And(a.lance)
	r[Bishop], r[Rook] = diagonal, straight
	r[Horse], r[Dragon] = diagonal.Or(a.king), straight.Or(a.king)
	r[ProPawn], r[ProLance], r[ProKnight], r[ProSilver] = a.gold, a.gold, a.gold, a.gold
	return r
}

// GivesCheck reports whether the legal move m gives check.
func (p *Position) GivesCheck(m game.Move) bool {
	us := p.side
	enemy := p.kings[us&1^1]
	to := target(m)
	occ := p.Occupied().Or(to.Bit())
	if m&drop == 0 {
		from := origin(m)
		occ = occ.Without(from.Bit())
		if Line(enemy, from).Any() && p.uncovers(enemy, from, to, us) {
			return true
		}
	}
	return hits(us, KindOf(placed(m)), to, enemy, occ)
}

// uncovers reports whether a slider of us attacks the enemy king once a piece of
// us has moved away.
func (p *Position) uncovers(enemy, from, to Square, us Colour) bool {
	occ := p.Occupied().Without(from.Bit()).Or(to.Bit())
	for b := p.snipers(enemy, us).And(Line(enemy, from)).Without(from.Bit()); b.Any(); {
		var s Square
		if s, b = b.Next(); !Between(s, enemy).Meets(occ) {
			return true
		}
	}
	return false
}

// hits reports whether a piece of c attacks the enemy king from s when occ is occupied.
func hits(c Colour, k Kind, s, enemy Square, occ Bitboard) bool {
	a := &around[c&1][s&127]
	switch k {
	case Pawn:
		return a.pawn.Has(enemy)
	case Lance:
		return a.lance.Has(enemy) && !Between(s, enemy).Meets(occ)
	case Knight:
		return a.knight.Has(enemy)
	case Silver:
		return a.silver.Has(enemy)
	case Bishop:
		return a.bishop.Has(enemy) && !Between(s, enemy).Meets(occ)
	case Rook:
		return a.rook.Has(enemy) && !Between(s, enemy).Meets(occ)
	case King:
		return false
	case Horse:
		return a.king.Has(enemy) || a.bishop.Has(enemy) && !Between(s, enemy).Meets(occ)
	case Dragon:
		return a.king.Has(enemy) || a.rook.Has(enemy) && !Between(s, enemy).Meets(occ)
	}
	return a.gold.Has(enemy)
}
