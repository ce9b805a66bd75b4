package table

import (
	"fmt"

	"trefoil/window"
)

// Window owns a window.Table.
type Window struct{ *Owner[*window.Table] }

// NewWindow returns an owner without a table.
func NewWindow(notices *Notices) *Window {
	w := new(Window)
	w.Owner = NewOwner(notices, w.describe)
	return w
}

// Resize replaces the table by one of another size, which takes the entries over in the background.
// After an error the old table stays.
func (w *Window) Resize(mib uint64) error {
	if !w.Empty() && mib == w.table.MiB() {
		return nil
	}
	old := w.table
	t, err := window.New(mib, window.Releasing(old))
	if err != nil {
		return err
	}
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
	return fmt.Sprintf("hash %d MiB: %d entries, %s", t.MiB(), t.Slots(), w.Pages(t.MiB()<<20, t.HugeBytes))
}
