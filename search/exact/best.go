package exact

import (
	"context"
	"unsafe"

	"trefoil/game/connect4"
	"trefoil/remainder"
)

// workerBytes returns how many bytes a worker takes.
func workerBytes(b *connect4.Board) uint64 {
	return uint64(unsafe.Sizeof(worker{})) + uint64(b.Cells*b.Width)*uint64(unsafe.Sizeof(node{}))
}

// best is the default solver: a pool of workers on one table.
type best struct {
	table *remainder.Table
	board *board
	pool  pool
	root  node
	step  int // of the next question, once the winner is known
}

// newBest allocates the table and the workers.
func newBest(o Options) (*best, error) {
	s, err := shape(o.Board, o.Hash)
	bytes := uint64(o.Hash) << 20
	if err == nil && o.Memory.Bytes > 0 {
		bytes = min(bytes, max(o.Memory.Bytes, leastBytes(o.Board)))
		s, err = shapeOf(o.Board, bytes)
	}
	if err != nil {
		return nil, err
	}
	o.Memory.Bytes = bytes
	table, err := newTable(s, o.Board, remainder.Growing(), remainder.Memory(o.Memory))
	if err != nil {
		return nil, err
	}
	b := &best{table: table, board: newBoard(o.Board, s.KeyBits), pool: pool{table: table}}
	b.setThreads(o.Threads)
	return b, nil
}

// open resolves, bounds and probes the root. After an odd number of forced moves the other side is
// to move: root.sameMover is false.
func (b *best) open(p connect4.Position, q quota) (lower, upper int) {
	b.pool.begin(q)
	b.step = 1
	if !p.Wins().IsZero() {
		v := p.WinScore()
		return v, v
	}
	n := &b.root
	*n = newNode(p)
	if !n.resolve(b.board) {
		n.bound(b.board, 0)
		n.bound(b.board, 1)
		symmetric := n.canMirror(b.board)
		for _, w := range b.pool.workers {
			w.symmetric = symmetric
		}
		n.setKey(b.board, symmetric)
		b.pool.workers[0].probe(n)
	}
	l, u := n.bounds()
	return int(l), int(u)
}

// question returns the next t. A bound far from 0 is halved first, because a quick win is soon
// found or excluded. Then the winner is determined, which the static bounds make cheap. Then t
// moves away from 0 in steps that double: the nearer t is to 0, the more expensive is a search that
// fails, so the only one to fail should be the last, for a win one stone earlier.
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

// far is the bound beyond which question halves.
const far = 10

// ask implements prover. The new bound is also a bound of the root node for the next question.
func (b *best) ask(t int) (bound int, ok bool) {
	n := &b.root
	turn := int32(t)
	if !n.sameMover {
		turn = 1 - turn
	}
	v, ok := b.pool.search(n, turn)
	if !ok {
		return 0, false
	}
	if v >= turn {
		n.lower = v
	} else {
		n.upper = v
	}
	if !n.sameMover {
		v = -v
	}
	return int(v), true
}

// setThreads sets the number of workers.
func (b *best) setThreads(n int) {
	b.pool.workers = b.pool.workers[:min(n, len(b.pool.workers))]
	for len(b.pool.workers) < n {
		w := &worker{board: b.board, table: b.table, pool: &b.pool}
		for ply := range b.board.Cells {
			w.children[ply] = make([]node, b.board.Width)
		}
		b.pool.workers = append(b.pool.workers, w)
	}
}

func (b *best) on() *connect4.Board             { return b.board.on }
func (b *best) nodes() uint64                   { return b.pool.nodes.Load() }
func (b *best) clear(ctx context.Context) error { return b.pool.clear(ctx) }
func (b *best) close() error                    { return b.table.Close() }
func (b *best) size() uint64                    { return b.table.Shape().Bytes() }
func (b *best) full() int                       { return b.table.Full() }
