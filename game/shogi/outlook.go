package shogi

import (
	"math"
	"slices"

	"trefoil/game"
)

// The outlook of a claim is what a position promises before anything of it is searched: the
// first φ and δ. A position has one feature of every group below, by their order and sizes; every
// feature adds to the logarithms of φ and δ. tools/mates fits what it adds to positions that
// were solved (docs/tuning.md). Whoever changes groups fits them anew.

// both are the sizes of the groups that positions of either side have. The last feature of a group of
// counts is "or more".
var both = [...]int{
	45,                  // where the king stands: files from the edge, ranks from the attacker's side
	5, 5, 5, 5, 5, 5, 5, // in the attacker's hand: pawns, lances … rooks
	9,    // pieces of the attacker that may give check next
	5, 5, // his bishops and rooks on the board, his horses and dragons
	7, 5, // next to the king: defenders (with himself), attackers
	13, 10, // up to two steps from the king: defenders, attackers
}

// ofAttack are those that the attacker's have as well.
var ofAttack = [...]int{
	6, 8, 5, // squares free for the king, checks, checks that take something
	4, // the defender's last move: a drop, a step of the king, of another, a capture
	2, // whether the attacker is in check
}

// ofDefence are those that the defender's have as well.
var ofDefence = [...]int{
	8, 5, // moves, squares free for the king
	5, 4, // pieces that can take the checker, 4 is double check; squares between it and the king
	2, 2, // whether the king can take a checker, whether nothing supports the piece that moved
	22, 2, 3, // the check: drops by kind, others by kind; promotion; no capture, a small one, a big one
}

// Groups returns the sizes of the groups of positions where the attacker is to move, or the defender.
func Groups(attacking bool) []int {
	if attacking {
		return slices.Concat(both[:], ofAttack[:])
	}
	return slices.Concat(both[:], ofDefence[:])
}

var attackGroups, defenceGroups = Groups(true), Groups(false)

// promise is what a feature adds to the logarithms of φ and δ, in 1/Octave of a factor of two.
type promise struct{ phi, delta int16 }

// Octave is what a promise adds to a logarithm to double the number.
const Octave = 256

// powers are the numbers of logarithms, in steps of a 16th of an octave.
var powers = func() (p [12 * 16]uint32) {
	for i := range p {
		p[i] = uint32(math.Exp2((float64(i) + 0.5) / 16))
	}
	return p
}()

// power is the number of a logarithm.
func power(log int) uint32 {
	return powers[min(max(log, 0)/(Octave/16), len(powers)-1)]
}

// judge fills in the first numbers that features come to.
func judge(s *game.Successor, features []uint16, promises []promise) {
	phi, delta := 0, 0
	for _, f := range features {
		p := &promises[f]
		phi += int(p.phi)
		delta += int(p.delta)
	}
	s.Phi, s.Delta = power(phi), power(delta)
}

// marker lists the features of a position, a group after the other.
type marker struct {
	groups []int
	found  [24]uint16
	n, at  int
}

// mark says that of the next group the position has feature i, or the last that there is.
func (m *marker) mark(i int) {
	size := m.groups[m.n]
	m.found[m.n] = uint16(m.at + min(i, size-1))
	m.n++
	m.at += size
}

// scale returns in which step n is; 7 is the last.
func scale(n int) int { return int(scales[min(n, len(scales)-1)]) }

var scales = [...]uint8{0, 0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 7}

// wide are the squares up to two steps from each.
var wide [128]Bitboard

func init() {
	for s := range Nowhere {
		for b := around[0][s].king; b.Any(); {
			var next Square
			next, b = b.Next()
			wide[s] = wide[s].Or(around[0][next].king)
		}
	}
}

// markBoth lists the features that positions of either side have.
func (c *Claim) markBoth(m *marker) {
	p, us := c.p, c.attacker
	king := p.kings[us&1^1]
	file, rank := int(king)/9, int(king)%9
	if us == Black {
		rank = 8 - rank
	}
	m.mark(min(file, 8-file)*9 + rank)
	hand := p.hands[us&1]
	for k := Pawn; k <= Rook; k++ {
		m.mark(hand.Count(k))
	}
	own, theirs := p.colours[us&1], p.colours[us&1^1]
	m.mark(p.threateners(king, us).And(own).Count())
	m.mark(p.kinds[Bishop].Or(p.kinds[Rook]).And(own).Count())
	m.mark(p.kinds[Horse].Or(p.kinds[Dragon]).And(own).Count())
	ring, wide := around[0][king&127].king, wide[king&127]
	m.mark(ring.And(theirs).Count())
	m.mark(ring.And(own).Count())
	m.mark(wide.And(theirs).Count())
	m.mark(wide.And(own).Count())
}

// markAttack lists the features of a position of the attacker after a move, with so many squares
// that are free for the king. The checks are in c.inner.
func (c *Claim) markAttack(m *marker, last game.Move, free int) {
	c.markBoth(m)
	checks := c.inner.All()
	takes := 0
	for _, check := range checks {
		if check.Victim() != 0 {
			takes++
		}
	}
	m.mark(free)
	m.mark(scale(len(checks)))
	m.mark(takes)
	kind := 2
	switch {
	case last&drop != 0:
		kind = 0
	case last.Victim() != 0:
		kind = 3
	case KindOf(last.Piece()) == King:
		kind = 1
	}
	m.mark(kind)
	m.mark(truth(c.p.checkers.Any()))
}

// markDefence lists the features of a position of the defender after a check.
func (c *Claim) markDefence(m *marker, check game.Move, w *waysOut) {
	c.markBoth(m)
	p := c.p
	m.mark(scale(w.count()))
	m.mark(w.flights.Count())
	king := p.kings[p.side&1]
	takers, gap := 4, 0
	if !p.checkers.Many() {
		takers, gap = min(w.takers, 3), Between(king, p.checkers.First()).Count()
	}
	m.mark(takers)
	m.mark(gap)
	m.mark(truth(w.flights.Meets(p.checkers)))
	m.mark(truth(!p.attacked(target(check), p.Occupied().Without(king.Bit()), c.attacker)))
	kind := int(KindOf(check.Piece()))
	if check&drop == 0 {
		kind += int(King)
	}
	m.mark(kind)
	m.mark(truth(check.Promotes()))
	prey := 0
	if v := check.Victim(); v != 0 {
		prey = 1 + truth(KindOf(v).Plain() >= Silver)
	}
	m.mark(prey)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// guessAttack fills in the first numbers of a position of the attacker, who has the checks of
// c.inner.
func (c *Claim) guessAttack(s *game.Successor, free int) {
	m := marker{groups: attackGroups}
	c.markAttack(&m, s.Move, free)
	judge(s, m.found[:m.n], attackPromises[:])
}

// guessDefence fills in the first numbers of a position of the defender.
func (c *Claim) guessDefence(s *game.Successor, w *waysOut) {
	m := marker{groups: defenceGroups}
	c.markDefence(&m, s.Move, w)
	judge(s, m.found[:m.n], defencePromises[:])
}

// Features appends the features of the present position, after a move that Expand has listed and not
// settled. Those of the second group begin with the size of the first, and so on.
func (c *Claim) Features(to []uint16) []uint16 {
	m := marker{groups: Groups(c.Attacking())}
	if c.Attacking() {
		_, _, free := c.p.mateInOne(&c.inner)
		c.markAttack(&m, c.p.move, free)
	} else {
		w := c.p.waysOut()
		c.markDefence(&m, c.p.move, &w)
	}
	return append(to, m.found[:m.n]...)
}

// Position is the present position, which only the claim may change.
func (c *Claim) Position() *Position { return c.p }
