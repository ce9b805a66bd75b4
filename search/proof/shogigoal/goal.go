// Package shogigoal defines mates in shogi by checks only as goals of search/proof: keys, initial
// proof numbers, a cache of leaves, and dominance by hands (proof and disproof pieces).
package shogigoal

import (
	"slices"

	"trefoil/game"
	"trefoil/game/shogi"
	"trefoil/search/proof"
	"trefoil/zobrist"
)

// A Goal is that one side, the attacker, mates by checks only within a number of its moves. A
// failure within n moves says nothing about n+1, so the moves left are part of the key. So are the
// attacker, the pieces that there are in all (see hand.go), and the positions that have occurred three
// times already: a fourth occurrence ends the game without a mate, whichever side has given check.
//
// With a limit on the moves, repetitions below the root need no test. They do not help the
// attacker, which mates from the first occurrence at least as soon as from the second; and the
// defender cannot repeat a position against the shortest mate, as every move brings the mate nearer.
// So results do not depend on the path, and the graph of positions with moves left has no cycles.
// Without a limit the attacker fails where a board is repeated with no more pieces in hand, and
// Child.Loop marks that (graph-history interaction).
//
// A Goal belongs to one goroutine.
type Goal struct {
	p        *shogi.Position
	attacker shogi.Colour
	left     int         // moves that the attacker may still make, beyond MaxMoves: any number
	first    int         // plies before the position of New
	root     int         // plies before that where the search has begun
	thrice   []uint64    // keys of positions that have occurred three times
	tag      uint64      // key of thrice and, unless that is a full set, of the pieces that there are
	only     []game.Move // in the position of New, nil: all
	onlyTag  uint64      // key of only
	inEffect bool        // a mate in effect is a mate
	moves    game.List
	inner    game.List
	leaves   []leaf // the leaf cache; nil before its first use
}

// MaxMoves is the largest limit on the moves of a Goal. The longest problem known, Microcosmos, takes
// 763 moves of the attacker.
const MaxMoves = 800

// words are the key words of the goal, which are XORed with the key of the position.
var words struct {
	left     [MaxMoves + 2]uint64
	attacker [2]uint64
	inEffect uint64
}

func init() {
	src := zobrist.NewSource("trefoil shogi claim") // the text is part of all keys
	src.Fill(words.left[:])
	src.Fill(words.attacker[:])
	words.inEffect = src.Word()
}

// New returns the goal that a side mates within a number of its moves; more than MaxMoves is no
// limit. The position and its history are copied.
func New(p *shogi.Position, attacker shogi.Colour, moves int) *Goal {
	g := &Goal{p: p.Copy(), attacker: attacker, left: moves, first: p.Played(), root: p.Played()}
	if there := pieces(p); there != fullSet {
		g.tag = zobrist.Mix(uint64(there))
	}
	keys := append(make([]uint64, 0, p.Played()+1), p.Key())
	for i := range p.Played() {
		keys = append(keys, p.KeyAt(i))
	}
	slices.Sort(keys)
	for i := 2; i < len(keys); i++ {
		if key := keys[i]; key == keys[i-2] && !slices.Contains(g.thrice, key) {
			g.thrice = append(g.thrice, key)
			g.tag ^= zobrist.Mix(key)
		}
	}
	return g
}

// Attacker returns the side to move, or its opponent.
func Attacker(p *shogi.Position, opponent bool) shogi.Colour {
	side := shogi.Colour(p.Side())
	if opponent {
		return side.Other()
	}
	return side
}

// Only restricts the attacker in the position of New to these checks.
func (g *Goal) Only(checks []game.Move) {
	g.only, g.onlyTag = checks, 0
	for _, m := range checks {
		g.onlyTag ^= zobrist.Mix(uint64(m.Move16()))
	}
}

// InEffect leaves useless interpositions aside: a mate in effect (shogi.Position.MatedInEffect) is a mate.
func (g *Goal) InEffect() {
	g.inEffect = true
	g.tag ^= words.inEffect
}

// restricted reports whether only some checks are considered here.
func (g *Goal) restricted() bool { return g.only != nil && g.p.Played() == g.first }

// PositionKey returns the key of the position, whatever the moves left.
func (g *Goal) PositionKey() uint64 {
	if g.restricted() {
		return g.p.Key() ^ g.onlyTag
	}
	return g.p.Key()
}

// Clock returns 0: the game has no fifty-move rule.
func (g *Goal) Clock() int { return 0 }

// Left returns the number of moves that the attacker may still make.
func (g *Goal) Left() int { return g.left }

// SetLeft changes the number of moves that the attacker may still make.
func (g *Goal) SetLeft(moves int) { g.left = moves }

// Attacking reports whether the attacker is to move.
func (g *Goal) Attacking() bool { return g.p.Side() == int(g.attacker) }

// Key returns the key of position and goal.
func (g *Goal) Key() uint64 {
	return g.PositionKey() ^ g.keyOf(g.left)
}

// keyOf returns the part of a key that stands for the goal.
func (g *Goal) keyOf(left int) uint64 {
	return words.left[min(left, MaxMoves+1)] ^ words.attacker[g.attacker] ^ g.tag
}

// next is how many moves the attacker may still make after a move of the side to move.
func (g *Goal) next() int {
	if g.left <= MaxMoves && g.Attacking() {
		return g.left - 1
	}
	return g.left
}

// Make plays a move of Expand.
func (g *Goal) Make(m game.Move) {
	g.left = g.next()
	g.p.Make(m)
}

// Undo takes the last move back.
func (g *Goal) Undo() {
	g.p.Undo()
	if g.left <= MaxMoves && g.Attacking() {
		g.left++
	}
}

// Move16 returns the 16 bits of a move for the table.
func (g *Goal) Move16(m game.Move) uint16 { return m.Move16() }

// FromMove16 returns the legal move with these 16 bits, or None.
func (g *Goal) FromMove16(m16 uint16) game.Move {
	m, ok := g.p.FromMove16(m16)
	if !ok {
		return game.None
	}
	return m
}

// Text writes a move.
func (g *Goal) Text(m game.Move) string { return g.p.Text(m) }

// Drawn reports whether the game is over without a mate: no legal move though not in check, or a
// fourth occurrence of the position.
func (g *Goal) Drawn() bool {
	p := g.p
	return !p.InCheck() && p.MoveCount() == 0 || p.Occurrences() > 3
}

// Mated reports whether the side to move is mated.
func (g *Goal) Mated() bool {
	if g.inEffect {
		return g.p.MatedInEffect()
	}
	return g.p.Mated()
}

// drawn reports whether the position of a child, with left moves, has occurred three times before
// the root.
func (g *Goal) drawn(s *proof.Child, left int) bool {
	return len(g.thrice) > 0 && slices.Contains(g.thrice, s.Key^g.keyOf(left))
}

// repeats reports whether the board after the move of s, which has been made, occurred on the path
// with at least as much in the attacker's hand, so that the attacker has gained nothing. It sets
// s.Loop.
func (g *Goal) repeats(s *proof.Child) bool {
	p, board, hand := g.p, s.BoardKey^g.keyOf(g.left), g.p.Hand(g.attacker)
	for i := p.Played() - 3; i >= g.first; i -= 2 {
		if p.BoardKeyAt(i) == board && p.HandAt(i, g.attacker).Dominates(hand) {
			s.Loop = uint16(max(i-g.root+2, 1))
			return true
		}
	}
	return false
}

// setKeys fills in the keys of the present position, and what the attacker has in hand.
func (g *Goal) setKeys(s *proof.Child) {
	w := g.keyOf(g.left)
	s.Key, s.BoardKey, s.Hand = g.PositionKey()^w, g.p.BoardKey()^w, uint32(g.p.Hand(g.attacker))
	if g.restricted() {
		s.BoardKey = 0 // it is not compared with positions of all checks
	}
}

// setAllKeys is setKeys for the positions after the moves of to, which are not made.
func (g *Goal) setAllKeys(to []proof.Child, table proof.Prefetcher) {
	p := g.p
	w, hand := g.keyOf(g.next()), p.Hand(g.attacker)
	key, board := p.Key()^w, p.BoardKey()^w
	for i := range to {
		s := &to[i]
		onBoard, inHand := p.KeyChanges(s.Move)
		s.Key, s.BoardKey, s.Hand = key^onBoard^inHand, board^onBoard, uint32(hand)
		table.Prefetch(s.Key)
		if !g.Attacking() {
			continue
		}
		if shogi.IsDrop(s.Move) {
			s.Hand -= uint32(shogi.One(shogi.Dropped(s.Move)))
		} else if victim := s.Move.Victim(); victim != 0 {
			s.Hand += uint32(shogi.One(shogi.KindOf(victim).Plain()))
		}
	}
}

// mayRepeat reports whether the board after the move of s may have occurred on the path.
func (g *Goal) mayRepeat(s *proof.Child) bool {
	return g.left > MaxMoves && g.p.MayRepeat(s.BoardKey^g.keyOf(g.left))
}

// mostAdded keeps δ of mates of 1,500 plies below 2^30, where it would saturate, and hardly changes the δ
// of other mates. Microcosmos takes 8.3 to 9.6 million nodes with 100, 1,000, 10,000 or 100,000.
const mostAdded = 10_000

// defenderShare is the part of φ that all replies but the greatest add to δ, in 1/16. With 12, as for
// checks, 図巧 8 is not solved in 20 million nodes, with 8 it takes 13.7 million; the other problems of 図巧
// and 無双 take a seventh less.
const defenderShare = 8

// Sum implements proof.SumGoal.
func (g *Goal) Sum(attacking bool) proof.Sum {
	if attacking {
		return proof.Sum{Share: proof.DefaultSum.Share, Most: mostAdded}
	}
	return proof.Sum{Share: defenderShare}
}

// Limit returns the plies left, and the words by which the keys of the present position and of its children
// differ from their keys under a goal without a limit. Without a limit it returns zeros.
func (g *Goal) Limit() (plies int, word, childWord uint64) {
	if g.left > MaxMoves {
		return 0, 0, 0
	}
	plies = 2 * g.left
	if g.Attacking() {
		plies--
	}
	return plies, words.left[g.left] ^ words.left[MaxMoves+1], words.left[max(g.next(), 0)] ^ words.left[MaxMoves+1]
}

// PathKey returns the key of the path to the present position; 0 if the moves are limited, as no
// position is repeated then.
func (g *Goal) PathKey() uint64 {
	if g.left <= MaxMoves {
		return 0
	}
	key := g.Key()
	for i := g.first; i < g.p.Played(); i++ {
		key = zobrist.Mix(key) ^ g.p.KeyAt(i)
	}
	return zobrist.Mix(key) | 1
}

// SetRoot makes the present position the root of the search.
func (g *Goal) SetRoot() { g.root = g.p.Played() }

// Evaluate fills in what is known of the position without a search. For the defender's positions that
// is only whether they are solved.
func (g *Goal) Evaluate(s *proof.Child) {
	g.setKeys(s)
	if g.restricted() && g.left > 0 {
		s.Phi, s.Delta = 1, 1
		return
	}
	drawn := g.p.Occurrences() > 3 // not g.drawn: this may be the third time
	if g.Attacking() {
		g.evaluateAttack(s, drawn)
		return
	}
	switch n := g.p.MoveCount(); {
	case n == 0 && g.p.InCheck() || g.inEffect && g.p.MatedInEffect():
		s.Lose()
	case n == 0 || g.left == 0 || drawn:
		s.Win()
	default:
		s.Phi, s.Delta = 1, 1
	}
}

// Expand appends the moves that matter: of the attacker's checks one that mates, else all; of the
// defender's moves one after which the attacker fails, else all. A child that is in the table is
// not evaluated.
func (g *Goal) Expand(to []proof.Child, table proof.Prefetcher) []proof.Child {
	g.moves.Reset()
	from := len(to)
	prober, _ := table.(proof.Prober)
	if g.Attacking() {
		to = g.listAttacks(to)
		g.setAllKeys(to[from:], table)
		return g.attacks(to, from, prober)
	}
	if g.inEffect && g.p.MatedInEffect() {
		return to
	}
	to = g.listDefences(to)
	g.setAllKeys(to[from:], table)
	return g.defences(to, from, prober)
}

// listAttacks appends the checks, if any may be given.
func (g *Goal) listAttacks(to []proof.Child) []proof.Child {
	if g.left == 0 {
		return to
	}
	if g.restricted() {
		for _, m := range g.only {
			g.moves.Add(m)
		}
	} else {
		g.p.Checks(&g.moves)
	}
	pairPromotions(g.moves.All())
	last := game.None
	for _, m := range g.moves.All() {
		c := proof.Child{Move: m}
		if declines(m, last) {
			c.Delay = promotionWork
		}
		to = append(to, c)
		last = m
	}
	return to
}

// listDefences appends the defender's moves.
func (g *Goal) listDefences(to []proof.Child) []proof.Child {
	g.p.Moves(game.All, &g.moves)
	sortDrops(g.moves.All())
	last := game.None
	for _, m := range g.moves.All() {
		c := proof.Child{Move: m}
		if shogi.IsDrop(m) && shogi.IsDrop(last) && last.To() == m.To() {
			c.Delay = proof.UntilSolved
		}
		to = append(to, c)
		last = m
	}
	return to
}

// attacks is the rest of Expand for the attacker.
func (g *Goal) attacks(to []proof.Child, from int, prober proof.Prober) []proof.Child {
	left := g.next()
	for i := from; i < len(to); i++ {
		next := &to[i]
		repeated := g.mayRepeat(next)
		if !repeated && prober != nil && prober.Probe(next) {
			continue
		}
		if !repeated && g.cached(next) {
			continue
		}
		before := g.p.MakeBoard(next.Move)
		w := g.p.Evasions()
		mate := w.Count() == 0 || g.inEffect && w.Captures == 0 && g.p.MatedInEffect()
		switch {
		case mate:
			next.Hand = uint32(g.mateHand())
			next.Key, next.BoardKey = 0, 0
			next.Lose()
		case left == 0 || g.drawn(next, left) || repeated && g.repeats(next):
			next.Win()
		case repeated && prober != nil && prober.Probe(next):
		default:
			g.initDefence(next, &w)
			g.cache(next)
		}
		g.p.UndoBoard(before)
		if mate {
			to[from] = *next
			return to[:from+1]
		}
	}
	return to
}

// defences is the rest of Expand for the defender.
func (g *Goal) defences(to []proof.Child, from int, prober proof.Prober) []proof.Child {
	for i := from; i < len(to); i++ {
		next := &to[i]
		if prober != nil && prober.Probe(next) {
			continue
		}
		if !g.cached(next) {
			before := g.p.MakeBoard(next.Move)
			g.evaluateAttack(next, g.drawn(next, g.left))
			g.p.UndoBoard(before)
			g.cache(next)
		}
		if next.Delta == 0 {
			to[from] = *next
			return to[:from+1]
		}
	}
	return to
}

// sortDrops sorts the drops, which are the last moves, by their square, and those on one square by
// kind.
func sortDrops(moves []game.Move) {
	for i := range moves {
		for j := i; j > 0 && shogi.IsDrop(moves[j]) && shogi.IsDrop(moves[j-1]) && moves[j-1].To() > moves[j].To(); j-- {
			moves[j], moves[j-1] = moves[j-1], moves[j]
		}
	}
}

// promotionWork is how many nodes are spent on a promotion before the same move without it is considered.
const promotionWork = 100

// declines reports whether m is the move before it without the promotion, of a piece that loses
// nothing by promoting: m is better only where it avoids mate by a dropped pawn.
func declines(m, before game.Move) bool {
	k := shogi.KindOf(m.Piece())
	return before.Promotes() && m == shogi.Unpromoted(before) && (k == shogi.Pawn || k == shogi.Bishop || k == shogi.Rook)
}

// pairPromotions puts each move that may promote or not directly after its promotion.
func pairPromotions(moves []game.Move) {
	for i, m := range moves {
		if !m.Promotes() {
			continue
		}
		if j := slices.Index(moves[i+1:], shogi.Unpromoted(m)); j > 0 {
			copy(moves[i+2:i+2+j], moves[i+1:i+1+j])
			moves[i+1] = shogi.Unpromoted(m)
		}
	}
}

// evaluateAttack fills in the numbers of a position of the attacker.
func (g *Goal) evaluateAttack(s *proof.Child, drawn bool) {
	if g.left == 0 || drawn {
		s.Lose()
		return
	}
	mate, checks, escapes := mateInOne(g.p, &g.inner, g.inEffect)
	switch {
	case mate != game.None:
		s.Win()
		before := g.p.MakeBoard(mate)
		h := g.mateHand()
		g.p.UndoBoard(before)
		s.Hand, s.Plies = uint32(handBefore(mate, h)), 1
	case g.left == 1 || checks == 0:
		s.Lose()
	default:
		g.initAttack(s, escapes)
	}
}
