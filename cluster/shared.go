package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"

	"trefoil/internal/mem"
	"trefoil/internal/shm"
)

// Sharing is the name of a table that processes share, and what they must agree on besides the
// index and the key bits.
type Sharing struct {
	Name string // see CheckName
	Label
}

// Shared makes New join the table of that name, or create it if there is none. All processes of one user on
// one machine that give this name use one table, on Linux and macOS.
//
// The first process sets the size of the table; the others get it in that size, whatever they ask for. A
// process that is alone can change the size: New with the old table as MemoryOptions.Releasing creates
// another one under the name. While other processes use the table that is refused.
//
// If the table exists but no process uses it, because all have died, and New asks for another size, it
// creates a table of that size, which inherits the entries; as after Inherit, Rehash or Prefault moves
// them. With the index pow2 New returns the table in the size that it has.
//
// If a program cuts the file of the table short, the table is Lost; whoever probes and stores needs Guard.
//
// A table is refused, with what differs, if it does not belong to this user alone, is damaged, or has
// another Label, index, number of key bits or version of the layout.
func Shared(with Sharing) Option { return func(c *config) { c.sharing = &with } }

// Within gives New a context. When that ends, New waits no longer for another process that makes, joins or
// leaves the shared table, and gives up making one of many GiB.
func Within(ctx context.Context) Option { return func(c *config) { c.ctx = ctx } }

// CheckName returns an error unless name can be the name of a shared table: 1 to 40 letters, digits, -
// and _.
func CheckName(name string) error { return shm.CheckName(name) }

// sharedHeader describes a shared table in its segment.
type sharedHeader struct {
	Label
	Layout   int    `json:"layout"`
	MiB      uint64 `json:"mib"`
	Clusters uint64 `json:"clusters"`
	Index    Index  `json:"index"`
	KeyBits  int    `json:"key_bits"`
}

// shared is the part of a Table that only a shared one has.
//
// The count of its generations is in the state of the segment. Each process has a copy in Table.aging,
// which Probe and Store use, and updates it when it begins a search, and from time to time during one
// (Synchronize).
type shared struct {
	*shm.Segment
	generations *atomic.Uint64
	others      func() int // Segment.OthersLately, but in a test
	loss
}

// joinShared is New for a shared table.
func joinShared(mib uint64, index Index, c config) (*Table, error) {
	dir, err := shm.Default()
	if err != nil {
		return nil, fmt.Errorf("shared hash %q: %w", c.sharing.Name, err)
	}
	plan, err := PlanFor(mib, index)
	if err != nil {
		return nil, err
	}
	ours := sharedHeader{
		Label: c.sharing.Label, Layout: layout,
		MiB: mib, Clusters: plan.Clusters, Index: plan.Index, KeyBits: c.checkBits,
	}
	want := shm.Want{Header: ours, Bytes: plan.Clusters * BytesPerCluster}
	want.Room = func() error { return mem.Fits(want.Bytes) } // it is allocated before an old table is closed
	if old, ok := c.Releasing.(*Table); ok && old != nil && old.Name() == c.sharing.Name {
		want.Own = old.shared.Segment
	}
	var found Plan // of the table that exists
	want.Accept = func(decode func(any) error, others int) (uint64, error) {
		var theirs sharedHeader
		if err := decode(&theirs); err != nil {
			return 0, err
		}
		err := theirs.differs(ours, index)
		own, alone := want.Own != nil, others == 0
		if err != nil && !(own && alone) {
			return 0, err
		}
		bytes := theirs.Clusters * BytesPerCluster
		if err != nil {
			return bytes, shm.ErrRenew
		}
		if found, err = PlanFor(theirs.MiB, index); err != nil || found.MiB == mib {
			return bytes, err
		}
		switch {
		case alone && (own || found.Index != Pow2):
			return bytes, shm.ErrRenew
		case own:
			return 0, fmt.Errorf("size is %d MiB, and %s", theirs.MiB, inUse(others))
		}
		return bytes, nil
	}
	s, err := dir.Join(c.ctx, c.sharing.Name, want)
	if err != nil {
		return nil, err
	}
	if !s.Made() {
		return sharedTable(s, found, c.checkBits), nil
	}
	t := sharedTable(s, plan, c.checkBits)
	if r := s.Replaced(); r != nil {
		if err := t.Inherit(sharedTable(r, found, c.checkBits)); err != nil {
			return nil, errors.Join(err, t.Close())
		}
	}
	return t, nil
}

// sharedTable returns a table whose clusters are the contents of a segment.
func sharedTable(s *shm.Segment, plan Plan, checkBits int) *Table {
	t := tableOf(s.Contents(), plan, checkBits)
	t.shared = &shared{Segment: s, generations: s.State(0), others: s.OthersLately}
	t.written.set(true) // another process may have stored something
	t.Synchronize()
	t.begun.Store(t.generation.Load())
	return t
}

// inUse says that a table is in use.
func inUse(others int) string {
	if others == 1 {
		return "1 other process uses it"
	}
	return fmt.Sprintf("%d other processes use it", others)
}

// differs returns an error that names the first difference, other than the size, between a table and
// what is wanted.
func (h sharedHeader) differs(want sharedHeader, index Index) error {
	plan, err := PlanFor(h.MiB, index)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"game", h.Game, want.Game},
		{"seed", h.Seed, want.Seed},
		{"layout", h.Layout, want.Layout},
		{"evaluation", h.Evaluation, want.Evaluation},
		{"index", h.Index, plan.Index},
		{"count of key bits", h.KeyBits, want.KeyBits},
		{"count of clusters", h.Clusters, plan.Clusters},
	} {
		if c.got != c.want {
			return fmt.Errorf("%s is %v, expected %v", c.what, c.got, c.want)
		}
	}
	return nil
}

// Name is the name of a shared table, "" of any other, and of one that is Lost.
func (t *Table) Name() string {
	if t.shared == nil || t.Lost() {
		return ""
	}
	return t.shared.Name()
}

// Others counts the other processes that share the table. It is an error if the name now belongs to
// another table.
func (t *Table) Others() (int, error) {
	if t.shared == nil || t.Lost() {
		return 0, nil
	}
	return t.shared.Others()
}

// Alone returns an error, with their number, if other processes share the table.
func (t *Table) Alone() error {
	others, err := t.Others()
	if err == nil && others > 0 {
		err = fmt.Errorf("shared hash %q: %s", t.Name(), inUse(others))
	}
	return err
}

// Synchronize takes over the generations of a shared table that other processes have begun. A search
// calls it a few times a second. It may run concurrently with anything but NewSearch.
func (t *Table) Synchronize() {
	if t.shared != nil {
		t.again(t.adopt)
	}
}

// adopt takes over the generation that all processes share.
func (t *Table) adopt() {
	if now := t.shared.generations.Load() << generationShift; now != t.generation.Load() {
		t.generation.Store(now)
	}
}

// setGeneration begins a search in generation g, 0 to 63, for all processes.
func (t *Table) setGeneration(g int) {
	if t.shared == nil {
		t.aging.reset(uint64(g))
		return
	}
	t.again(func() {
		now := t.shared.generations.Load()
		t.shared.generations.Add((uint64(g) - now) % generations)
		t.adopt()
	})
	t.begun.Store(t.generation.Load())
}

// newSearch is NewSearch of a shared table. Each process adds its share of the generations of a search,
// so entries age by one search once every process has begun one.
func (t *Table) newSearch() {
	others := 0
	if !t.Lost() {
		others = t.shared.others()
		t.shared.losing.Lock()
		t.shared.most = others
		t.shared.losing.Unlock()
	}
	t.again(func() {
		t.shared.generations.Add(max(1, searchGenerations/uint64(1+others)))
		t.adopt()
	})
	t.begun.Store(t.generation.Load())
}

// A SharedInfo describes a shared table.
type SharedInfo struct {
	Sharing
	Users  int    // processes that use it
	Memory uint64 // bytes that it takes
	Plan   Plan
	Err    error      // why it cannot be used; then only the name is known
	Other  *OtherUser // the owner, if that is not the user of this process; then only the name is known
}

// OtherUser is the owner of a shared table of another user, and the error of whoever names that table.
type OtherUser = shm.OtherUser

// ListShared returns the shared tables of this machine, sorted by name.
func ListShared() ([]SharedInfo, error) {
	dir, err := shm.Default()
	if err != nil {
		return nil, err
	}
	segments, err := dir.List()
	var list []SharedInfo
	for _, s := range segments {
		i := SharedInfo{Sharing: Sharing{Name: s.Name}, Users: s.Users, Memory: s.Memory}
		var h sharedHeader
		if errors.As(s.Err, &i.Other) {
			list = append(list, i)
			continue
		}
		if i.Err = s.Header(&h); i.Err == nil {
			i.Label = h.Label
			i.Plan, i.Err = PlanFor(h.MiB, h.Index)
		}
		list = append(list, i)
	}
	return list, err
}

// RemoveShared removes a shared table, even a damaged one, and returns how many processes go on using it
// until they end.
func RemoveShared(name string) (users int, err error) {
	dir, err := shm.Default()
	if err != nil {
		return 0, err
	}
	users, err = dir.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("shared hash %q: there is none", name)
	}
	return users, err
}
