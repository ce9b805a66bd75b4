package engine

import (
	"context"
	"errors"

	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/engine/table"
	"trefoil/search"
	"trefoil/search/clock"
)

// matesearching is what the games share that prove mates beside their usual search.
type matesearching struct {
	searching
	proofs *table.Window // made by `go mate`, given back by a usual search
}

func newMatesearching(opts *config.Options, told *table.Notices, label cluster.Label) matesearching {
	return matesearching{searching: newSearching(opts, told, label), proofs: table.NewWindow(new(table.Notices))}
}

func (m *matesearching) newGame(keep bool) {
	m.searching.newGame(keep)
	if !keep {
		m.proofs.Clear()
	}
}

func (m *matesearching) leave() error { return errors.Join(m.proofs.Close(), m.searching.leave()) }

func (m *matesearching) clear() {
	m.searching.clear()
	m.proofs.Clear()
}

func (m *matesearching) resize(mib uint64) error {
	if mib != m.table.MiB() {
		if err := m.proofs.Close(); err != nil {
			return err
		}
	}
	return m.searching.resize(mib)
}

// giveBack gives the table for proofs back.
func (m *matesearching) giveBack(report func(search.Info)) {
	if err := m.proofs.Close(); err != nil {
		report(search.Info{Text: table.NotReleased + err.Error()})
	}
}

// prepare sees to it that there is a table for proofs of so many MiB that is fit for a search
// of a side, and says what it is, beginning with a prefix.
func (m *matesearching) prepare(ctx context.Context, mib uint64, limits *search.Limits, side int, prefix string, report func(search.Info)) error {
	if !m.proofs.Empty() && m.proofs.Table().MiB() != mib {
		if err := m.proofs.Close(); err != nil {
			return err
		}
	}
	err := m.proofs.Ensure(mib, m.proofs.Resize)
	for _, line := range m.proofs.Notices().Take() {
		report(search.Info{Text: prefix + line})
	}
	if err != nil {
		return err
	}
	m.proofs.AwaitCleared(ctx, clock.ClearTimeout(limits, side))
	m.proofs.Table().NewSearch()
	return nil
}
