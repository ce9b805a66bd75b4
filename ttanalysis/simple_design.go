package ttanalysis

import (
	"fmt"

	"trefoil/internal/mem"
)

// A SimpleDesign is a Design of entries of equal size, made from its parts. The tables that Make returns
// hold a Record for each entry.
type SimpleDesign struct {
	Name       string
	EntryBytes int                        // of the designed table
	Make       func(entries uint64) Table // returns an empty table
}

// String returns the name.
func (d SimpleDesign) String() string { return d.Name }

// Check implements Design.
func (d SimpleDesign) Check(bytes uint64) error {
	switch {
	case d.EntryBytes < 1:
		return fmt.Errorf("design %s: an entry has %d bytes, expected 1 or more", d, d.EntryBytes)
	case d.Make == nil:
		return fmt.Errorf("design %s: Make is nil", d)
	case d.entries(bytes) == 0:
		return fmt.Errorf("design %s: %d bytes are less than an entry of %d", d, bytes, d.EntryBytes)
	}
	return nil
}

// New implements Design. It refuses a table that does not fit into memory.
func (d SimpleDesign) New(bytes uint64) (Table, error) {
	if err := d.Check(bytes); err != nil {
		return nil, err
	}
	if err := mem.Fits(d.ReplayBytes(bytes)); err != nil {
		return nil, fmt.Errorf("design %s: %w", d, err)
	}
	return d.Make(d.entries(bytes)), nil
}

// ReplayBytes implements Design.
func (d SimpleDesign) ReplayBytes(bytes uint64) uint64 { return d.entries(bytes) * recordBytes }

func (d SimpleDesign) entries(bytes uint64) uint64 { return bytes / uint64(max(1, d.EntryBytes)) }
