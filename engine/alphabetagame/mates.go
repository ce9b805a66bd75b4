package alphabetagame

import (
	"context"
	"fmt"
	"time"

	"trefoil/engine/memory"
	"trefoil/engine/table"
	"trefoil/internal/mem"
	"trefoil/search"
	"trefoil/search/clock"
	"trefoil/search/mate"
	"trefoil/window"
)

// goMate is what the table for mates is for, as a part of the memory.
const goMate = "go mate"

// Spare is registry.Sparer.Spare: it closes the table for mates.
func (p *Player) Spare() bool {
	return !p.mates.Empty() && p.closeMates() == nil
}

// closeMates closes the table for mates, if there is one.
func (p *Player) closeMates() error {
	p.env.Memory.Free(goMate)
	return p.mates.Close()
}

// CloseMates closes the table for mates, and reports if it cannot be closed.
func (p *Player) CloseMates(report func(search.Info)) {
	if err := p.closeMates(); err != nil {
		report(search.Info{Text: table.NotReleased + err.Error()})
	}
}

// PrepareMates makes a table for mates of that many bytes unless there is one, waits until a search
// for a side can use it, and returns it. Reports of the table begin with prefix.
func (p *Player) PrepareMates(ctx context.Context, bytes uint64, limits *search.Limits, side int, prefix string,
	report func(search.Info)) (*window.Table, error) {
	if !p.mates.Empty() && p.mates.Size().Asked != bytes {
		if err := p.closeMates(); err != nil {
			return nil, err
		}
	}
	err := p.firstMates(bytes)
	for _, line := range p.mates.Notices().Take() {
		report(search.Info{Text: prefix + line})
	}
	if err != nil {
		return nil, err
	}
	timeout := clock.ClearTimeout(limits, side)
	if limits.Mate == 0 && p.repeatable(limits) { // a search for mates alone counts real time
		timeout = 0
	}
	p.mates.AwaitReady(ctx, timeout)
	p.mates.Table().NewSearch()
	return p.mates.Table(), nil
}

// firstMates makes a table for mates of that many bytes, or as many as fit, unless there is one.
func (p *Player) firstMates(bytes uint64) error {
	if !p.mates.Empty() {
		return nil
	}
	fits, why := p.env.Memory.FixAtMost(goMate, bytes, mem.Smallest)
	err := p.mates.First(memory.Whole(bytes).AtMost(fits), why, func(size memory.Size) error {
		return p.mates.Resize(size, p.Options.HashPages.Value())
	})
	if err == nil {
		_, _ = p.env.Memory.FixAtMost(goMate, p.mates.Size().Bytes, p.mates.Size().Bytes)
	}
	return err
}

// MateProgress returns a report of a search for mates that is running.
func MateProgress(p mate.Progress) search.Info {
	side := "mate"
	if p.Opponent {
		side = "mated"
	}
	within := ""
	if p.Moves != mate.Endless {
		within = fmt.Sprintf(" in %d", p.Moves)
	}
	return search.Info{Text: fmt.Sprintf("%s%s: proof number %d, disproof number %d, nodes %d, nps %.0f, hashfull %d",
		side, within, p.Phi, p.Delta, p.Nodes, float64(p.Nodes)/max(p.Time, time.Millisecond).Seconds(), p.HashFull)}
}
