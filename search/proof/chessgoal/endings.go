package chessgoal

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"trefoil/game/chess"
	"trefoil/search/proof"
)

// An ending is a king and one or two pieces against a lone king. Retrograde analysis (Ströhlein 1970) finds
// in how many moves they mate. Once the lone king captures a piece, there is no mate.
//
// The board is mirrored so that the lone king stands on a1 to d4. An index is
//
//	21    18 17   12 11    6 5     0
//	┌───────┬───────┬───────┬───────┐
//	│ lone  │ king  │ first │ second│   squares; with one piece, without the last
//	└───────┴───────┴───────┴───────┘
type ending struct {
	kinds []chess.Kind // of the side that mates, the king first
	once  sync.Once
	moves []uint8 // of the side that mates, which is to move; 0: no mate
}

// endings are the endings with long mates.
var endings = [...]ending{
	{kinds: []chess.Kind{chess.King, chess.Queen}}, {kinds: []chess.Kind{chess.King, chess.Rook}},
	{kinds: []chess.Kind{chess.King, chess.Bishop, chess.Bishop}},
	{kinds: []chess.Kind{chess.King, chess.Bishop, chess.Knight}},
}

const (
	// illegal is in place of the moves to mate where the lone king could be captured, and in place of the
	// replies of the lone king if there is nothing to find out.
	illegal = 255
	mated   = 254 // in place of the replies of the lone king, once it is known to be lost
)

// men are the squares of the lone king and of the pieces of an ending, in the order of its kinds.
type men [4]chess.Square

// endingOf returns the ending of a position where the opponent of a side has only its king, and the squares;
// nil if there is none.
func endingOf(p *chess.Position, us chess.Colour) (*ending, men) {
	m, n := men{p.King(us.Other())}, 0
	if p.Colour(us.Other()).Many() || p.Colour(us).Count() >= len(m) || p.CastlingRooks(us) != 0 {
		return nil, m
	}
	var kinds [len(m) - 1]chess.Kind
	for _, k := range []chess.Kind{chess.King, chess.Queen, chess.Rook, chess.Bishop, chess.Knight, chess.Pawn} {
		for b := p.Pieces(us, k); b != 0; n++ {
			kinds[n], m[n+1] = k, b.Pop()
		}
	}
	for i := range endings {
		if e := &endings[i]; slices.Equal(e.kinds, kinds[:n]) {
			return e, m
		}
	}
	return nil, m
}

// Prepare waits until the ending that a search for mates in p needs is solved, if there is one. If ctx ends first, it
// is solved in the background.
func Prepare(ctx context.Context, p *chess.Position) {
	e, _ := endingOf(p, chess.White)
	if e == nil {
		e, _ = endingOf(p, chess.Black)
	}
	if e == nil {
		return
	}
	solved := make(chan struct{})
	go func() {
		e.once.Do(e.solve)
		close(solved)
	}()
	select {
	case <-solved:
	case <-ctx.Done():
	}
}

// mate returns in how many moves the side with the pieces, which is to move, mates; 0: not at all.
func (e *ending) mate(m men) int {
	e.once.Do(e.solve)
	return int(e.moves[e.index(m)])
}

// lost returns in how many moves the lone king, which is to move, is mated, or false if it is not.
func (e *ending) lost(m men) (moves int, ok bool) {
	attacked := e.attacked(m)
	to := chess.KingAttacks(m[0]) &^ attacked
	if to == 0 {
		return 0, attacked.Has(m[0])
	}
	if to&e.occupied(m) != 0 {
		return 0, false
	}
	for to != 0 {
		m[0] = to.Pop()
		n := e.mate(m)
		if n == 0 {
			return 0, false
		}
		moves = max(moves, n)
	}
	return moves, true
}

// index returns the index of a position.
func (e *ending) index(m men) int {
	var mirror chess.Square
	if m[0].File() > 3 {
		mirror = 7
	}
	if m[0].Rank() > 3 {
		mirror |= 56
	}
	lone := m[0] ^ mirror
	i := int(lone>>3<<2 | lone&3)
	for _, s := range m[1 : 1+len(e.kinds)] {
		i = i<<6 | int(s^mirror)
	}
	return i
}

// men returns the squares of an index.
func (e *ending) men(i int) (m men) {
	for k := len(e.kinds); k > 0; k-- {
		m[k] = chess.Square(i & 63)
		i >>= 6
	}
	m[0] = chess.Square(i>>2<<3 | i&3)
	return m
}

// solve fills in the moves to mate.
func (e *ending) solve() {
	e.moves = make([]uint8, 16<<(6*len(e.kinds)))
	replies := make([]uint8, len(e.moves)) // of the lone king that are not known to lose
	for i := range replies {
		m := e.men(i)
		if replies[i] = illegal; !e.apart(m) {
			continue
		}
		attacked := e.attacked(m)
		check, to := attacked.Has(m[0]), chess.KingAttacks(m[0])&^attacked
		if check {
			e.moves[i] = illegal
		}
		switch {
		case to&e.occupied(m) != 0: // a draw
		case to == 0 && check:
			replies[i] = mated
		default:
			replies[i] = uint8(to.Count())
		}
	}
	for n := uint8(1); bytes.IndexByte(replies, mated) >= 0; n++ {
		each(replies, mated, func(i int) {
			replies[i] = illegal
			e.attackersBefore(i, n)
		})
		each(e.moves, n, func(i int) { e.kingsBefore(i, replies) })
	}
}

// each calls do for the indices of a value, which do does not add.
func each(list []uint8, value uint8, do func(i int)) {
	for from := 0; ; {
		i := bytes.IndexByte(list[from:], value)
		if i < 0 {
			return
		}
		do(from + i)
		from += i + 1
	}
}

// attackersBefore notes that the positions from which the side with the pieces can move to position i, where
// the lone king is lost, are mates in n moves, unless they are shorter mates.
func (e *ending) attackersBefore(i int, n uint8) {
	at := e.men(i)
	occupied := e.occupied(at) | at[0].Bit()
	for k, kind := range e.kinds {
		from := attacks(kind, at[k+1], occupied) &^ occupied
		if kind == chess.King {
			from &^= chess.KingAttacks(at[0])
		}
		for m := at; from != 0; {
			m[k+1] = from.Pop()
			if j := e.index(m); e.moves[j] == 0 {
				e.moves[j] = n
			}
		}
	}
}

// kingsBefore notes that a move of the lone king to position i loses. Where no other is left, it is lost.
func (e *ending) kingsBefore(i int, replies []uint8) {
	m := e.men(i)
	for from := chess.KingAttacks(m[0]) &^ e.occupied(m) &^ chess.KingAttacks(m[1]); from != 0; {
		m[0] = from.Pop()
		j := e.index(m)
		if replies[j] == illegal {
			continue
		}
		if replies[j]--; replies[j] == 0 {
			replies[j] = mated
		}
	}
}

// occupied returns the squares of the side with the pieces.
func (e *ending) occupied(m men) (b chess.Bitboard) {
	for _, s := range m[1 : 1+len(e.kinds)] {
		b |= s.Bit()
	}
	return b
}

// apart reports whether no square is taken twice, and the kings are not next to each other.
func (e *ending) apart(m men) bool {
	return (e.occupied(m)|m[0].Bit()).Count() == 1+len(e.kinds) && !chess.KingAttacks(m[1]).Has(m[0])
}

// attacked returns the squares that the side with the pieces attacks. Sliders see through the lone king.
func (e *ending) attacked(m men) (b chess.Bitboard) {
	occupied := e.occupied(m)
	for k, kind := range e.kinds {
		b |= attacks(kind, m[k+1], occupied)
	}
	return b
}

// attacks returns the squares that a piece on s attacks.
func attacks(k chess.Kind, s chess.Square, occupied chess.Bitboard) chess.Bitboard {
	switch k {
	case chess.King:
		return chess.KingAttacks(s)
	case chess.Knight:
		return chess.KnightAttacks(s)
	case chess.Bishop:
		return chess.BishopAttacks(s, occupied)
	case chess.Rook:
		return chess.RookAttacks(s, occupied)
	default:
		return chess.QueenAttacks(s, occupied)
	}
}

// solveEnding fills in the numbers of a position of the attacker in one of the endings, and reports whether it
// does. An ending of four pieces, which takes about a second, is solved only if the search begins in it. If the
// shortest mate comes too late for the fifty-move rule, so do all others.
func (g *Goal) solveEnding(s *proof.Child) bool {
	e, m := endingOf(g.p, g.attacker)
	if e == nil || e != g.ending && len(e.kinds) > 2 {
		return false
	}
	n := e.mate(m)
	switch {
	case n == 0 || n > g.left || n > 1 && g.p.Rule50()+2*n-1 > 100:
		s.Lose()
	case g.restricted() || g.repeatable():
		return false
	default:
		s.Win()
		s.Plies = uint16(2*n - 1)
	}
	return true
}

// endingMove returns the move that mates soonest, in more than one move, where solveEnding finds a mate.
func (g *Goal) endingMove() (next proof.Child, ok bool) {
	var here proof.Child
	if !g.solveEnding(&here) || here.Phi != 0 || here.Plies == 1 {
		return next, false
	}
	for _, m := range g.moves.All() {
		g.Make(m)
		e, squares := endingOf(g.p, g.attacker)
		n, lost := e.lost(squares)
		next = proof.Child{Key: g.Key(), Move: m, Plies: uint16(2 * n)}
		g.Undo()
		if lost && next.Plies == here.Plies-1 {
			next.Lose()
			return next, true
		}
	}
	return next, false
}
