package engine

import (
	"fmt"

	"trefoil/cluster"
)

// store is the shelf of a cluster.Table.
type store struct {
	shelf[*cluster.Table]
	asked uint64        // MiB
	index cluster.Index // as asked for
	bits  int           // of a key that are compared

	loaded bool // from a file, since it was made or cleared
}

func newStore(told *notices) *store {
	s := &store{shelf: shelf[*cluster.Table]{notices: told}}
	s.describe = s.text
	return s
}

// resize replaces the table by one of another size, index or number of key bits, unless it
// has all of them already. If that fails the old table stays. use is told of the new table before
// the old one is closed.
func (s *store) resize(mib uint64, index cluster.Index, bits int, use func(*cluster.Table)) error {
	if !s.empty() && mib == s.asked && index == s.index && bits == s.bits {
		return nil
	}
	plan, err := cluster.PlanFor(mib, index)
	if err != nil {
		return err
	}
	if plan.Warning != "" {
		s.notices.add(plan.Warning)
	}
	t, err := cluster.New(mib, index, cluster.KeyBits(bits), cluster.Releasing(s.held))
	if err != nil {
		return err
	}
	s.asked, s.index, s.bits, s.loaded = mib, index, bits, false
	use(t)
	s.put(t)
	return nil
}

// text tells about the table: its size, its index, and how much of it lies on huge
// pages, once that is settled.
func (s *store) text() string {
	p := s.held.Plan()
	line := fmt.Sprintf("hash %d MiB: ", p.Allocated)
	if p.Allocated != p.MiB {
		line = fmt.Sprintf("hash %d MiB of %d: ", p.Allocated, p.MiB)
	}
	pages := s.pages(p.Clusters*cluster.BytesPerCluster, s.held.HugeBytes)
	line += fmt.Sprintf("%d clusters, index %s, %s", p.Clusters, p.Index, pages)
	if bits := s.held.KeyBits(); bits < cluster.MaxKeyBits {
		line += fmt.Sprintf(", only %d key bits", bits)
	}
	return line
}
