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
// has all of them. The new table takes the entries over in the background; if it cannot, a notice says
// why. After an error the old table stays. use is called with the new table before the old one is
// closed.
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
	old := c.table
	t, err := cluster.New(mib, index, cluster.KeyBits(keyBits), cluster.Releasing(old))
	if err != nil {
		return err
	}
	c.mib, c.index, c.keyBits = mib, index, keyBits
	use(t)
	if old != nil {
		c.Stop()
		err := t.Inherit(old)
		if err == nil {
			c.Succeed(t)
			return nil
		}
		c.notices.Add("the entries of the hash are not kept: " + err.Error())
	}
	c.loaded = false
	c.Replace(t)
	return nil
}

// Clear empties the table in the background.
func (c *Cluster) Clear() {
	c.loaded = false
	c.Owner.Clear()
}

// Save writes the table to a file, after any clearing or rehash. progress is called with bytes.
func (c *Cluster) Save(path string, label cluster.Label, progress func(done, total uint64)) (cluster.Header, error) {
	if c.Empty() {
		return cluster.Header{}, ErrNone
	}
	c.background.awaitPrepared(context.Background(), 0)
	return c.table.Save(context.Background(), path, label, progress)
}

// Load replaces the entries by those of a file, of any size; there must be a table. After an error
// the table is as it was, and the error names the options that would make the file fit.
func (c *Cluster) Load(path string, label cluster.Label, progress func(done, total uint64)) (cluster.Header, error) {
	if c.clearing {
		c.background.awaitPrepared(context.Background(), 0)
	}
	c.Stop()
	defer c.Resume()
	h, err := c.table.Load(context.Background(), path, label, progress)
	if err == nil {
		c.loaded = true
		if _, _, ok := c.table.Rehashed(); ok {
			c.notices.SetTable(c.describe(c.table))
		}
		return h, nil
	}
	switch {
	case h.Label != label: // no option would help
	case h.Index != c.table.Plan().Index:
		err = fmt.Errorf("%w: set HashIndex to %s for it", err, h.Index)
	case h.Index == cluster.Pow2 && h.Clusters != c.table.Plan().Clusters:
		err = fmt.Errorf("%w: set Hash to %d for it", err, h.Clusters/cluster.ClustersPerMiB)
	case h.KeyBits < c.keyBits:
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
	if kept, read, ok := t.Rehashed(); ok {
		line += fmt.Sprintf(", kept %d of %d entries", kept, read)
	}
	return line
}
