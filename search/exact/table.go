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
	b.setThreads(n)
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

// Prefault touches all memory of the table, so that no search has to wait for the first touch of a
// page. It may run concurrently with anything, and ends with ctx or at Close.
func (s *Solver) Prefault(ctx context.Context) error {
	if b, ok := s.prover.(*best); ok {
		return b.table.Prefault(ctx)
	}
	return nil
}

// maxHash is the largest number of MiB whose bytes do not overflow.
const maxHash = math.MaxInt64 >> 20

// Memory describes the memory of the table as of now; of Tutorial's only the size is known.
func (s *Solver) Memory() mem.Usage {
	if b, ok := s.prover.(*best); ok {
		return b.table.Memory()
	}
	return mem.Usage{Size: s.Size()}
}

// Ordinary returns how many bytes of the table are not on reserved pages.
func (s *Solver) Ordinary() uint64 {
	if b, ok := s.prover.(*best); ok {
		return b.table.Ordinary()
	}
	return s.Size()
}

// Freed returns how many bytes of memory become available when the solver is closed; those of Tutorial are not counted.
func (s *Solver) Freed() uint64 {
	if b, ok := s.prover.(*best); ok {
		return b.table.Freed()
	}
	return 0
}

// Shape returns the shape of the table that New makes for hash MiB, or an error that names what does not
// fit. It has at least 40 key bits, and up to 48 three more than are exact for the keys of the board, so that a part
// of the table is exact too (see remainder.Growing).
func Shape(b *connect4.Board, hash int) (remainder.Shape, error) {
	if hash < 1 || int64(hash) > maxHash {
		return remainder.Shape{}, fmt.Errorf("a table of %d MiB: expected 1 to %d", hash, int64(maxHash))
	}
	shape, err := shapeOf(b, uint64(hash)<<20)
	if err != nil {
		err = fmt.Errorf("board %v, table of %d MiB: %w", b, hash, err)
	}
	return shape, err
}

// shapeOf is Shape for a number of bytes.
func shapeOf(b *connect4.Board, bytes uint64) (remainder.Shape, error) {
	if least := leastBytes(b); bytes < least {
		return remainder.Shape{}, fmt.Errorf("its keys have %d bits, which takes at least %d MiB", keyBitsOf(b),
			(least+1<<20-1)>>20)
	}
	shape, err := remainder.Plan(bytes, 4, b.MaxKey, remainder.Wide(b.MaxHigh))
	shape.KeyBits = max(leastKeyBits, shape.KeyBits, min(shape.KeyBits+3, growingKeyBits)) // the others hold the value
	return shape, err
}

// keyBitsOf returns how many bits the keys of a board have.
func keyBitsOf(b *connect4.Board) int { return b.Cells + b.Width }

// leastBytes returns the fewest bytes for which there is a shape for the board: for twice the buckets that the key
// bits take for which an entry has no room.
func leastBytes(b *connect4.Board) uint64 {
	return max(mem.Least, uint64(64)<<max(keyBitsOf(b)-mostKeyBits, 0))
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
