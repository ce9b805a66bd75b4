package table

import (
	"fmt"

	"trefoil/engine/memory"
	"trefoil/internal/mem"
	"trefoil/window"
)

// WindowOwner owns a window.Table.
type WindowOwner struct {
	*Owner[*window.Table]
	kind mem.Pages
	size memory.Size
}

// NewWindowOwner returns an owner without a table.
func NewWindowOwner(notices *Notices) *WindowOwner {
	w := new(WindowOwner)
	w.Owner = NewOwner(notices, w.describe)
	return w
}

// Resize replaces the table unless it already has this size and kind of pages. The new table takes the
// entries over in the background. After an error the old table stays.
func (w *WindowOwner) Resize(size memory.Size, pages mem.Pages) error {
	if !w.Empty() && size == w.size && pages == w.kind {
		return nil
	}
	old := w.table
	t, err := window.New(size.MiB(), window.Memory(w.Memory(size, pages)))
	if err != nil {
		return err
	}
	empty := old == nil || w.beingCleared()
	w.Stop() // describe may be running
	w.kind, w.size = pages, size
	if empty {
		w.Replace(t)
		return nil
	}
	w.hide()
	if err := t.Inherit(old); err != nil {
		w.notices.Add(NotReleased + err.Error())
	}
	w.Succeed(t)
	return nil
}

// Size is the size with which the table was made.
func (w *WindowOwner) Size() memory.Size { return w.size }

// describe returns the line about a table.
func (w *WindowOwner) describe(t *window.Table) string {
	return fmt.Sprintf("hash %v: %d entries, %s", w.size, t.Slots(), w.Pages(t.Memory()))
}
