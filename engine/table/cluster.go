package table

import (
	"context"
	"fmt"

	"trefoil/cluster"
)

// Cluster owns a cluster.Table.
type Cluster struct {
	*Owner[*cluster.Table]
	mib     uint64
	index   cluster.Index
	keyBits int
	loaded  bool
}

// NewCluster returns an owner without a table.
func NewCluster(notices *Notices) *Cluster {
	c := new(Cluster)
	c.Owner = NewOwner(notices, c.describe)
	return c
}

// MiB is the size with which the table was made.
func (c *Cluster) MiB() uint64 { return c.mib }

// Loaded reports whether the table comes from a file and has not been cleared since.
func (c *Cluster) Loaded() bool { return c.loaded }

// Resize replaces the table by one of another size, index or number of key bits, unless it
// has all of them. After an error the old table stays. use is called with the new table before
// the old one is closed.
func (c *Cluster) Resize(mib uint64, index cluster.Index, keyBits int, use func(*cluster.Table)) error {
	if !c.Empty() && mib == c.mib && index == c.index && keyBits == c.keyBits {
		return nil
	}
	plan, err := cluster.PlanFor(mib, index)
	if err != nil {
		return err
	}
	if plan.Warning != "" {
		c.notices.Add(plan.Warning)
	}
	t, err := cluster.New(mib, index, cluster.KeyBits(keyBits), cluster.Releasing(c.table))
	if err != nil {
		return err
	}
	c.mib, c.index, c.keyBits, c.loaded = mib, index, keyBits, false
	use(t)
	c.Replace(t)
	return nil
}

// Clear empties the table in the background.
func (c *Cluster) Clear() {
	c.loaded = false
	c.Owner.Clear()
}

// Save writes the table to a file, after any clearing. progress is called with bytes.
func (c *Cluster) Save(path string, label cluster.Label, progress func(done, total uint64)) (cluster.Header, error) {
	if c.Empty() {
		return cluster.Header{}, ErrNone
	}
	c.background.awaitCleared(context.Background(), 0)
	return c.table.Save(context.Background(), path, label, progress)
}

// Load replaces the entries by those of a file; there must be a table. After an error the
// table is as it was, and the error names the options that would make the file fit.
func (c *Cluster) Load(path string, label cluster.Label, progress func(done, total uint64)) (cluster.Header, error) {
	c.background.awaitCleared(context.Background(), 0)
	c.Stop()
	defer c.Resume()
	h, err := c.table.Load(context.Background(), path, label, progress)
	if err == nil {
		c.loaded = true
		return h, nil
	}
	switch plan := c.table.Plan(); {
	case h.Label != label: // no option would help
	case h.Clusters != plan.Clusters || h.Index != plan.Index:
		err = fmt.Errorf("%w: set Hash to %d and HashIndex to %s for it", err, h.Clusters/cluster.ClustersPerMiB, h.Index)
	case h.KeyBits != c.keyBits:
		err = fmt.Errorf("%w: set HashKeyBits to %d for it", err, h.KeyBits)
	}
	return h, err
}

// describe returns the line about a table: its size, its index, and how much of it lies on huge
// pages once that is known.
func (c *Cluster) describe(t *cluster.Table) string {
	p := t.Plan()
	line := fmt.Sprintf("hash %d MiB: ", p.Allocated)
	if p.Allocated != p.MiB {
		line = fmt.Sprintf("hash %d MiB of %d: ", p.Allocated, p.MiB)
	}
	pages := c.Pages(p.Clusters*cluster.BytesPerCluster, t.HugeBytes)
	line += fmt.Sprintf("%d clusters, index %s, %s", p.Clusters, p.Index, pages)
	if bits := t.KeyBits(); bits < cluster.MaxKeyBits {
		line += fmt.Sprintf(", only %d key bits", bits)
	}
	return line
}
