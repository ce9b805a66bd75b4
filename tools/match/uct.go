package main

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"trefoil/game/ultimate"
	"trefoil/tools/internal/program"
	"trefoil/tools/internal/selfplay"
)

// uct is a plain Monte Carlo tree search (UCT, Kocsis and Szepesvári 2006): selection by UCB1, one new
// node for each playout, uniformly random playouts. It knows nothing of the game but the rules.
type uct struct {
	rng   *rand.Rand
	nodes []uctNode
	moves []ultimate.Move
	path  []int32
	spent time.Duration
}

// uctNode is a position. Its children lie side by side.
type uctNode struct {
	first  int32 // child
	count  uint8 // children
	move   ultimate.Move
	visits int32
	half   int32 // half points of the side that made the move
}

// exploration is the constant of UCB1 for results from 0 to 1.
const exploration = math.Sqrt2

func (u *uct) NewGame(context.Context) error { return nil }
func (u *uct) Close() error                  { return nil }
func (u *uct) used() time.Duration           { return u.spent }

// move implements player: the nodes are playouts, and the move is the one with the most visits.
func (u *uct) move(_ context.Context, at *moment, l limit) (line selfplay.Line, nodes uint64, err error) {
	defer program.OnThread(&u.spent)()
	root := selfplay.UltimatePosition(at.Board).Position
	u.nodes = append(u.nodes[:0], uctNode{})
	for range l.nodes {
		u.playout(root)
	}
	n := &u.nodes[0]
	best := u.nodes[n.first]
	for _, c := range u.nodes[n.first : n.first+int32(n.count)] {
		if c.visits > best.visits {
			best = c
		}
	}
	line.Move, err = at.ParseMove(best.move.String())
	return line, l.nodes, err
}

// playout descends from the root to a node without visits or an end of the game, expands it, plays
// random moves to the end, and adds the result to all nodes of the path.
func (u *uct) playout(p ultimate.Position) {
	at := int32(0)
	u.path = append(u.path[:0], at)
	for u.nodes[at].visits > 0 || at == 0 {
		if u.nodes[at].count == 0 {
			u.expand(at, &p)
		}
		if u.nodes[at].count == 0 {
			break // the end of a game
		}
		at = u.choose(at)
		p = p.Play(u.nodes[at].move)
		u.path = append(u.path, at)
	}
	// The side that made the move of a node is the mover of the node before.
	mover := p.Side().Other()
	if len(u.path)%2 == 0 {
		mover = mover.Other()
	}
	half := u.random(p, mover) // for the side that "moved" to the root
	for _, n := range u.path {
		u.nodes[n].visits++
		u.nodes[n].half += half
		half = 2 - half
	}
}

// expand appends the children of a node.
func (u *uct) expand(at int32, p *ultimate.Position) {
	u.moves = p.Moves(u.moves[:0])
	u.nodes[at].first, u.nodes[at].count = int32(len(u.nodes)), uint8(len(u.moves))
	for _, m := range u.moves {
		u.nodes = append(u.nodes, uctNode{move: m})
	}
}

// choose returns the child of the highest upper confidence bound; one without visits comes first.
func (u *uct) choose(at int32) (best int32) {
	n := &u.nodes[at]
	factor, highest := exploration*math.Sqrt(math.Log(float64(max(n.visits, 1)))), math.Inf(-1)
	start := u.rng.IntN(int(n.count)) // ties are broken at random
	for i := range int(n.count) {
		k := n.first + int32((start+i)%int(n.count))
		c := &u.nodes[k]
		if c.visits == 0 {
			return k
		}
		visits := float64(c.visits)
		if bound := float64(c.half)/(2*visits) + factor/math.Sqrt(visits); bound > highest {
			best, highest = k, bound
		}
	}
	return best
}

// random plays random moves to the end and returns the half points of a side.
func (u *uct) random(p ultimate.Position, side ultimate.Side) int32 {
	for {
		if winner, won, over := p.Over(); won {
			if winner == side {
				return 2
			}
			return 0
		} else if over {
			return 1
		}
		u.moves = p.Moves(u.moves[:0])
		p = p.Play(u.moves[u.rng.IntN(len(u.moves))])
	}
}
