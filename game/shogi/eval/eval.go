// Package eval is the hand-written evaluation of shogi: a static value of a
// position in centipawns, symmetric between the colours, and a table that explains
// it.
//
// It is a sum of things seen on the board and in the hands, each times a weight
// (Weights, in weights.go), and of the danger to both kings:
//
//	Score of all terms ── calm and hot halves ──┐
//	Danger of each king ──┬── sum: how hot ─────┴─ taper ──┐
//	                      └── square of each ──────────────┴─ value
//
// The danger to a king grows with the pieces that attack the squares around it, with
// squares nobody else defends, and with what the attacker has to drop; it counts by
// its square, and the sum of both tapers all other terms.
//
// An Evaluator belongs to one worker and needs no lock. Every position is evaluated
// from scratch; nothing is allocated.
package eval

import "trefoil/game/shogi"

// Evaluator evaluates positions by one set of weights. It is not safe for
// concurrent use.
type Evaluator struct {
	w     Weights
	place [32][81]Score // by rank; by piece code and square
	terms [termCount][2]Score
	sides [2]side
}

// side is what is known of one colour in the position at hand.
type side struct {
	king     shogi.Square
	ring     shogi.Bitboard // the squares beside the king
	all, two shogi.Bitboard // attacked, attacked twice; the king's own attacks left out
	assault  int            // of this side on the enemy king: attackers and hits
	keepers  int            // golds and silvers within two steps of the king
}

// The terms of the sum, as Explain shows them.
const (
	termMaterial = iota
	termHand
	termPlace
	termMobility
	termCastle
	termCount
)

// Limit is the largest value that Evaluate returns, far from those of mates.
const Limit = 20000

// hottest is the sum of dangers at which only the hot halves count.
const hottest = 1400

// dangerSquare turns a danger into centipawns: d²/dangerSquare, at most worst.
const (
	dangerSquare = 1024
	worst        = 2500
)

// New makes an Evaluator with the weights of this package.
func New() *Evaluator { return NewWith(&byHand) }

// NewWith makes an Evaluator with weights of the caller's.
func NewWith(w *Weights) *Evaluator {
	e := &Evaluator{w: *w}
	ranks := map[shogi.Kind]*[9]Score{
		shogi.Pawn: &w.Pawn, shogi.Lance: &w.Lance, shogi.Knight: &w.Knight, shogi.Silver: &w.Silver, shogi.Gold: &w.Gold,
	}
	for k, byRank := range ranks {
		for s := range shogi.Nowhere {
			for c := shogi.Black; c <= shogi.White; c++ {
				e.place[shogi.Code(c, k)][s] = byRank[rank(c, s)]
			}
		}
	}
	return e
}

// Evaluate is the value of p in centipawns for the side to move, which must not be
// in check.
func (e *Evaluator) Evaluate(p *shogi.Position) int {
	score, danger := e.sum(p)
	v := taper(score, danger)
	if p.Side() == int(shogi.White) {
		v = -v
	}
	return min(max(v, -Limit), Limit)
}

// taper turns the sum of the terms and the dangers to both kings into a value, all
// from Black's side.
func taper(score Score, danger [2]int) int {
	heat := min(danger[0]+danger[1], hottest)
	v := (score.Calm()*(hottest-heat) + score.Hot()*heat) / hottest
	return v - cost(danger[0]) + cost(danger[1])
}

// cost is what a danger is worth.
func cost(danger int) int { return min(danger*danger/dangerSquare, worst) }

// sum evaluates p from Black's side: the terms, and the danger to either king, at
// least 0.
func (e *Evaluator) sum(p *shogi.Position) (score Score, danger [2]int) {
	e.terms = [termCount][2]Score{}
	for c := shogi.Black; c <= shogi.White; c++ {
		k := p.King(c)
		e.sides[c&1] = side{king: k, ring: shogi.Attacks(c, shogi.King, k, p.Occupied())}
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		e.pieces(p, c)
		e.hand(p, c)
		e.castle(p, c)
	}
	for i := range e.terms {
		score += e.terms[i][0] - e.terms[i][1]
	}
	if p.Side() == int(shogi.Black) {
		score += e.w.Tempo
	} else {
		score -= e.w.Tempo
	}
	return score, [2]int{e.danger(p, shogi.Black), e.danger(p, shogi.White)}
}

// pieces adds what the pieces of c but the king are worth, and what they attack.
func (e *Evaluator) pieces(p *shogi.Position, c shogi.Colour) {
	us, them := &e.sides[c&1], &e.sides[c&1^1]
	occ, own := p.Occupied(), p.Colour(c)
	far := beyond[them.king]
	var material, place, mobility Score
	for b := own.Without(us.king.Bit()); b.Any(); {
		var s shogi.Square
		s, b = b.Next()
		code := p.At(s)
		k := shogi.KindOf(code) & 15
		material += e.w.Material[k]
		place += e.place[code&31][s]
		place += e.w.Near[k].times(nearness(them.king, s)) + e.w.Guard[k].times(nearness(us.king, s))
		if (k == shogi.Gold || k == shogi.Silver) && distances[us.king][s] <= 2 {
			us.keepers++
		}
		a := shogi.Attacks(c, k, s, occ)
		us.two = us.two.Or(us.all.And(a))
		us.all = us.all.Or(a)
		switch k {
		case shogi.Bishop, shogi.Horse:
			mobility += e.w.Bishop.times(a.Without(own).Count())
		case shogi.Rook, shogi.Dragon:
			mobility += e.w.Rook.times(a.Without(own).Count())
		case shogi.Lance:
			mobility += e.w.Lane.times(a.Without(own).Count())
		}
		if a.Meets(them.ring) {
			us.assault += e.w.Danger.Attacker[k] + e.w.Danger.Hit*a.And(them.ring).Count()
		}
		if a.Meets(far) {
			us.assault += e.w.Danger.Far * a.And(far).Count()
		}
	}
	e.terms[termMaterial][c&1] = material
	e.terms[termPlace][c&1] = place
	e.terms[termMobility][c&1] = mobility
}

// hand adds what c has in hand.
func (e *Evaluator) hand(p *shogi.Position, c shogi.Colour) {
	h := p.Hand(c)
	if h == 0 {
		return
	}
	for k := shogi.Pawn; k <= shogi.Rook; k++ {
		if n := h.Count(k); n > 0 {
			e.terms[termHand][c&1] += e.w.Hand[k&7].times(n)
		}
	}
}

// castle adds where the king of c stands and what stands around it.
func (e *Evaluator) castle(p *shogi.Position, c shogi.Colour) {
	us := &e.sides[c&1]
	if us.king == shogi.Nowhere {
		return
	}
	at := rank(c, us.king)
	sum := e.w.Castle[at] + e.w.Wing[abs(us.king.File()-4)]
	for b := us.ring.And(p.Of(c, shogi.Gold)); b.Any(); {
		var s shogi.Square
		s, b = b.Next()
		sum += e.w.GoldBeside[1+at-rank(c, s)]
	}
	for b := us.ring.And(p.Of(c, shogi.Silver)); b.Any(); {
		var s shogi.Square
		s, b = b.Next()
		sum += e.w.SilverBeside[1+at-rank(c, s)]
	}
	if shogi.Attacks(c, shogi.Pawn, us.king, p.Occupied()).Meets(p.Of(c, shogi.Pawn)) {
		sum += e.w.Roof
	}
	e.terms[termCastle][c&1] = sum
}

// danger is the danger to the king of c, at least 0.
func (e *Evaluator) danger(p *shogi.Position, c shogi.Colour) int {
	us, them := &e.sides[c&1], &e.sides[c&1^1]
	if us.king == shogi.Nowhere {
		return 0
	}
	w := &e.w.Danger
	weak := us.ring.And(them.all).Without(us.all)
	flights := us.ring.Without(them.all).Without(p.Colour(c))
	sum := w.Base + them.assault +
		w.Hole*weak.Count() + w.Twice*weak.And(them.two).Count() +
		w.Keeper*us.keepers + w.Flight*flights.Count()
	h := p.Hand(c.Other())
	for k := shogi.Pawn; h != 0 && k <= shogi.Rook; k++ {
		if n := h.Count(k); n > 0 {
			sum += w.Hand[k&7] + w.More[k&7]*(n-1)
		}
	}
	return max(sum, 0)
}
