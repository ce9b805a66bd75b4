package cluster

import "trefoil/internal/mem"

// PageKind is a kind of memory pages.
type PageKind uint8

// The kinds. Linux has as many reserved pages as the administrator has set aside; the large pages of
// Windows are Pages2MiB.
const (
	AutoPages        PageKind = PageKind(mem.AutoPages) // the largest for the size of the table
	Pages1GiB        PageKind = PageKind(mem.Pages1GiB) // reserved
	Pages2MiB        PageKind = PageKind(mem.Pages2MiB) // reserved
	TransparentPages PageKind = PageKind(mem.TransparentPages)
	SmallPages       PageKind = PageKind(mem.SmallPages) // those of the processor
)

// Pages sets the kind of memory pages. If the system has no such pages, the next smaller kind is used, and
// Memory says so.
func Pages(kind PageKind) Option { return func(c *config) { c.pages = mem.Pages(kind) } }

// Memory describes the memory of a table and its pages.
type Memory struct{ usage mem.Usage }

// Memory describes the present memory of the table. The figures for huge pages are final once Prefault has
// returned nil.
func (t *Table) Memory() Memory { return Memory{t.region.Usage()} }

// Ordinary returns how many bytes the table has that are not on reserved pages, whether they have been touched or not.
func (t *Table) Ordinary() uint64 { return t.region.Ordinary() }

// Known reports whether the system tells how much of the table is in memory.
func (m Memory) Known() bool { return m.usage.Known }

// Resident returns how many bytes of the table are in memory.
func (m Memory) Resident() uint64 { return m.usage.Resident }

// Huge returns how many of the resident bytes are on huge pages.
func (m Memory) Huge() uint64 { return m.usage.Huge() }

// Reserved returns how many of the bytes on huge pages are on reserved pages of 1 GiB and of 2 MiB.
func (m Memory) Reserved() (of1GiB, of2MiB uint64) { return m.usage.Pages1GiB, m.usage.Pages2MiB }

// Nodes returns over how many NUMA nodes the pages are interleaved; 0 if the system chooses.
func (m Memory) Nodes() int { return m.usage.Nodes }

// Note says why the table is not on pages as requested; it is empty if it is.
func (m Memory) Note() string { return m.usage.Note }

// String describes the pages of a table after Prefault.
func (m Memory) String() string { return m.usage.String() }

// Pending describes the pages of a table before Prefault.
func (m Memory) Pending() string { return m.usage.Pending() }
