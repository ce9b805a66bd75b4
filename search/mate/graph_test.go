package mate

import (
	"slices"

	"trefoil/game"
	"trefoil/search/proof"
)

// A graph is a game on numbered places. A move is the place that it leads to, from odd places to even ones and back.
// The side that cannot move is mated.
type graph struct {
	moves func(place int) []int
	first []int // the only moves in the position of a problem, nil: all
	drawn []int // where the game has ended
	clock int   // at the first place, 0: there is no fifty-move rule, which the search does not know
	// Where the rules end the game, but the search does not know.
	unseenDraws, unseenMates []int
	goals                    []*graphGoal // made so far
	roots                    []root       // where SetRoot was called
}

// root is where a search begins: a place, and the moves that the attacker has left.
type root struct{ place, left int }

// listed is a graph with few moves.
func listed(moves map[int][]int) *graph {
	return &graph{moves: func(place int) []int { return moves[place] }}
}

// endless adds a number of moves from all places up to 1<<16 that are not in a list, so that the game does
// not end there.
func endless(branches int, moves map[int][]int) *graph {
	return &graph{moves: func(place int) []int {
		if _, ok := moves[place]; !ok {
			for i := range branches {
				moves[place] = append(moves[place], (place*1021+i*4098)&0xfffe|1-place&1)
			}
		}
		return moves[place]
	}}
}

// problem is the position at a place.
func (g *graph) problem(place, moves int) Problem {
	return Problem{Moves: moves, Goal: func(opponent bool, moves int) Goal {
		goal := &graphGoal{graph: g, attacker: (place + index(opponent)) & 1, left: moves, path: []int{place}}
		g.goals = append(g.goals, goal)
		return goal
	}}
}

// A graphGoal is that a side mates within a number of moves.
type graphGoal struct {
	*graph
	attacker int // moves from even (0) or odd (1) places
	left     int
	path     []int // to the present place
}

func (g *graphGoal) at() int                       { return g.path[len(g.path)-1] }
func (g *graphGoal) Left() int                     { return g.left }
func (g *graphGoal) SetLeft(moves int)             { g.left = moves }
func (g *graphGoal) SetRoot()                      { g.roots = append(g.roots, root{g.at(), g.left}) }
func (g *graphGoal) Attacking() bool               { return g.at()&1 == g.attacker }
func (g *graphGoal) Move16(m game.Move) uint16     { return uint16(m) }
func (g *graphGoal) FromMove16(m uint16) game.Move { return game.Move(m) }

func graphKey(place, left, attacker int) uint64 {
	return (uint64(place)<<32 | uint64(left)<<1 | uint64(attacker)) * 0x9e3779b97f4a7c15
}

// restricted reports whether not all moves are considered here.
func (g *graphGoal) restricted() bool { return g.first != nil && len(g.path) == 1 }

// list returns the moves that are considered here.
func (g *graphGoal) list() []int {
	if g.restricted() {
		return g.first
	}
	return g.moves(g.at())
}

func (g *graphGoal) PositionKey() uint64 {
	if g.restricted() {
		return uint64(g.at() | len(g.first)<<32)
	}
	return uint64(g.at())
}

func (g *graphGoal) Clock() int {
	if g.clock == 0 {
		return 0
	}
	return g.clock + len(g.path) - 1
}

func (g *graphGoal) Key() uint64 {
	key := graphKey(g.at(), g.left, g.attacker)
	if g.restricted() {
		return key ^ uint64(len(g.first))
	}
	return key
}

func (g *graphGoal) Make(m game.Move) {
	if g.left != Endless && g.Attacking() {
		g.left--
	}
	g.path = append(g.path, int(m))
}

func (g *graphGoal) Undo() {
	g.path = g.path[:len(g.path)-1]
	if g.left != Endless && g.Attacking() {
		g.left++
	}
}

func (g *graphGoal) Mated() bool {
	return len(g.list()) == 0 || slices.Contains(g.unseenMates, g.at())
}

func (g *graphGoal) Drawn() bool {
	return slices.Contains(g.drawn, g.at()) || slices.Contains(g.unseenDraws, g.at()) || g.Clock() >= 100
}

func (g *graphGoal) Evaluate(c *proof.Child) {
	place, attacking := g.at(), g.Attacking()
	isMate := func(to int) bool { return len(g.moves(to)) == 0 }
	c.Key, c.Phi, c.Delta = g.Key(), 1, 1
	switch over := slices.Contains(g.drawn, place) || g.left == 0; {
	case len(g.list()) == 0, attacking && over:
		c.Lose()
	case over:
		c.Win()
	case attacking && slices.ContainsFunc(g.list(), isMate):
		c.Win()
		c.Plies = 1
	}
}

func (g *graphGoal) Expand(to []proof.Child, _ proof.Prefetcher) []proof.Child {
	for _, place := range g.list() {
		c := proof.Child{Move: game.Move(place)}
		g.Make(c.Move)
		g.Evaluate(&c)
		g.Undo()
		to = append(to, c)
	}
	return to
}
