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
	if err := p.mates.Close(); err != nil {
		report(search.Info{Text: table.NotReleased + err.Error()})
	}
}

// PrepareMates makes a table for mates of that size unless there is one, waits until a search
// for a side can use it, and returns it. Reports of the table begin with prefix.
func (p *Player) PrepareMates(ctx context.Context, mib uint64, limits *search.Limits, side int, prefix string, report func(search.Info)) (*window.Table, error) {
	if !p.mates.Empty() && p.mates.Table().MiB() != mib {
		if err := p.mates.Close(); err != nil {
			return nil, err
		}
	}
	err := p.mates.Ensure(mib, func(mib uint64) error { return p.mates.Resize(mib, p.Options.HashPages.Value()) })
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
