package exact

import (
	"context"
	"errors"

	"trefoil/game/connect4"
	"trefoil/internal/container"
	"trefoil/remainder"
)

// after returns bounds of the score of p, for its mover, which cannot win at once, if it plays a column: by the rules
// and the table.
func (b *best) after(p connect4.Position, col int) (lower, upper int32) {
	n := newNode(p)
	var c node
	cell := set(p.Moves()) & b.board.Column(col)
	n.child(b.board, cell, &c)
	all := c.mover | c.other
	if c.moverWins&b.board.Moves(all) != 0 {
		loss := -(b.board.cells - n.ply) / 2
		return loss, loss
	}
	if all == b.board.All {
		return 0, 0
	}
	if !c.resolve(b.board) {
		c.bound(b.board, 0)
		c.bound(b.board, 1)
		c.setKey(b.board, n.canMirror(b.board))
		b.pool.workers[0].probe(&c)
	}
	return c.bounds()
}

// bounds is Solver.Bounds.
func (b *best) bounds(value uint64) (lower, upper, work int) {
	l, u := unpack(value)
	n := value >> workShift << (b.board.workDrop & 63) >> 6
	return int(l), int(u), max(int(n)-1, 0)
}

// write writes all entries and returns how many there are.
func (b *best) write(ctx context.Context, w *container.Writer) (entries uint64, err error) {
	block := make([]byte, 0, container.MaxBlock)
	for key, value := range b.table.All() {
		value = value>>workShift<<workShift<<b.board.workDrop | value&boundsMask
		block = appendEntry(block, b.on(), key, value)
		if entries++; len(block)+entryBytes(b.on()) <= cap(block) {
			continue
		}
		if err := errors.Join(ctx.Err(), w.WriteBlock(block)); err != nil {
			return 0, err
		}
		block = block[:0]
	}
	if len(block) > 0 {
		err = w.WriteBlock(block)
	}
	return entries, err
}

// load fills the table with the entries of a file of the same board, see Solver.Load.
func (b *best) load(ctx context.Context, f *file) error {
	if !b.isEmpty() {
		if err := f.Keep(); err != nil {
			return err
		}
		if err := f.each(ctx, func(remainder.Key, uint64) {}); err != nil {
			return err
		}
		if err := b.clear(context.Background()); err != nil { // all of it, whatever comes
			return err
		}
	}
	b.pool.before = f.most()
	b.pool.makeRoom()
	entries := uint64(0)
	err := f.each(ctx, func(key remainder.Key, value uint64) {
		entries++
		b.table.Store(key, value>>workShift>>b.board.workDrop<<workShift|value&boundsMask)
	})
	if err != nil {
		_ = b.clear(context.Background()) // which fails only if the memory is gone
		return err
	}
	b.pool.before = entries
	return nil
}

// isEmpty reports whether the table has no entry.
func (b *best) isEmpty() bool {
	for range b.table.All() {
		return false
	}
	return true
}
