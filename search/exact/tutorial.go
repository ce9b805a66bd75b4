package exact

import (
	"context"
	"math/bits"

	"trefoil/game/connect4"
	"trefoil/remainder"
)

// tutorial is the solver of part 11 of the tutorial (Pascal Pons, Solving Connect
// Four), node by node. Its table has 8,388,617 slots of 32 key bits and 8 value bits, which hold
// upper bounds only and are always replaced.
type tutorial struct {
	table   *remainder.Pairs[uint32, uint8]
	weak    bool
	root    stones
	quota   quota
	count   uint64
	stopped bool
}

// The board of the tutorial.
const (
	width = 7
	cells = 42
)

var tutorialSets = *connect4.Standard.Small

// stones are the stones of the side to move, and all stones.
type stones struct{ mover, all connect4.Set }

// wins returns the cells, in reach or not, where the side to move completes four.
func (p stones) wins() connect4.Set { return tutorialSets.Wins(p.mover, p.all) }

// tutorialBias makes any upper bound, −18 or more, a value above 0.
const tutorialBias = 19

// newTutorial allocates the tutorial's table.
func newTutorial(weak bool) (*tutorial, error) {
	table, err := remainder.NewPairs[uint32, uint8](remainder.TutorialSlots, connect4.Standard.MaxKey)
	if err != nil {
		return nil, err
	}
	return &tutorial{table: table, weak: weak}, nil
}

func (w *tutorial) open(p connect4.Position, q quota) (lower, upper int) {
	w.root = stones{set(p.Mover), set(p.All)}
	w.quota, w.count, w.stopped = q, 0, false
	ply := p.Ply()
	lower, upper = -(cells-ply)/2, (cells+1-ply)/2
	if w.weak {
		lower, upper = -1, 1
	}
	if !p.Wins().IsZero() {
		lower = upper
	}
	return lower, upper
}

// question returns the middle of the bounds, or half of a bound if that is farther from 0.
func (w *tutorial) question(lower, upper int) int {
	mid := lower + (upper-lower)/2
	switch {
	case mid <= 0 && lower/2 < mid:
		mid = lower / 2
	case mid >= 0 && upper/2 > mid:
		mid = upper / 2
	}
	return mid + 1
}

func (w *tutorial) ask(t int) (bound int, ok bool) {
	bound = w.negamax(w.root, bits.OnesCount64(w.root.all), t-1, t)
	return bound, !w.stopped
}

// negamax returns a bound of the score of p, whose mover cannot win at once: at least
// beta and a lower bound, or at most alpha and an upper bound.
func (w *tutorial) negamax(p stones, ply, alpha, beta int) int {
	if w.count++; w.count%checkInterval == 0 {
		w.quota.tick()
		w.stopped = w.stopped || w.quota.spent(w.count)
	}
	moves := w.notLosing(p)
	switch {
	case w.stopped:
		return 0
	case moves == 0:
		return -(cells - ply) / 2
	case ply >= cells-2:
		return 0
	}
	if alpha = max(alpha, -(cells-2-ply)/2); alpha >= beta {
		return alpha
	}
	upper := (cells - 1 - ply) / 2
	key := p.mover + p.all
	if v, ok := w.table.Probe(key); ok {
		upper = int(v) - tutorialBias
	}
	if beta = min(beta, upper); alpha >= beta {
		return beta
	}
	var order [width]connect4.Set
	for _, cell := range order[:tutorialOrder(p, moves, &order)] {
		v := -w.negamax(stones{p.mover ^ p.all, p.all | cell}, ply+1, -beta, -alpha)
		if w.stopped {
			return 0
		}
		if v >= beta {
			return v
		}
		alpha = max(alpha, v)
	}
	w.table.Store(key, uint8(alpha+tutorialBias))
	return alpha
}

// notLosing returns the moves after which the other side cannot win at once.
func (w *tutorial) notLosing(p stones) connect4.Set {
	wins := stones{p.mover ^ p.all, p.all}.wins()
	moves := tutorialSets.Moves(p.all)
	if forced := moves & wins; forced != 0 {
		if forced&(forced-1) != 0 {
			return 0
		}
		moves = forced
	}
	return moves &^ (wins >> 1)
}

// tutorialOrder sorts moves into order: moves that leave the mover most winning cells first, equal moves
// from the middle outwards, left before right. It returns their number.
func tutorialOrder(p stones, moves connect4.Set, order *[width]connect4.Set) int {
	var wins [width]int32
	n := 0
	for _, col := range [...]int{3, 2, 4, 1, 5, 0, 6} {
		cell := moves & tutorialSets.Column(col)
		if cell == 0 {
			continue
		}
		v := count(stones{p.mover | cell, p.all}.wins())
		i := n
		for ; i > 0 && wins[i-1] < v; i-- {
			wins[i], order[i] = wins[i-1], order[i-1]
		}
		wins[i], order[i] = v, cell
		n++
	}
	return n
}

func (w *tutorial) nodes() uint64                   { return w.count }
func (w *tutorial) clear(ctx context.Context) error { return w.table.Clear(ctx) }
func (w *tutorial) close() error                    { return w.table.Close() }
func (w *tutorial) size() uint64                    { return w.table.Bytes() }
func (w *tutorial) full() int                       { return -1 }
