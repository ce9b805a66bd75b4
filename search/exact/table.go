package exact

import (
	"context"
	"fmt"
	"math"

	"trefoil/game/connect4"
	"trefoil/internal/container"
	"trefoil/internal/mem"
	"trefoil/remainder"
)

// MaxThreads is how many workers a Solver may have.
const MaxThreads = 1024

// WorkerBytes returns how many bytes a worker takes.
func WorkerBytes(b *connect4.Board) uint64 {
	if b.Small == nil {
		return workerBytes128(b)
	}
	return workerBytes(b)
}

// tabled is a prover with a table of package remainder: best, or best128 on boards of more than 64 cells.
type tabled interface {
	prover
	whole() *remainder.Table
	on() *connect4.Board
	setThreads(n int)
	after(p connect4.Position, col int) (lower, upper int32)
	bounds(value uint64) (lower, upper, work int)
	write(context.Context, *container.Writer) (entries uint64, err error)
	load(context.Context, *file) error
}

// SetThreads changes the number of workers; Tutorial always has one.
func (s *Solver) SetThreads(n int) {
	b, ok := s.prover.(tabled)
	if !ok {
		return
	}
	n = max(1, min(n, MaxThreads))
	b.setThreads(n)
}

// Prefault touches all memory of the table, so that no search has to wait for the first touch of a
// page. It may run concurrently with anything, and ends with ctx or at Close.
func (s *Solver) Prefault(ctx context.Context) error {
	if b, ok := s.prover.(tabled); ok {
		return b.whole().Prefault(ctx)
	}
	return nil
}

// maxHash is the largest number of MiB whose bytes do not overflow.
const maxHash = math.MaxInt64 >> 20

// Memory describes the memory of the table as of now; of Tutorial's only the size is known.
func (s *Solver) Memory() mem.Usage {
	if b, ok := s.prover.(tabled); ok {
		return b.whole().Memory()
	}
	return mem.Usage{Size: s.Size()}
}

// Ordinary returns how many bytes of the table are not on reserved pages.
func (s *Solver) Ordinary() uint64 {
	if b, ok := s.prover.(tabled); ok {
		return b.whole().Ordinary()
	}
	return s.Size()
}

// Freed returns how many bytes of memory become available when the solver is closed, without the table of Tutorial.
func (s *Solver) Freed() uint64 {
	if b, ok := s.prover.(tabled); ok {
		return b.whole().Freed()
	}
	return 0
}

// Shape returns the shape of the table that New makes for hash MiB, or an error that names what does not
// fit. It has at least 40 key bits, and up to 48 three more than are exact for the keys of the board, so that a part
// of the table is exact too (see remainder.Growing).
func Shape(b *connect4.Board, hash int) (remainder.Shape, error) {
	if b.Small == nil {
		return shape128(b, hash)
	}
	return shape(b, hash)
}

// String describes the table.
func (s *Solver) String() string {
	b, ok := s.prover.(tabled)
	if !ok {
		return fmt.Sprintf("%d bytes, the tutorial's", s.Size())
	}
	shape := b.whole().Shape()
	return fmt.Sprintf("%d buckets of %d, %d key bits, exact", shape.Buckets, shape.EntriesPerBucket, shape.KeyBits)
}
