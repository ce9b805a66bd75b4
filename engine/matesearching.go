package engine

import (
	"context"
	"errors"

	"trefoil/cluster"
	"trefoil/options"
	"trefoil/search"
)

// matesearching is what the games share that prove mates beside their usual search.
type matesearching struct {
	searching
	proofs *proofs // made by `go mate`, given back by a usual search
}

func newMatesearching(opts *options.Set, told *notices, label cluster.Label) matesearching {
	return matesearching{searching: newSearching(opts, told, label), proofs: newProofs(new(notices))}
}

func (m *matesearching) newGame(keep bool) {
	m.searching.newGame(keep)
	if !keep {
		m.proofs.clear()
	}
}

func (m *matesearching) leave() error { return errors.Join(m.proofs.close(), m.searching.leave()) }

func (m *matesearching) clear() {
	m.searching.clear()
	m.proofs.clear()
}

func (m *matesearching) resize(mib uint64) error {
	if mib != m.table.asked {
		if err := m.proofs.close(); err != nil {
			return err
		}
	}
	return m.searching.resize(mib)
}

// giveBack gives the table for proofs back.
func (m *matesearching) giveBack(report func(search.Info)) {
	if err := m.proofs.close(); err != nil {
		report(search.Info{Text: staysTaken + err.Error()})
	}
}

// prepare sees to it that there is a table for proofs of so many MiB that is fit for a search
// of a side, and says what it is, beginning with a prefix.
func (m *matesearching) prepare(ctx context.Context, mib uint64, limits *search.Limits, side int, prefix string, report func(search.Info)) error {
	if !m.proofs.empty() && m.proofs.held.MiB() != mib {
		if err := m.proofs.close(); err != nil {
			return err
		}
	}
	err := m.proofs.ready(mib, m.proofs.resize)
	for _, line := range m.proofs.notices.take() {
		report(search.Info{Text: prefix + line})
	}
	if err != nil {
		return err
	}
	m.proofs.await(ctx, patience(limits, side))
	m.proofs.held.NewSearch()
	return nil
}
