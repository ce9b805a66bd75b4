package alphabetagame

import (
	"context"
	"fmt"
	"time"

	"trefoil/engine/table"
	"trefoil/search"
	"trefoil/search/clock"
	"trefoil/search/mate"
	"trefoil/window"
)

// CloseMates closes the table for mates.
func (p *Player) CloseMates(report func(search.Info)) {
	if err := p.closeMates(); err != nil {
		report(search.Info{Text: table.NotReleased + err.Error()})
	}
}

// PrepareMates makes a table for mates of that size unless there is one, waits until a search
// for a side can use it, and returns it. Reports of the table begin with prefix.
func (p *Player) PrepareMates(ctx context.Context, mib uint64, limits *search.Limits, side int, prefix string,
	report func(search.Info)) (*window.Table, error) {
	if !p.mates.Empty() && p.mates.Size().MiB != mib {
		if err := p.closeMates(); err != nil {
			return nil, err
		}
	}
	err := p.mates.Ensure(
		func() (table.Size, error) {
			kib, err := p.env.Memory.FixAtMost(goMate, mib<<10, table.Smallest)
			return table.AtMost(mib, kib), err
		},
		func(size table.Size) error { return p.mates.Resize(size, p.Options.HashPages.Value()) })
	if err == nil {
		_, _ = p.env.Memory.FixAtMost(goMate, p.mates.Size().All(), p.mates.Size().All())
	}
	for _, line := range p.mates.Notices().Take() {
		report(search.Info{Text: prefix + line})
	}
	if err != nil {
		return nil, err
	}
	p.mates.AwaitReady(ctx, clock.ClearTimeout(limits, side))
	p.mates.Table().NewSearch()
	return p.mates.Table(), nil
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
