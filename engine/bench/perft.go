package bench

import (
	"context"
	"fmt"
	"time"
)

// Perft counts the leaves of a game tree, move by move.
type Perft struct {
	Moves []string // of the root
	// Count returns how many leaves lie below move i of the root, or the error of ctx with those
	// that it has counted.
	Count func(ctx context.Context, i int) (leaves uint64, err error)
	Speed bool // a line with the speed comes before the last one
}

// Run prints the leaves below every move and, on the last line, their sum.
func (p *Perft) Run(ctx context.Context, print func(string)) error {
	start, total := time.Now(), uint64(0)
	for i, move := range p.Moves {
		n, err := p.Count(ctx, i)
		total += n
		if err != nil {
			return fmt.Errorf("stopped after %d leaves", total)
		}
		print(fmt.Sprintf("%s: %d", move, n))
	}
	if p.Speed {
		d := max(time.Since(start), time.Microsecond)
		print(fmt.Sprintf("time %d ms, %.1f million leaves a second", d.Milliseconds(), float64(total)/d.Seconds()/1e6))
	}
	print(fmt.Sprintf("Nodes searched: %d", total))
	return nil
}
