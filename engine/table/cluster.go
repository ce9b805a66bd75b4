package table

import (
	"context"
	"fmt"

	"trefoil/cluster"
	"trefoil/engine/memory"
	"trefoil/internal/container"
	"trefoil/internal/mem"
)

// Spec says how a cluster.Table is to be made.
type Spec struct {
	memory.Size
	Index   cluster.Index
	KeyBits int
	Pages   mem.Pages
	Sharing cluster.Sharing // the zero value: not shared
}

// ClusterOwner owns a cluster.Table.
type ClusterOwner struct {
	*Owner[*cluster.Table]
	spec Spec // of the table
	kept bool
}

// NewClusterOwner returns an owner without a table.
func NewClusterOwner(notices *Notices) *ClusterOwner {
	c := new(ClusterOwner)
	c.Owner = NewOwner(notices, c.describe)
	return c
}

// Size is the size with which the table was made, or, if it is lost, what is left of the size that it had.
func (c *ClusterOwner) Size() memory.Size {
	if c.Lost() {
		return left(c.table)
	}
	return c.spec.Size
}

// left is the size of a table that is lost: all of what it had, or as much as is usable.
func left(t *cluster.Table) memory.Size {
	p := t.Plan()
	size, usable := memory.Whole(p.MiB<<20), t.Usable()
	if usable < p.Clusters*cluster.BytesPerCluster {
		size = size.AtMost(usable)
	}
	return size
}

// Lost reports whether the table was shared and its memory was lost (cluster.Table.Lost). The next table
// that is made replaces it.
func (c *ClusterOwner) Lost() bool { return !c.Empty() && c.table.Lost() }

// Kept reports whether the table has had entries of a file or of a table of another Spec, and has not been
// cleared since.
func (c *ClusterOwner) Kept() bool { return c.kept }

// Resize replaces the table unless it already has this Spec. The new table takes the entries over in the
// background; if it cannot, a notice says why. After an error the old table stays. use is called with the new table
// before the old one is closed. ctx bounds the wait for processes that share the table.
func (c *ClusterOwner) Resize(ctx context.Context, spec Spec, use func(*cluster.Table)) error {
	if !c.Empty() && spec == c.spec && !c.Lost() {
		return nil
	}
	c.Warn(spec)
	old := c.table
	options := []cluster.Option{cluster.KeyBits(spec.KeyBits), cluster.Memory(c.Memory(spec.Size, spec.Pages))}
	if spec.Sharing.Name != "" {
		options = append(options, cluster.Shared(spec.Sharing), cluster.Within(ctx))
	}
	t, err := cluster.New(spec.MiB(), spec.Index, options...)
	if err != nil {
		return err
	}
	was := c.spec.Sharing
	c.spec = spec
	if has := t.Plan().MiB; has != spec.MiB() {
		c.notices.Add(fmt.Sprintf("shared hash %q already has %d MiB: Hash %d has no effect", t.Name(), has, spec.MiB()))
	}
	t.OnLoss(func() { c.notices.Add(lossLine(spec.Sharing.Name, t)) })
	use(t)
	// The entries of another evaluation or rule are of no use.
	relabelled := was.Name != "" && spec.Sharing.Name != "" && was.Label != spec.Sharing.Label
	if old != nil && !relabelled && (!c.beingCleared() || c.Shared()) {
		c.CompleteClear() // of a shared table, which the new one may be too
		c.Stop()
		c.hide()
		had := !old.Unused()
		err := t.Inherit(old)
		if err == nil {
			c.kept = c.kept || had
			c.Succeed(t)
			return nil
		}
		c.notices.Add("the entries of the hash are not kept: " + err.Error())
	}
	c.kept = false
	c.Replace(t)
	return nil
}

// lossLine says what happened to a table that is lost.
func lossLine(name string, t *cluster.Table) string {
	return fmt.Sprintf("shared hash %q: its memory is lost, because its file was cut short; this process goes on with an "+
		"empty hash of its own, %v", name, left(t))
}

// Warn tells the user what a table of that size and index has to do without. It is shown also if the machine has no
// memory for it.
func (c *ClusterOwner) Warn(spec Spec) {
	if plan, err := cluster.PlanFor(spec.MiB(), spec.Index); err == nil && plan.Warning != "" {
		c.notices.Add(plan.Warning)
	}
}

// Clear empties the table in the background, unless other processes use it.
func (c *ClusterOwner) Clear() {
	if err := c.alone(); err != nil {
		c.notices.Add("not cleared: " + err.Error())
		return
	}
	c.kept = false
	c.Owner.Clear()
}

// alone returns an error if other processes use the table.
func (c *ClusterOwner) alone() error {
	if c.Empty() {
		return nil
	}
	return c.table.Alone()
}

// Shared reports whether the table is one that processes share.
func (c *ClusterOwner) Shared() bool { return !c.Empty() && c.table.Name() != "" }

// Line describes the table, how full it is in permille, and how many other processes use it.
func (c *ClusterOwner) Line() string {
	line := c.Owner.Line((*cluster.Table).Full)
	if !c.Shared() {
		return line
	}
	others, err := c.table.Others()
	if err != nil {
		return line + ", " + err.Error()
	}
	return fmt.Sprintf("%s, other processes %d", line, others)
}

// Save writes the table to a file or a stream, after any clearing or rehash. progress is called with bytes.
func (c *ClusterOwner) Save(ctx context.Context, out container.Output, label cluster.Label,
	progress func(done, total uint64)) (cluster.Header, error) {
	if c.Empty() {
		return cluster.Header{}, ErrNone
	}
	if !c.background.awaitPrepared(ctx, 0) {
		return cluster.Header{}, fmt.Errorf("saving the hash: %w", context.Cause(ctx))
	}
	return c.table.Save(ctx, out, label, progress)
}

// Load replaces the entries by the entries of a file or a stream, of any size; there must be a table. After
// an error the table is as it was, and the error names what would make the file fit.
func (c *ClusterOwner) Load(ctx context.Context, in container.Input, label cluster.Label,
	progress func(done, total uint64)) (cluster.Header, error) {
	if err := c.alone(); err != nil {
		return cluster.Header{}, err
	}
	if c.clearing && !c.background.awaitPrepared(ctx, 0) {
		return cluster.Header{}, fmt.Errorf("loading the hash: %w", context.Cause(ctx))
	}
	c.Stop()
	defer c.Resume()
	h, err := c.table.Load(ctx, in, label, progress)
	if err == nil {
		c.kept = true
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
		err = fmt.Errorf("%w, %s", err, h.Size())
	case h.KeyBits < c.spec.KeyBits:
		err = fmt.Errorf("%w: set HashKeyBits to %d for it", err, h.KeyBits)
	}
	return h, err
}

// describe returns the line about a table: its size, its index, and the pages that it lies on
// once they are known.
func (c *ClusterOwner) describe(t *cluster.Table) string {
	p := t.Plan()
	line := "hash " + memory.Whole(p.MiB<<20).AtMost(t.Usable()).String()
	if t.Name() != "" {
		line += fmt.Sprintf(" shared as %q", t.Name())
	}
	pages := c.Pages(t.Memory())
	line += fmt.Sprintf(": %d clusters, index %s, %s", p.Clusters, p.Index, pages)
	if bits := t.KeyBits(); bits < cluster.MaxKeyBits {
		line += fmt.Sprintf(", only %d key bits", bits)
	}
	if kept, read, ok := t.Rehashed(); ok {
		line += fmt.Sprintf(", kept %d of %d entries", kept, read)
	}
	return line
}
