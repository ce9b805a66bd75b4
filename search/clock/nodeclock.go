package clock

import (
	"time"

	"trefoil/search"
)

// A NodeClock is the clock of a game whose time is counted in nodes (Settings.NodesPerMS). It starts with
// the first clock that is sent for a side and deducts what the searches use, so games do not depend on the
// speed of the machine. The zero value is ready for a new game.
type NodeClock struct {
	nodesPerMS int
	sides      [2]nodeClockSide
}

// nodeClockSide is the clock of one side.
type nodeClockSide struct {
	begun     bool
	left      time.Duration
	first     time.Duration // on the first clock: the time of a period
	movesToGo int           // at the latest move
}

// Show returns c with the time that the side to move has left. When MovesToGo rises, a new period
// has begun, and the time of the first clock is added.
func (n *NodeClock) Show(c search.Clock, side int) search.Clock {
	if !c.Given {
		return c
	}
	s := &n.sides[side]
	switch {
	case !s.begun:
		*s = nodeClockSide{begun: true, left: c.Time[side], first: c.Time[side]}
	case c.MovesToGo > s.movesToGo:
		s.left += s.first
	}
	s.movesToGo = c.MovesToGo
	c.Time[side] = s.left
	return c
}

// Deduct ends a move of a side: its search has used that much time, and c is the clock that Show returned.
func (n *NodeClock) Deduct(c search.Clock, side int, used time.Duration) {
	if c.Given {
		s := &n.sides[side]
		s.left = max(s.left-used, 0) + c.Inc[side]
	}
}
