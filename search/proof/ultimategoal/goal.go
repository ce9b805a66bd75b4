// Package ultimategoal defines wins in Ultimate Tic-Tac-Toe as goals of search/proof: keys by
// symmetry, initial proof numbers, and proved static results.
package ultimategoal

import (
	"math/bits"
	"slices"
	"strings"

	"trefoil/game"
	"trefoil/game/ultimate"
	"trefoil/search/proof"
)

const (
	boards = ultimate.Boards
	all    = ultimate.All
	free   = boards // as target: any board that is not decided
)

// Convention names the goal, for files of results.
const Convention = "the attacker wins; a draw fails him"

// A Goal is that one side, the attacker, wins from a position; if it fails, the defender at least
// draws. A position is won, drawn or lost by the results for the goals of both sides.
//
// Its key is about roles: the attacker is part of it, and two positions that differ only in
// the names of the players have one key. A Goal belongs to one goroutine.
type Goal struct {
	t      *tables
	path   []node  // from the root to the position
	states []state // of the nodes, and of moves that Expand has listed
	over   bool    // the game was over at the root
	won    bool    // by the attacker
}

// A node is a position on the path.
type node struct {
	position int // index of its state
	children int // index of the first state after its moves; they end where those of the next node begin
}

// New returns the goal that a side wins from a position.
func New(p ultimate.Position, attacker ultimate.Side) *Goal {
	winner, won, over := p.Over()
	g := &Goal{t: theTables(), over: over, won: won && winner == attacker}
	g.states = append(make([]state, 0, 256), g.t.newState(&p, attacker))
	g.path = append(make([]node, 0, 32), node{0, 1})
	return g
}

func (g *Goal) top() *state { return &g.states[g.path[len(g.path)-1].position] }

// Key returns the key of position and goal.
func (g *Goal) Key() uint64 { return g.top().key(g.t) }

// Attacking reports whether the attacker is to move.
func (g *Goal) Attacking() bool { return g.top().mover == attacker }

// Evaluate fills in what is known of the position without a search.
func (g *Goal) Evaluate(s *proof.Child) {
	s.Key = g.Key()
	if g.over && len(g.path) == 1 {
		if s.Lose(); g.won == g.Attacking() {
			s.Win()
		}
		return
	}
	g.t.evaluate(g.top(), s)
}

// evaluate is Evaluate for s.
func (t *tables) evaluate(s *state, to *proof.Child) {
	switch good, won, lost := t.solve(s); {
	case won:
		to.Win()
	case lost:
		to.Lose()
	default:
		to.Phi, to.Delta = t.initial(s, good)
	}
}

// Expand appends the moves that matter: a move known to win, else the moves not known to lose, else all
// moves. A game that is over has no moves.
func (g *Goal) Expand(to []proof.Child, table proof.Prefetcher) []proof.Child {
	if g.over {
		return to
	}
	at := &g.path[len(g.path)-1]
	g.states, to = slices.Grow(g.states[:at.children], boards*boards), slices.Grow(to, boards*boards)
	s, t := &g.states[at.position], g.t
	from := len(to)
	if now := s.where() & s.critical[s.mover]; now != 0 {
		b := bits.TrailingZeros16(now)
		cell := bits.TrailingZeros16(t.known[s.code[b]].wins[s.mover&1])
		to = append(to, proof.Child{Move: Pack(ultimate.NewMove(b, cell))})
		to[from].Lose()
		return to
	}
	for where := s.where(); where != 0; where &= where - 1 {
		b := uint8(bits.TrailingZeros16(where))
		cells := t.good(s, b, s.mover, t.safe(s, b, s.mover))
		if cells == 0 {
			continue
		}
		on := t.branch(s, b)
		for ; cells != 0; cells &= cells - 1 {
			cell := uint8(bits.TrailingZeros16(cells))
			to, g.states = to[:len(to)+1], g.states[:len(g.states)+1]
			next, child := &to[len(to)-1], &g.states[len(g.states)-1]
			*child = *s
			t.play(child, b, cell, &on)
			*next = proof.Child{Key: child.key(t), Move: child.move()}
			if t.evaluate(child, next); next.Delta == 0 {
				to[from] = *next
				return to[:from+1]
			}
			if next.Phi != 0 {
				table.Prefetch(next.Key)
			}
		}
	}
	if len(to) > from {
		return to
	}
	for where := s.where(); where != 0; where &= where - 1 {
		b := uint8(bits.TrailingZeros16(where))
		on := t.branch(s, b)
		for cells := t.known[s.code[b]].empty; cells != 0; cells &= cells - 1 {
			child := *s
			t.play(&child, b, uint8(bits.TrailingZeros16(cells)), &on)
			to = append(to, proof.Child{Key: child.key(t), Move: child.move()})
			to[len(to)-1].Win()
		}
	}
	return to
}

// Make plays a move of Expand that does not win the game.
func (g *Goal) Make(m game.Move) {
	at := g.path[len(g.path)-1]
	for i := at.children; i < len(g.states); i++ {
		if g.states[i].move() == m {
			g.path = append(g.path, node{i, len(g.states)})
			return
		}
	}
	g.states = append(g.states, g.states[at.position])
	s, b, c := &g.states[len(g.states)-1], uint8(Unpack(m).Board()), uint8(Unpack(m).Cell())
	on := g.t.branch(s, b)
	g.t.play(s, b, c, &on)
	g.path = append(g.path, node{len(g.states) - 1, len(g.states)})
}

// Undo takes the last move back.
func (g *Goal) Undo() {
	last := len(g.path) - 1
	g.states, g.path = g.states[:g.path[last].children], g.path[:last]
}

// move returns the move that led to a state.
func (s *state) move() game.Move { return Pack(ultimate.Move(s.last)) }

// Move16 returns the 16 bits of a move for the table: the move in the orientation of the key, which
// is the same in all positions of the key.
func (g *Goal) Move16(m game.Move) uint16 {
	image, at := &g.t.image[g.top().symmetry], Unpack(m)
	return uint16(Pack(ultimate.NewMove(int(image[at.Board()]), int(image[at.Cell()]))))
}

// FromMove16 returns the move with these 16 bits, or None.
func (g *Goal) FromMove16(m16 uint16) game.Move {
	if m16 == 0 || m16 > boards*boards {
		return game.None
	}
	origin, at := &g.t.origin[g.top().symmetry], Unpack(game.Move(m16))
	return Pack(ultimate.NewMove(int(origin[at.Board()]), int(origin[at.Cell()])))
}

// Text writes a move as ParseMove reads it.
func (g *Goal) Text(m game.Move) string { return Unpack(m).String() }

// Text writes the moves of a line separated by spaces.
func Text(line []game.Move) string {
	words := make([]string, len(line))
	for i, m := range line {
		words[i] = Unpack(m).String()
	}
	return strings.Join(words, " ")
}

// Pack returns a move of the rules as a game.Move, never None; Unpack is its inverse.
func Pack(m ultimate.Move) game.Move { return game.Move(m) + 1 }

// Unpack returns the move that was packed.
func Unpack(m game.Move) ultimate.Move { return ultimate.Move(m - 1) }
