package eval

import (
	"math/bits"

	"trefoil/game/chess"
)

// pawnEntry is an entry of the pawn hash table: all terms of pawns and kings alone, by colour. It
// is one cache line.
type pawnEntry struct {
	key         uint64
	passed      bitboard    // the passed pawns of both sides
	span        [2]bitboard // squares that pawns attack now or may come to attack
	pawns       [2]Score    // their places and structure
	passedScore [2]Score
	king        [2]Score // its place and shelter
	danger      [2]Score // the shelter's part in the danger to the king
}

// probe returns the entry of p's pawns and kings, and fills it on a miss.
func (e *Evaluator) probe(p *chess.Position) *pawnEntry {
	kings := uint64(e.sides[0].king)<<6 | uint64(e.sides[1].king) | 1<<12
	key := p.PawnKey() ^ kings*0x9e3779b97f4a7c15
	n := &e.table[key>>32&uint64(len(e.table)-1)]
	if n.key == key {
		return n
	}
	n.key, n.passed = key, 0
	for c := chess.White; c <= chess.Black; c++ {
		e.pawns(p, c, n)
		e.shelter(p, c, n)
	}
	return n
}

// pawns fills n with the value of the pawns of c.
func (e *Evaluator) pawns(p *chess.Position, c colour, n *pawnEntry) {
	us, them := p.Pieces(c, chess.Pawn), p.Pieces(c.Other(), chess.Pawn)
	orient, span := e.sides[c&1].orient, e.sides[c&1].att[chess.Pawn]
	var sum, passed Score
	for b := us; b != 0; {
		s := b.Pop()
		m := &masks[c&1][s&63]
		span |= m.span
		sum += e.place[chess.Pawn][(int(s)^orient)&63] + e.structure(c, s, us, them)
		if us&m.front == 0 && them&m.passed == 0 {
			n.passed |= 1 << s
			passed += e.advance(c, s)
		}
	}
	n.span[c&1], n.pawns[c&1], n.passedScore[c&1] = span, sum, passed
}

// structure is the value of the pawn of c on s in the pawn structure.
func (e *Evaluator) structure(c colour, s square, us, them bitboard) (sum Score) {
	w, m, r := &e.w.Structure, &masks[c&1][s&63], rankOf(c, s)-1
	row := us & spread(1<<s)
	support := us & chess.PawnAttacks(c.Other(), s)
	lever := them & chess.PawnAttacks(c, s)
	open := them&m.front == 0

	if row != 0 {
		sum += w.Phalanx[r]
	}
	if support != 0 {
		sum += w.Supported[r].times(support.Count())
	}
	if lever != 0 {
		sum += w.Lever[r]
	}
	if support == 0 && us&masks[c&1^1][s&63].front != 0 {
		sum += w.Doubled
	}
	behind := us & m.support
	switch {
	case us&(m.span|m.support) == 0:
		sum += w.Isolated
		if open {
			sum += w.IsolatedOpen
		}
	case behind == 0 && lever == 0 && them&(chess.PawnAttacks(c, square(int(s)+8-16*int(c)))|forward(c, 1<<s)) != 0:
		sum += w.Backward
		if open {
			sum += w.BackwardOpen
		}
	}
	sentries := them & m.span
	if open && us&m.front == 0 && sentries != 0 && behind.Count() >= sentries.Count() {
		sum += w.Candidate[r]
	}
	return sum
}

// advance is the value of the passed pawn of c on s by its rank and the distances of the kings.
func (e *Evaluator) advance(c colour, s square) Score {
	w, r := &e.w.Passed, rankOf(c, s)-1
	us, them := e.both(c)
	stop := square(int(s) + 8 - 16*int(c))
	return w.Base[r] +
		w.OwnKing[r].times(min(distance(us.king, stop), 5)) +
		w.TheirKing[r].times(min(distance(them.king, stop), 5))
}

// shelter fills n with the value of the place of c's king and of the pawns in front of it.
func (e *Evaluator) shelter(p *chess.Position, c colour, n *pawnEntry) {
	k, orient := e.sides[c&1].king, e.sides[c&1].orient
	w, d := &e.w.Shelter, &e.w.Danger
	sum, danger := e.place[chess.King][(int(k)^orient)&63], d.Base

	// Pawns behind the king count neither as shelter nor as storm.
	row := rank1 << (k &^ 7)
	ahead := row | ^bitboard(0)<<(k&^7)
	if c == chess.Black {
		ahead = row | ^(^bitboard(0) << (k &^ 7))
	}
	us, them := p.Pieces(c, chess.Pawn)&ahead, p.Pieces(c.Other(), chess.Pawn)&ahead
	middle := min(max(int(k&7), 1), 6)
	for f := middle - 1; f <= middle+1; f++ {
		file := fileA << f
		own, their := backmost(c, us&file), backmost(c, them&file)
		edge := min(f, 7-f)
		sum += w.Own[edge][own]
		danger += d.OwnPawn[own] + d.Storm[their]
		if own != 0 && their == own+1 {
			sum += w.Blocked[their]
		} else {
			sum += w.Storm[edge][their]
		}
		if own|their == 0 {
			danger += d.OpenFile
		}
	}
	n.king[c&1], n.danger[c&1] = sum, danger
}

// backmost is the lowest rank of a pawn of b as c counts ranks, 0 if there is none
// (a pawn never stands on rank 0).
func backmost(c colour, b bitboard) int {
	switch {
	case b == 0:
		return 0
	case c == chess.White:
		return bits.TrailingZeros64(uint64(b)) >> 3
	}
	return bits.LeadingZeros64(uint64(b)) >> 3
}
