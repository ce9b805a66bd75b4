package registry

import (
	"context"
	"fmt"
	"time"
)

// Perft counts the leaves of the game tree of a position, move by move.
type Perft struct {
	Notes []string // what was repaired in the position
	Moves []string // of the root
	// Count returns how many leaves lie below move i of the root, or the error of ctx with the number counted
	// so far.
	Count func(ctx context.Context, i int) (leaves uint64, err error)
	Speed bool // Run prints a line with the speed before the last one
}

// Run prints the notes, the leaves below every move and, on the last line, their sum.
func (p *Perft) Run(ctx context.Context, print func(string)) error {
	for _, note := range p.Notes {
		print(note)
	}
	start := time.Now()
	total, err := p.count(ctx, func(move string, n uint64) { print(fmt.Sprintf("%s: %d", move, n)) })
	if err != nil {
		return fmt.Errorf("stopped after %d leaves", total)
	}
	if p.Speed {
		d := max(time.Since(start), time.Microsecond)
		print(fmt.Sprintf("time %d ms, %.1f million leaves per second", d.Milliseconds(), float64(total)/d.Seconds()/1e6))
	}
	print(fmt.Sprintf("Nodes searched: %d", total))
	return nil
}

// Total returns the number of leaves, or the error of ctx.
func (p *Perft) Total(ctx context.Context) (leaves uint64, err error) {
	return p.count(ctx, func(string, uint64) {})
}

func (p *Perft) count(ctx context.Context, each func(move string, leaves uint64)) (total uint64, err error) {
	for i, move := range p.Moves {
		n, err := p.Count(ctx, i)
		total += n
		if err != nil {
			return total, err
		}
		each(move, n)
	}
	return total, nil
}
