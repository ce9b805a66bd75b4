package exact

import (
	"context"

	"trefoil/game/connect4"
	"trefoil/remainder"
)

// MaxThreads is how many workers a Solver may have.
const MaxThreads = 256

// best is the solver that New makes by default: workers over one table.
type best struct {
	table *remainder.Table
	team  team
	root  node
	step  int // of the questions, once it is clear who wins
}

// newBest allocates a table of at most hash MiB and the workers. What the table of old has,
// unless that is nil, counts as free.
func newBest(hash, threads int, old *Solver) (*best, error) {
	shape, err := Shape(hash)
	if err != nil {
		return nil, err
	}
	var releasing *remainder.Table
	if old != nil {
		if b, ok := old.prover.(*best); ok {
			releasing = b.table
		}
	}
	table, err := remainder.New(shape, connect4.MaxKey, remainder.Releasing(releasing))
	if err != nil {
		return nil, err
	}
	b := &best{table: table}
	for range threads {
		b.team.workers = append(b.team.workers, &worker{table: table, team: &b.team})
	}
	return b, nil
}

// open resolves, bounds and probes the root. Forced moves may turn the sides: root.same
// tells.
func (b *best) open(p connect4.Position, q quota) (lower, upper int) {
	b.team.begin(q)
	b.step = 1
	if connect4.Wins(p.Mover, p.All)&p.Moves() != 0 {
		v := (connect4.Cells + 1 - p.Ply()) / 2
		return v, v
	}
	n := &b.root
	*n = newNode(p)
	if !n.resolve() {
		n.bound(0)
		n.bound(1)
		symmetric := n.canMirror()
		for _, w := range b.team.workers {
			w.symmetric = symmetric
		}
		n.key = n.keyOf(symmetric)
		b.team.workers[0].probe(n)
	}
	l, u := n.bounds()
	return int(l), int(u)
}

// question returns what to ask next. A far bound is halved first: a quick win is soon found
// or excluded. Then who wins: that is cheap, because the strategies' bounds tell. Then on
// from there, in steps that double: the nearer to 0, the dearer is a question that fails,
// so that the last one, whether it can be one stone quicker, should be the only one.
func (b *best) question(lower, upper int) int {
	switch {
	case upper > far && lower <= upper/2:
		return upper/2 + 1
	case lower < -far && upper >= lower/2:
		return lower / 2
	case lower < 1 && upper >= 1:
		return 1
	}
	step := b.step
	b.step *= 2
	if lower >= 1 {
		return min(lower+step, upper)
	}
	return max(upper-step+1, lower+1)
}

// far is where a bound is so far from 0 that half of it is asked for first.
const far = 10

// ask implements prover. What it learns becomes the root's bound for the next question.
func (b *best) ask(t int) (bound int, ok bool) {
	n := &b.root
	turn := int32(t)
	if !n.same {
		turn = 1 - turn
	}
	v, ok := b.team.search(n, turn)
	if !ok {
		return 0, false
	}
	if v >= turn {
		n.lower = v
	} else {
		n.upper = v
	}
	if !n.same {
		v = -v
	}
	return int(v), true
}

func (b *best) nodes() uint64                   { return b.team.nodes.Load() }
func (b *best) clear(ctx context.Context) error { return b.table.Clear(ctx) }
func (b *best) close() error                    { return b.table.Close() }
func (b *best) size() uint64                    { return b.table.Shape().Bytes() }
func (b *best) full() int                       { return b.table.Full() }
