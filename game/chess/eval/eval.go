// Package eval is the hand-written evaluation of chess: a static value of a
// position in centipawns, symmetric between the colours, and a table that
// explains it.
//
// It is a sum of terms, each a count of features of the board times a
// weight (Weights, filled in weights.go), followed by a few steps that are not
// linear:
//
//	Score of all terms ──┬─ minus the square of each king's Danger ─┐
//	                     └──────────── endgame ± Winnable ──────────┴─ taper by phase, scale,
//	                                                                   fade with the fifty-move count
//
// Endings of a lone king have a value of their own instead, which does not fade.
//
// An Evaluator belongs to one worker. It keeps what it finds about pawns and
// kings in a table of its own, needs no lock, and allocates only when made.
package eval

import (
	"unsafe"

	"trefoil/game/chess"
)

// Evaluator evaluates positions by one set of weights. It is not safe for
// concurrent use.
type Evaluator struct {
	w     Weights
	place [6][64]Score // material and square, by kind
	table []pawnEntry
	terms [termCount][2]Score

	board
}

// board is the state of the current evaluation.
type board struct {
	entry *pawnEntry
	occ   bitboard
	sides [2]side
}

// side is its part for one colour.
type side struct {
	king   square
	orient int         // XORed with a square to find its place in a table
	att    [6]bitboard // attacks by kind
	all    bitboard    // attacked at all
	two    bitboard    // attacked twice
	area   bitboard    // squares that count as mobility
	zone   bitboard    // around the king
	pinned bitboard    // single pieces between the king and an enemy slider
	hits   int         // enemy pieces that attack the zone
	danger Score       // to the king
}

// both returns the sides of c and of its enemy.
func (b *board) both(c colour) (us, them *side) { return &b.sides[c&1], &b.sides[c&1^1] }

// The terms of the sum, as Explain shows them.
const (
	termPawns = iota
	termPassed
	termKing
	termPlace
	termMobility
	termPieces
	termThreats
	termSpace
	termCount
)

// entries is the number of pawn entries of a playing evaluator, a power of two.
const entries = 1 << 12

// New makes an Evaluator with the weights of this package.
func New() *Evaluator { return NewWith(&tuned, entries) }

// Bytes returns how much memory e takes.
func (e *Evaluator) Bytes() uint64 {
	return uint64(unsafe.Sizeof(*e) + uintptr(len(e.table))*unsafe.Sizeof(pawnEntry{}))
}

// NewWith makes an Evaluator with weights of the caller's and a pawn table of
// that many entries, a power of two.
func NewWith(w *Weights, entries int) *Evaluator {
	e := &Evaluator{w: *w, table: make([]pawnEntry, entries)}
	for kind, squares := range [5]*[64]Score{&w.Pawn, &w.Knight, &w.Bishop, &w.Rook, &w.Queen} {
		for i, s := range squares {
			e.place[kind][i] = w.Material[kind] + s
		}
	}
	for i, s := range w.King {
		e.place[chess.King][i>>2*8+4+i&3] = s
	}
	return e
}

// Evaluate is the value of p in centipawns for the side to move, which must not
// be in check.
func (e *Evaluator) Evaluate(p *chess.Position) int {
	v, known := ending(p)
	if !known {
		s := e.Sum(p)
		mg, eg := s.taper()
		mgScale, egScale := scales(p, eg)
		v = fade(p, (mg*s.Phase*mgScale/fullScale+eg*(fullPhase-s.Phase)*egScale/fullScale)/fullPhase)
	}
	return forSide(p, v)
}

// Adjust returns v, the value of p for the side to move by another evaluation, after the steps that do
// not depend on the terms: a known ending has its own value, all others are smaller if the better side lacks
// the means to win, and fade with the fifty-move count.
func Adjust(p *chess.Position, v int) int {
	v = min(max(v, -Limit), Limit)
	if p.Side() == int(chess.Black) {
		v = -v
	}
	if value, known := ending(p); known {
		v = value
	} else {
		if scale, drawish := lacksMeans(p, favoured(v)); drawish {
			v = v * scale / fullScale
		}
		v = fade(p, v)
	}
	return forSide(p, v)
}

// forSide turns a value from White's view into the value that Evaluate returns, for the side to move.
func forSide(p *chess.Position, v int) int {
	if p.Side() == int(chess.Black) {
		v = -v
	}
	return min(max(v, -Limit), Limit)
}

// fade returns what is left of a value by the fifty-move count. Known endings do not fade: progress to the
// mate is worth less than a few plies of fading, and the table would have better values of earlier moves,
// which had a lower count, than any move leads to.
func fade(p *chess.Position, v int) int { return v * max(fadeFrom-p.Rule50(), 0) / fadeFrom }

// Limit is the largest value that Evaluate and Adjust return, far from the values of mates.
const Limit = 20000

// fadeFrom is the number of reversible plies at which the value has faded to 0. The fifty-move rule comes first, but a
// FEN, or a game in which no draw is claimed, may be beyond them.
const fadeFrom = 220

// Sum is the evaluation before its last steps, from White's side.
type Sum struct {
	Score    Score
	Danger   [2]Score // of the white and the black king
	Winnable Score
	Phase    int // 0 only kings and pawns, 24 all pieces
}

const fullPhase = 24

// taper is the Sum's middlegame and endgame value after its steps that are not
// linear.
func (s *Sum) taper() (mg, eg int) {
	mg, eg = s.Score.MG(), s.Score.EG()
	for c, sign := range [2]int{-1, 1} {
		d := max(s.Danger[c].MG(), 0)
		mg += sign * d * d / DangerSquare
		eg += sign * max(s.Danger[c].EG(), 0) / DangerEndgame
	}
	switch w := s.Winnable.EG(); {
	case eg > 0:
		eg += max(w, -eg)
	case eg < 0:
		eg -= max(w, eg)
	}
	return mg, eg
}

// The divisors that turn a sum of Danger into centipawns: d²/DangerSquare in the middlegame,
// d/DangerEndgame in the endgame.
const (
	DangerSquare  = 1024
	DangerEndgame = 8
)

// Sum evaluates p as far as it is linear: Score, Danger and Winnable are sums
// of weights, each times a number that depends on p alone.
func (e *Evaluator) Sum(p *chess.Position) Sum {
	e.prepare(p)
	phase := 0
	for c := chess.White; c <= chess.Black; c++ {
		phase += e.pieces(p, c)
	}
	s := Sum{Phase: min(phase, fullPhase)}
	for c := chess.White; c <= chess.Black; c++ {
		e.terms[termPassed][c&1] = e.entry.passedScore[c&1] + e.passed(p, c)
		e.terms[termThreats][c&1] = e.threats(p, c)
		e.terms[termSpace][c&1] = e.space(p, c)
		s.Danger[c&1] = e.kingDanger(p, c)
	}
	for i := range e.terms {
		s.Score += e.terms[i][0] - e.terms[i][1]
	}
	if p.Side() == int(chess.White) {
		s.Score += e.w.Tempo
	} else {
		s.Score -= e.w.Tempo
	}
	s.Winnable = e.winnable(p)
	return s
}

// prepare fills the board with what pawns and kings alone decide.
func (e *Evaluator) prepare(p *chess.Position) {
	e.occ = p.Occupied()
	for c := chess.White; c <= chess.Black; c++ {
		k, us := p.King(c), &e.sides[c&1]
		us.king, us.orient = k, 56*(1-int(c))
		if k&4 == 0 {
			us.orient |= 7
		}
		pawns := p.Pieces(c, chess.Pawn)
		ahead := forward(c, pawns)
		left, right := ahead&^fileA>>1, ahead&^fileH<<1
		ring := chess.KingAttacks(k)
		us.att = [6]bitboard{chess.Pawn: left | right, chess.King: ring}
		us.all = left | right | ring
		us.two = left&right | (left|right)&ring
		us.zone = rings[k&63]
		us.hits = 0
	}
	e.entry = e.probe(p)
	for c := chess.White; c <= chess.Black; c++ {
		us, them := e.both(c)
		us.danger = e.entry.danger[c&1]
		e.terms[termPawns][c&1] = e.entry.pawns[c&1]
		e.terms[termKing][c&1] = e.entry.king[c&1]
		pawns, back := p.Pieces(c, chess.Pawn), bitboard(0x00ffff)
		if c == chess.Black {
			back = 0xffff << 48
		}
		blocked := pawns & (forward(c.Other(), e.occ) | back)
		us.area = ^(blocked | p.Pieces(c, chess.King) | p.Pieces(c, chess.Queen) | them.att[chess.Pawn])
		us.pinned = e.inLine(p, us.king, c.Other())
	}
}

// inLine are the pieces that stand alone between k and a slider of them.
func (e *Evaluator) inLine(p *chess.Position, k square, them colour) (pinned bitboard) {
	queens := p.Pieces(them, chess.Queen)
	snipers := chess.RookAttacks(k, 0)&(p.Pieces(them, chess.Rook)|queens) |
		chess.BishopAttacks(k, 0)&(p.Pieces(them, chess.Bishop)|queens)
	for snipers != 0 {
		if b := chess.Between(k, snipers.Pop()) & e.occ; !b.Many() {
			pinned |= b
		}
	}
	return pinned
}

// winnable is what makes the better side's endgame easier or harder to win.
func (e *Evaluator) winnable(p *chess.Position) Score {
	w := &e.w.Winnable
	pawns := p.Kind(chess.Pawn)
	s := w.Base + w.Pawns.times(pawns.Count()) + w.Passed.times(e.entry.passed.Count())
	if pawns&west != 0 && pawns&^west != 0 {
		s += w.Flanks
	}
	if pawns|p.Kind(chess.King) == e.occ {
		s += w.PawnEnding
	}
	a, b := int(e.sides[0].king), int(e.sides[1].king)
	return s + w.Outflank.times(abs(a&7-b&7)-abs(a>>3-b>>3))
}
