package exact

import (
	"context"
	"fmt"
	"math"

	"trefoil/game/connect4"
	"trefoil/internal/mem"
	"trefoil/remainder"
)

// SetThreads changes the number of workers; Tutorial always has one.
func (s *Solver) SetThreads(n int) {
	b, ok := s.prover.(*best)
	if !ok {
		return
	}
	n = max(1, min(n, MaxThreads))
	b.pool.workers = b.pool.workers[:min(n, len(b.pool.workers))]
	for len(b.pool.workers) < n {
		b.pool.workers = append(b.pool.workers, &worker{table: b.table, pool: &b.pool})
	}
}

// Prefault touches all memory of the table, so that no search has to wait for the first touch of a
// page. It may run beside anything but Close, and ends with ctx.
func (s *Solver) Prefault(ctx context.Context) error {
	if b, ok := s.prover.(*best); ok {
		return b.table.Prefault(ctx)
	}
	return nil
}

// maxHash is the largest number of MiB whose bytes do not overflow.
const maxHash = math.MaxInt64 >> 20

// Memory says how the table lies in memory now. Nothing is known of Tutorial's.
func (s *Solver) Memory() mem.Usage {
	if b, ok := s.prover.(*best); ok {
		return b.table.Memory()
	}
	return mem.Usage{Size: s.Size()}
}

// Shape returns the shape of the table that New makes for hash MiB.
func Shape(hash int) (remainder.Shape, error) {
	if hash < 1 || int64(hash) > maxHash {
		return remainder.Shape{}, fmt.Errorf("exact: %d MiB: want 1 to %d", hash, int64(maxHash))
	}
	return shapeOf(uint64(hash) << 20)
}

// shapeOf is Shape for a number of bytes.
func shapeOf(bytes uint64) (remainder.Shape, error) {
	shape, err := remainder.Plan(bytes, 4, connect4.MaxKey)
	shape.KeyBits = keyBits // one number for all sizes; the others hold the value
	return shape, err
}

// String describes the table.
func (s *Solver) String() string {
	b, ok := s.prover.(*best)
	if !ok {
		return fmt.Sprintf("%d bytes, the tutorial's", s.Size())
	}
	shape := b.table.Shape()
	return fmt.Sprintf("%d buckets of %d, %d key bits, exact", shape.Buckets, shape.EntriesPerBucket, shape.KeyBits)
}
