package chessgoal

import (
	"math/bits"
	"slices"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/search/proof"
	"trefoil/search/proof/initial"
)

// The initial proof numbers (df-pn+) are φ and δ of a position before any search below it. A position has
// one feature of every group below; every feature adds its weights to the logarithms of φ and δ.
// tools/mates fits the weights to solved positions (docs/tuning.md) and has to be run again after a change
// of groups.

// commonGroups are the sizes of the groups that all positions have. The last feature of a group of counts is "or more".
var commonGroups = [...]int{
	32,      // where the king stands: files from the edge, ranks from the attacker's side
	17,      // moves left
	4, 4, 5, // of the attacker: queens, rooks, bishops and knights
	4,       // pawns of the attacker that may promote soon
	3, 4, 5, // of the defender: queens, rooks, bishops and knights
	7, 7, 7, // next to the king: defenders; up to two steps away: attackers, defenders
	7, // steps between the kings
	9, // escape squares of the king
}

// attackOnly are the further groups of positions where the attacker is to move.
var attackOnly = [...]int{
	10, // checks
	4,  // the defender's last move: of the king, its capture, another, another capture
	3,  // whether the attacker is in check, or in double check
}

// defenceOnly are the further groups of positions where the defender is to move.
var defenceOnly = [...]int{
	15,   // moves
	14,   // the attacker's last move: kind of piece, 7 is a promotion; with or without check
	4,    // no check, one by the piece that moved, another, a double check
	3, 5, // whether the piece that moved can be captured, or even for nothing; what it captured
	7, // steps from it to the king
	6, // in check, replies of other pieces than the king
	5, // not in check, checks of the defender
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

// wide are the squares up to two steps from each.
var wide [64]chess.Bitboard

func init() {
	for s := range chess.Square(64) {
		for b := chess.KingAttacks(s); b != 0; {
			wide[s] |= chess.KingAttacks(b.Pop())
		}
	}
}

// steps returns the number of king's moves from one square to another.
func steps(a, b chess.Square) int {
	file, rank := int(a&7)-int(b&7), int(a>>3)-int(b>>3)
	return max(file, -file, rank, -rank)
}

// markBoth lists the features that positions of either side have.
func (g *Goal) markBoth(m *initial.Marker, escapes int) {
	p, us := g.p, g.attacker
	king := p.King(us.Other())
	file, rank := int(king&7), int(king>>3)
	high := chess.Bitboard(0x00ffff0000000000)
	if us == chess.Black {
		rank = 7 - rank
		high = 0x0000000000ffff00
	}
	m.Mark(min(file, 7-file)*8 + rank)
	m.Mark(g.left)
	own, theirs := p.Colour(us), p.Colour(us.Other())
	queens, rooks, minors := p.Kind(chess.Queen), p.Kind(chess.Rook), p.Kind(chess.Knight)|p.Kind(chess.Bishop)
	m.Mark(count(queens & own))
	m.Mark(count(rooks & own))
	m.Mark(count(minors & own))
	m.Mark(count(p.Kind(chess.Pawn) & own & high))
	m.Mark(count(queens & theirs))
	m.Mark(count(rooks & theirs))
	m.Mark(count(minors & theirs))
	ring, wide := chess.KingAttacks(king), wide[king&63]
	m.Mark(count(ring & theirs))
	m.Mark(count(wide & own))
	m.Mark(count(wide&theirs) - 1)
	m.Mark(steps(king, p.King(us)) - 1)
	m.Mark(escapes)
}

func count(b chess.Bitboard) int { return bits.OnesCount64(uint64(b)) }

// markAttack lists the features of a position of the attacker with that many checks, after the defender's move last.
func (g *Goal) markAttack(m *initial.Marker, last game.Move, checks, escapes int) {
	g.markBoth(m, escapes)
	m.Mark(checks)
	kind := 0
	if chess.KindOf(last.Piece()) != chess.King {
		kind = 2
	}
	m.Mark(kind + initial.Truth(last.Victim() != 0))
	m.Mark(count(g.p.Checkers()))
}

// markDefence lists the features of a position of the defender with n moves, after the attacker's move last.
func (g *Goal) markDefence(m *initial.Marker, last game.Move, n, escapes int) {
	p, us := g.p, g.attacker
	g.markBoth(m, escapes)
	m.Mark(scale(n))
	checkers, to := p.Checkers(), chess.Square(last.To())
	piece := max(int(chess.KindOf(last.Piece())), 0)
	if last.Promotes() {
		piece = 6
	}
	check := checkers != 0
	m.Mark(piece + 7*initial.Truth(check))
	switch {
	case !check:
		m.Mark(0)
	case checkers.Many():
		m.Mark(3)
	default:
		m.Mark(2 - initial.Truth(checkers.Has(to)))
	}
	hanging := 0
	if p.Attacked(to, us.Other()) {
		hanging = 1 + initial.Truth(!p.Attacked(to, us))
	}
	m.Mark(hanging)
	victim := 0
	if v := last.Victim(); v != 0 {
		victim = [...]int{1, 2, 2, 3, 4, 0}[chess.KindOf(v)]
	}
	m.Mark(victim)
	m.Mark(steps(to, p.King(us.Other())) - 1)
	if check {
		m.Mark(1 + n - escapes)
		m.Mark(0)
		return
	}
	m.Mark(0)
	m.Mark(1 + p.CheckCount())
}

// scale returns the step that a number of moves is in, 0 to 14.
func scale(n int) int { return int(scales[min(n, len(scales)-1)]) }

var scales = [...]uint8{0, 0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11, 11, 11,
	12, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 14}

// Features returns the features of the present position, after a move that Expand has listed and that is
// not solved. They are numbered as by initial.Marker.
func (g *Goal) Features() []uint16 {
	m := initial.New(Groups(g.Attacking()))
	last := g.p.LastMove()
	if g.Attacking() {
		escapes := g.p.EscapeSquares(g.attacker.Other())
		_, checks := g.p.MateInOne(escapes, &g.inner)
		g.markAttack(&m, last, checks, escapes.Count())
	} else {
		n, escapes := g.p.MoveCounts()
		g.markDefence(&m, last, n, escapes)
	}
	return slices.Clone(m.Features())
}

// Position returns the present position, which only the goal may change.
func (g *Goal) Position() *chess.Position { return g.p }

// initDefence fills in the initial numbers of a position of the defender with n moves, after the attacker's move last.
func (g *Goal) initDefence(c *proof.Child, last game.Move, n, escapes int) {
	m := initial.New(defenceGroups)
	g.markDefence(&m, last, n, escapes)
	initial.Evaluate(c, m.Features(), defenceWeights[:])
}

// initAttack fills in the initial numbers of a position of the attacker with that many checks, after the defender's
// move last.
func (g *Goal) initAttack(c *proof.Child, last game.Move, checks, escapes int) {
	m := initial.New(attackGroups)
	g.markAttack(&m, last, checks, escapes)
	initial.Evaluate(c, m.Features(), attackWeights[:])
}
