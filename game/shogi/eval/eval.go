// Package eval is the hand-written evaluation of shogi: a static value of a
// position in centipawns, symmetric between the colours, and a table that explains
// it.
//
// It is a sum of features of the board and the hands, each times a weight
// (Weights, in weights.go), and of the danger to both kings:
//
//	Score of all terms ──── calm and hot halves ──────┐
//	Danger of each king ──┬─ hot halves: how hot ─────┴─ taper ──┐
//	                      └─ calm halves: square of each ────────┴─ value
//
// The danger to a king grows with the pieces that attack the squares around it, with
// squares that no other piece defends, and with what the attacker has to drop; it counts by
// its square, and the heat of both kings tapers all other terms.
//
// An Evaluator belongs to one worker and needs no lock. Every position is evaluated
// from scratch; nothing is allocated.
package eval

import (
	"unsafe"

	"trefoil/game/shogi"
)

// Evaluator evaluates positions by one set of weights. It is not safe for
// concurrent use.
type Evaluator struct {
	w         Weights
	place     [32][81]Score        // material and rank bonus, by piece code and square
	near      [16][cells + 1]Score // by kind and cell around the enemy king
	guard     [16][cells + 1]Score // … around the own king
	terms     [termCount][2]Score
	sides     [2]side
	evaluated uint64 // the key of the position evaluated last
}

// side is the state of the current evaluation for one colour.
type side struct {
	king      shogi.Square
	ring      shogi.Bitboard // the squares beside the king
	all, two  shogi.Bitboard // attacked, attacked twice; the king's own attacks left out
	assault   Score          // of this side on the enemy king: attackers and hits
	defenders int            // golds and silvers within two steps of the king
}

// The terms of the sum, as Explain shows them.
const (
	termPieces = iota
	termHand
	termNear
	termGuard
	termMobility
	termKing
	termTargets
	termCount
)

// Limit is the largest value that Evaluate returns, far from the values of mates.
const Limit = 20000

// Hottest is the sum of the heats of both kings at which only the hot halves count.
const Hottest = 1400

// DangerSquare turns a danger into centipawns: d²/DangerSquare, at most MaxDanger.
const (
	DangerSquare = 1024
	MaxDanger    = 2500
)

// New makes an Evaluator with the weights of this package.
func New() *Evaluator { return NewWith(&tuned) }

// Bytes returns how much memory e takes.
func (e *Evaluator) Bytes() uint64 { return uint64(unsafe.Sizeof(*e)) }

// NewWith makes an Evaluator with weights of the caller's.
func NewWith(w *Weights) *Evaluator {
	e := &Evaluator{w: *w}
	ranks, near, guard := w.ranks(), w.Near.tables(), w.Guard.tables()
	for k, m := range w.Material {
		kind := shogi.Kind(k)
		if near[k] != nil {
			copy(e.near[k][:], near[k][:])
			copy(e.guard[k][:], guard[k][:])
		}
		for s := range shogi.Nowhere {
			for c := shogi.Black; c <= shogi.White; c++ {
				v := &e.place[shogi.Code(c, kind)&31][s]
				*v = m
				if ranks[k] != nil {
					*v += ranks[k][rank(c, s)]
				}
			}
		}
	}
	return e
}

// Evaluate is the value of p in centipawns for the side to move, which must not be
// in check.
func (e *Evaluator) Evaluate(p *shogi.Position) int {
	s := e.Sum(p)
	v := s.Value()
	if p.Side() == int(shogi.White) {
		v = -v
	}
	return min(max(v, -Limit), Limit)
}

// Sum is the evaluation before its last steps, from Black's side: sums of weights,
// each times a number that depends on the position alone.
type Sum struct {
	Score  Score
	Danger [2]Score // of Black's and of White's king
}

// Value is the sum's value from Black's side.
func (s *Sum) Value() int {
	heat := s.Heat()
	v := (s.Score.Calm()*(Hottest-heat) + s.Score.Hot()*heat) / Hottest
	return v - cost(s.Danger[0]) + cost(s.Danger[1])
}

// Heat is how hot the position is, 0 to Hottest.
func (s *Sum) Heat() int {
	return min(max(s.Danger[0].Hot(), 0)+max(s.Danger[1].Hot(), 0), Hottest)
}

// cost is a danger in centipawns.
func cost(danger Score) int {
	d := max(danger.Calm(), 0)
	return min(d*d/DangerSquare, MaxDanger)
}

// Sum evaluates p as far as it is linear in the weights.
func (e *Evaluator) Sum(p *shogi.Position) (s Sum) {
	e.terms = [termCount][2]Score{}
	e.evaluated = p.Key()
	for c := shogi.Black; c <= shogi.White; c++ {
		k := p.King(c)
		e.sides[c&1] = side{king: k, ring: rings[0][k]}
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		e.pieces(p, c)
		e.hand(p, c)
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		e.targets(p, c)
		s.Danger[c&1] = e.danger(p, c)
	}
	for i := range e.terms {
		s.Score += e.terms[i][0] - e.terms[i][1]
	}
	if p.Side() == int(shogi.Black) {
		s.Score += e.w.Tempo
	} else {
		s.Score -= e.w.Tempo
	}
	return s
}

// pieces adds the value of the pieces of c by place and mobility, and records their attacks.
func (e *Evaluator) pieces(p *shogi.Position, c shogi.Colour) {
	us, them := &e.sides[c&1], &e.sides[c&1^1]
	occ, own := p.Occupied(), p.Colour(c)
	far := rings[1][them.king]
	toUs, toThem := &cell[c&1][us.king], &cell[c&1][them.king]
	var pieces, near, guard, mobility Score
	pawns := p.Pieces(c, shogi.Pawn)
	pawnPlace, pawnNear, pawnGuard := &e.place[shogi.Code(c, shogi.Pawn)&31], &e.near[shogi.Pawn], &e.guard[shogi.Pawn]
	for b := pawns; b.Any(); {
		var s shogi.Square
		s, b = b.Next()
		pieces += pawnPlace[s]
		near += pawnNear[toThem[s]]
		guard += pawnGuard[toUs[s]]
	}
	// No two pawns attack the same square.
	all := shogi.PawnAttacks(c, pawns)
	hits, afar := all.And(them.ring).Count(), all.And(far).Count()
	assault := e.w.Danger.Attacker[shogi.Pawn].times(hits)
	var two shogi.Bitboard
	for b := own.Without(pawns).Without(us.king.Bit()); b.Any(); {
		var s shogi.Square
		s, b = b.Next()
		code := p.At(s)
		k := shogi.KindOf(code) & 15
		pieces += e.place[code&31][s]
		near += e.near[k][toThem[s]]
		guard += e.guard[k][toUs[s]]
		a := shogi.Attacks(c, k, s, occ)
		two = two.Or(all.And(a))
		all = all.Or(a)
		switch k {
		case shogi.Bishop, shogi.Horse:
			mobility += e.w.BishopMobility.times(a.Without(own).Count())
		case shogi.Rook, shogi.Dragon:
			mobility += e.w.RookMobility.times(a.Without(own).Count())
		case shogi.Lance:
			mobility += e.w.LanceMobility.times(a.Without(own).Count())
		}
		if n := a.And(them.ring).Count(); n > 0 {
			assault += e.w.Danger.Attacker[k]
			hits += n
		}
		afar += a.And(far).Count()
	}
	us.all, us.two = all, two
	us.assault = assault + e.w.Danger.Hit.times(hits) + e.w.Danger.Far.times(afar)
	us.defenders = p.Kind(shogi.Gold).Or(p.Kind(shogi.Silver)).And(own).And(us.ring.Or(rings[1][us.king])).Count()
	e.terms[termPieces][c&1] = pieces
	e.terms[termNear][c&1] = near
	e.terms[termGuard][c&1] = guard
	e.terms[termMobility][c&1] = mobility
	if us.king != shogi.Nowhere {
		e.terms[termKing][c&1] = e.w.King[rank(c, us.king)][abs(us.king.File()-4)]
	}
}

// hand adds the value of the hand of c.
func (e *Evaluator) hand(p *shogi.Position, c shogi.Colour) {
	h := p.Hand(c)
	if h == 0 {
		return
	}
	for k := shogi.Pawn; k <= shogi.Rook; k++ {
		if n := h.Count(k); n > 0 {
			e.terms[termHand][c&1] += e.w.First[k&7] + e.w.Hand[k&7].times(n)
		}
	}
}

// targets adds the penalties for hanging pieces of c, attacked and defended at most by the king,
// and for pinned ones.
func (e *Evaluator) targets(p *shogi.Position, c shogi.Colour) {
	us, them := &e.sides[c&1], &e.sides[c&1^1]
	var sum Score
	for b := p.Colour(c).And(them.all).Without(us.all).Without(us.king.Bit()); b.Any(); {
		var s shogi.Square
		s, b = b.Next()
		sum += e.w.Hanging[shogi.KindOf(p.At(s))&15]
	}
	for b := p.Pinned(c); b.Any(); {
		var s shogi.Square
		s, b = b.Next()
		sum += e.w.Pinned[shogi.KindOf(p.At(s))&15]
	}
	e.terms[termTargets][c&1] = sum
}

// danger is the danger to the king of c. Its calm half costs by its square, its hot half is the heat
// that tapers the other terms.
func (e *Evaluator) danger(p *shogi.Position, c shogi.Colour) Score {
	us, them := &e.sides[c&1], &e.sides[c&1^1]
	if us.king == shogi.Nowhere {
		return 0
	}
	w := &e.w.Danger
	weak := us.ring.And(them.all).Without(us.all)
	escapes := us.ring.Without(them.all).Without(p.Colour(c))
	sum := w.Base + them.assault +
		w.Weak.times(weak.Count()) + w.WeakTwice.times(weak.And(them.two).Count()) +
		w.Outer.times(them.all.And(rings[2][us.king]).Count()) +
		w.Defender.times(us.defenders) + w.Escape.times(escapes.Count()) +
		w.Defended.times(us.ring.And(us.all).Count()) + w.DefendedTwice.times(us.ring.And(us.two).Count()) +
		w.FarDefended.times(us.all.And(rings[1][us.king]).Count())
	h := p.Hand(c.Other())
	if h.Has(shogi.Gold) || h.Has(shogi.Silver) {
		sum += w.WeakDrop.times(weak.Without(p.Occupied()).Count())
	}
	for k := shogi.Pawn; h != 0 && k <= shogi.Rook; k++ {
		if n := h.Count(k); n > 0 {
			sum += w.Hand[k&7] + w.More[k&7].times(n-1)
		}
	}
	return sum
}
