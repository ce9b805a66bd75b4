// Package table owns the table of a search: it is made at its first use, replaced, cleared
// and touched in the background, and closed.
//
//	Replace ── stop ── close the old table ── swap ──┐
//	Succeed ── stop ── swap ── fill from the old ────┤
//	Clear ──── stop ── clear ────────────────────────┤
//	Resume ─── stop ─────────────────────────────────┴─ touch: with fill and clear in the background
//
// Owner does that for any table. ClusterOwner, WindowOwner and PairOwner add what a cluster.Table, a
// window.Table and both together need: how they are made, described and planned.
package table

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"trefoil/engine/memory"
	"trefoil/internal/mem"
)

// Table is a pointer to a table, or to what owns one.
type Table interface {
	comparable
	Prefault(context.Context) error
	Clear(context.Context) error
	Close() error
	Ordinary() uint64 // bytes that are not on reserved pages
	Freed() uint64    // bytes that become available by Close
}

// Owner has at most one table, and at most one task on it in the background. Its methods are
// called one at a time, except Look.
type Owner[T Table] struct {
	table      T // the zero value: none
	describe   func(T) string
	notices    *Notices
	touched    atomic.Bool // all memory of the table
	clearing   bool        // in the background, since the last Clear
	background background

	looking sync.Mutex
	shown   T // what Look shows; the zero value while the table is replaced
}

// A filler is a Table that takes entries over from an older one, if there is one, before its memory
// is touched.
type filler interface{ Rehash(context.Context) error }

// NewOwner returns an owner without a table. describe returns the line about a table; it is added
// to notices when there is a new table, and again when all its memory has been touched.
func NewOwner[T Table](notices *Notices, describe func(T) string) *Owner[T] {
	return &Owner[T]{notices: notices, describe: describe}
}

// Table returns the table; the zero value if there is none.
func (o *Owner[T]) Table() T { return o.table }

// Empty reports whether there is no table.
func (o *Owner[T]) Empty() bool {
	var none T
	return o.table == none
}

// Ordinary returns how many bytes the table has that are not on reserved pages, 0 if there is no table.
func (o *Owner[T]) Ordinary() uint64 {
	if o.Empty() {
		return 0
	}
	return o.table.Ordinary()
}

// Memory says how a table of that size that replaces the present one gets its memory.
func (o *Owner[T]) Memory(size memory.Size, pages mem.Pages) mem.Options {
	m := mem.Options{Bytes: size.Bytes, Pages: pages}
	if !o.Empty() {
		m.Releasing = o.table
	}
	return m
}

// Notices is where the owner reports.
func (o *Owner[T]) Notices() *Notices { return o.notices }

// Look calls f with the table and reports whether there is one; there is none while it is replaced. It may be called
// at any time from any goroutine. The table is not closed before f returns, which must not take long.
func (o *Owner[T]) Look(f func(T)) bool {
	o.looking.Lock()
	defer o.looking.Unlock()
	var none T
	if o.shown == none {
		return false
	}
	f(o.shown)
	return true
}

// show sets the table that Look shows. It waits for a Look that is under way.
func (o *Owner[T]) show(t T) {
	o.looking.Lock()
	o.shown = t
	o.looking.Unlock()
}

// hide ends what Look shows, before the table is closed or another one takes it over.
func (o *Owner[T]) hide() {
	var none T
	o.show(none)
}

// Touched reports whether all memory of the table has been touched.
func (o *Owner[T]) Touched() bool { return o.touched.Load() }

// NotReleased begins the notice that a table could not be closed.
const NotReleased = "the memory of the old hash is not released: "

// Replace replaces the table and closes the old one.
func (o *Owner[T]) Replace(t T) {
	if err := o.Close(); err != nil {
		o.notices.Add(NotReleased + err.Error())
	}
	o.Succeed(t)
}

// Succeed replaces the table by t. If there is an old table, t owns it from now on. The caller has called
// Stop.
func (o *Owner[T]) Succeed(t T) {
	o.table = t
	o.show(t)
	o.touched.Store(false)
	o.notices.SetTable(o.describe(o.table))
	o.Resume()
}

// First makes the first table by resize. why, unless nil, says why its size is less than the size that was asked for.
// If the system refuses the memory, the size is halved until it does not, down to mem.Smallest. Notices say why a table
// is smaller.
func (o *Owner[T]) First(size memory.Size, why error, resize func(memory.Size) error) error {
	var reasons []error
	for {
		if why != nil {
			reasons = append(reasons, why)
		}
		if why = resize(size); why == nil {
			break
		}
		if size.Bytes <= mem.Smallest {
			return why
		}
		size = size.AtMost(size.Bytes / 2)
	}
	for _, why := range reasons {
		o.notices.Add(why.Error())
	}
	return nil
}

// Clear empties the table in the background. Without a table it does nothing.
func (o *Owner[T]) Clear() {
	if !o.Empty() {
		o.ClearBy(o.table.Clear)
	}
}

// ClearBy lets clear empty a part of the table in the background. If CompleteClear follows, that part has to contain
// every entry that searches may not use any more.
func (o *Owner[T]) ClearBy(clear func(context.Context) error) {
	o.clearing = true
	o.background.restart(clear, o.touch)
}

// CompleteClear says that no search may use the entries that are being cleared. Calls that would end the
// clearing early wait for its end instead, except Close and another Clear.
func (o *Owner[T]) CompleteClear() { o.background.complete = o.clearing }

// beingCleared reports whether a Clear is under way: then a new table has nothing to take over.
func (o *Owner[T]) beingCleared() bool { return o.clearing && !o.background.isPrepared() }

// fillTimeout is how long a search without a time limit waits for entries to be taken over.
const fillTimeout = time.Second

// AwaitReady waits for the end of clearing, for at most timeout (0 = no limit) and until ctx ends. If
// the table is not cleared by then, the rest of it keeps its entries: they are true of earlier
// positions, and a search can use them. After CompleteClear it always waits for the end.
//
// If entries are being taken over from an older table, it waits likewise, but never longer than
// fillTimeout; then that continues beside the search, which uses the part that is complete.
func (o *Owner[T]) AwaitReady(ctx context.Context, timeout time.Duration) {
	if !o.clearing && (timeout == 0 || timeout > fillTimeout) {
		timeout = fillTimeout
	}
	if !o.background.awaitPrepared(ctx, timeout) && o.clearing {
		o.Stop()
		o.Resume()
	}
}

// AwaitTouched waits until all memory of the table has been touched, or ctx ends. Until then a
// table uses only the memory that has been touched, so a search is not repeatable.
func (o *Owner[T]) AwaitTouched(ctx context.Context) { o.background.await(ctx) }

// Stop ends what runs in the background. See CompleteClear.
func (o *Owner[T]) Stop() { o.background.stop() }

// Resume takes over what is left of an older table, and touches the rest of the memory, in the
// background after a Stop.
func (o *Owner[T]) Resume() {
	o.clearing = false
	var fill func(context.Context) error
	if t, ok := any(o.table).(filler); ok {
		fill = func(ctx context.Context) error {
			err := t.Rehash(ctx)
			if err != nil && ctx.Err() == nil {
				o.notices.Add(NotReleased + err.Error())
				err = nil
			}
			return err
		}
	}
	o.background.start(fill, o.touch)
}

// touch touches all memory of the table. The first time that is complete, it repeats the notice,
// which then says how much lies on huge pages.
func (o *Owner[T]) touch(ctx context.Context) {
	if o.table.Prefault(ctx) == nil && !o.touched.Swap(true) {
		o.notices.SetTable(o.describe(o.table))
	}
}

// Close closes the table, if there is one.
func (o *Owner[T]) Close() error {
	if o.Empty() {
		return nil
	}
	o.background.abandon()
	o.hide()
	var none T
	t := o.table
	o.table = none
	return t.Close()
}

// ErrNone is the answer to questions about a table that has not been made.
var ErrNone = errors.New("hash: no table yet; Hash, isready or the first search makes it")

// Line describes the table and how full it is in permille.
func (o *Owner[T]) Line(full func(T) int) string {
	if o.Empty() {
		return ErrNone.Error()
	}
	return fmt.Sprintf("%s, full %d permille", o.describe(o.table), full(o.table))
}

// Pages describes the pages that a table lies on, once all its memory has been touched.
func (o *Owner[T]) Pages(memory mem.Usage) string {
	if !o.Touched() {
		return memory.Pending()
	}
	return memory.String()
}
