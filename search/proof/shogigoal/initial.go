package shogigoal

import (
	"slices"

	"trefoil/game"
	"trefoil/game/shogi"
	"trefoil/search/proof"
	"trefoil/search/proof/initial"
)

// The initial proof numbers (df-pn+) are φ and δ of a position before any search below it. A
// position has one feature of every group below; every feature adds its weights to the logarithms
// of φ and δ. tools/mates fits the weights to solved positions (docs/tuning.md) and has to be run
// again after a change of groups.

// commonGroups are the sizes of the groups that all positions have. The last feature of a group of
// counts is "or more".
var commonGroups = [...]int{
	45,                  // where the king stands: files from the edge, ranks from the attacker's side
	5, 5, 5, 5, 5, 5, 5, // in the attacker's hand: pawns, lances … rooks
	9,    // pieces of the attacker that may give check next
	5, 5, // bishops and rooks of the attacker on the board, horses and dragons
	7, 5, // next to the king: defenders (with the king), attackers
	13, 10, // up to two steps from the king: defenders, attackers
}

// attackOnly are the further groups of positions where the attacker is to move.
var attackOnly = [...]int{
	6, 8, 5, // escape squares of the king, checks, checks that capture
	4, // the defender's last move: a drop, a step of the king, of another, a capture
	2, // whether the attacker is in check
}

// defenceOnly are the further groups of positions where the defender is to move.
var defenceOnly = [...]int{
	8, 5, // moves, escape squares of the king
	5, 4, // pieces that can capture the checker, 4 is double check; squares between it and the king
	2, 2, // whether the king can capture a checker, whether nothing defends the piece that moved
	22, 2, 3, // the check: drops by kind, others by kind; promotion; no capture, a small one, a big one
}

// Groups returns the sizes of the groups of positions where the attacker is to move, or the defender.
func Groups(attacking bool) []int {
	if attacking {
		return slices.Concat(commonGroups[:], attackOnly[:])
	}
	return slices.Concat(commonGroups[:], defenceOnly[:])
}

var attackGroups, defenceGroups = Groups(true), Groups(false)

type weight = initial.Weight

// scale returns the step that n is in, 0 to 7.
func scale(n int) int { return int(scales[min(n, len(scales)-1)]) }

var scales = [...]uint8{0, 0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 7}

// wide are the squares up to two steps from each.
var wide [128]shogi.Bitboard

func init() {
	for s := range shogi.Nowhere {
		for b := shogi.KingAttacks(s); b.Any(); {
			var next shogi.Square
			next, b = b.Next()
			wide[s] = wide[s].Or(shogi.KingAttacks(next))
		}
	}
}

// markBoth lists the features that positions of either side have.
func (g *Goal) markBoth(m *initial.Marker) {
	p, us := g.p, g.attacker
	king := p.King(us ^ 1)
	file, rank := int(king)/9, int(king)%9
	if us == shogi.Black {
		rank = 8 - rank
	}
	m.Mark(min(file, 8-file)*9 + rank)
	hand := p.Hand(us)
	for k := shogi.Pawn; k <= shogi.Rook; k++ {
		m.Mark(hand.Count(k))
	}
	own, theirs := p.Colour(us), p.Colour(us^1)
	m.Mark(p.CheckCandidates(king, us).And(own).Count())
	m.Mark(p.Kind(shogi.Bishop).Or(p.Kind(shogi.Rook)).And(own).Count())
	m.Mark(p.Kind(shogi.Horse).Or(p.Kind(shogi.Dragon)).And(own).Count())
	ring, wide := shogi.KingAttacks(king), wide[king&127]
	m.Mark(ring.And(theirs).Count())
	m.Mark(ring.And(own).Count())
	m.Mark(wide.And(theirs).Count())
	m.Mark(wide.And(own).Count())
}

// markAttack lists the features of a position of the attacker after the defender's move last. The
// checks are in g.inner, escapes is the number of escape squares.
func (g *Goal) markAttack(m *initial.Marker, last game.Move, escapes int) {
	g.markBoth(m)
	checks := g.inner.All()
	captures := 0
	for _, check := range checks {
		if check.Victim() != 0 {
			captures++
		}
	}
	m.Mark(escapes)
	m.Mark(scale(len(checks)))
	m.Mark(captures)
	kind := 2
	switch {
	case shogi.IsDrop(last):
		kind = 0
	case last.Victim() != 0:
		kind = 3
	case shogi.KindOf(last.Piece()) == shogi.King:
		kind = 1
	}
	m.Mark(kind)
	m.MarkIf(g.p.InCheck())
}

// markDefence lists the features of a position of the defender after a check.
func (g *Goal) markDefence(m *initial.Marker, check game.Move, w *shogi.Evasions) {
	g.markBoth(m)
	p := g.p
	m.Mark(scale(w.Count()))
	m.Mark(w.Escapes.Count())
	king := p.King(shogi.Colour(p.Side()))
	captures, gap := 4, 0
	if !p.Checkers().Many() {
		captures, gap = min(w.Captures, 3), shogi.Between(king, p.Checkers().First()).Count()
	}
	m.Mark(captures)
	m.Mark(gap)
	m.MarkIf(w.Escapes.Meets(p.Checkers()))
	m.MarkIf(!p.Attacked(shogi.Square(check.To()), p.Occupied().Without(king.Bit()), g.attacker))
	kind := int(shogi.KindOf(check.Piece()))
	if !shogi.IsDrop(check) {
		kind += int(shogi.King)
	}
	m.Mark(kind)
	m.MarkIf(check.Promotes())
	victim := 0
	if v := check.Victim(); v != 0 {
		victim = 1 + initial.Truth(shogi.KindOf(v).Plain() >= shogi.Silver)
	}
	m.Mark(victim)
}

// initAttack fills in the initial numbers of a position of the attacker, whose checks are in g.inner.
func (g *Goal) initAttack(s *proof.Child, escapes int) {
	m := initial.New(attackGroups)
	g.markAttack(&m, s.Move, escapes)
	initial.Evaluate(s, m.Features(), attackWeights[:])
}

// initDefence fills in the initial numbers of a position of the defender.
func (g *Goal) initDefence(s *proof.Child, w *shogi.Evasions) {
	m := initial.New(defenceGroups)
	g.markDefence(&m, s.Move, w)
	initial.Evaluate(s, m.Features(), defenceWeights[:])
}

// Features returns the features of the present position, after a move that Expand has listed and that
// is not solved. They are numbered as by initial.Marker.
func (g *Goal) Features() []uint16 { return g.featuresAfter(g.p.LastMove()) }

// featuresAfter is Features as if last had led to the present position.
func (g *Goal) featuresAfter(last game.Move) []uint16 {
	m := initial.New(Groups(g.Attacking()))
	if g.Attacking() {
		_, _, escapes := mateInOne(g.p, &g.inner, false)
		g.markAttack(&m, last, escapes)
	} else {
		w := g.p.Evasions()
		g.markDefence(&m, last, &w)
	}
	return slices.Clone(m.Features())
}

// Position returns the present position, which only the goal may change.
func (g *Goal) Position() *shogi.Position { return g.p }
