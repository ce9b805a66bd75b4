package table

import (
	"fmt"

	"trefoil/internal/mem"
	"trefoil/window"
)

// Window owns a window.Table.
type Window struct {
	*Owner[*window.Table]
	kind mem.Pages
}

// NewWindow returns an owner without a table.
func NewWindow(notices *Notices) *Window {
	w := new(Window)
	w.Owner = NewOwner(notices, w.describe)
	return w
}

// Resize replaces the table by one of another size or kind of pages, unless it has both. The new table
// takes the entries over in the background. After an error the old table stays.
func (w *Window) Resize(mib uint64, pages mem.Pages) error {
	if !w.Empty() && mib == w.table.MiB() && pages == w.kind {
		return nil
	}
	old := w.table
	t, err := window.New(mib, window.Pages(pages), window.Releasing(old))
	if err != nil {
		return err
	}
	w.kind = pages
	if old != nil {
		w.Stop()
		if err := t.Inherit(old); err != nil {
			w.notices.Add(NotReleased + err.Error())
		}
	}
	w.Succeed(t)
	return nil
}

// describe returns the line about a table.
func (w *Window) describe(t *window.Table) string {
	return fmt.Sprintf("hash %d MiB: %d entries, %s", t.MiB(), t.Slots(), w.Pages(t.Memory()))
}
