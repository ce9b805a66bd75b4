package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// shelf is the life of a table: there is at most one, and at most one task on it in the
// background.
//
//	put   ── stops the task ── swaps ── closes the old table ──┐
//	clear ── stops the task ── clears in the background ───────┤
//	goOn  ── stops the task ───────────────────────────────────┴─ touches in the background
type shelf[T held] struct {
	held     T             // the zero value: none
	describe func() string // the line about the table that is held
	notices  *notices
	touched  atomic.Bool // all its memory
	task
}

// held is what lies on a shelf: a pointer to a table, or to what owns one.
type held interface {
	comparable
	Prefault(context.Context) error
	Clear(context.Context) error
	Close() error
}

// empty reports whether there is no table.
func (s *shelf[T]) empty() bool {
	var none T
	return s.held == none
}

// put replaces the table and gives the old one back.
func (s *shelf[T]) put(t T) {
	if err := s.close(); err != nil {
		s.notices.add(staysTaken + err.Error())
	}
	s.held = t
	s.touched.Store(false)
	s.notices.replace(s.describe())
	s.begin(nil, s.touch)
}

// ready sees to it that there is a table: of so many MiB, or of one if there is no room
// for that. resize makes it.
func (s *shelf[T]) ready(mib uint64, resize func(uint64) error) error {
	if !s.empty() {
		return nil
	}
	err := resize(mib)
	if err != nil {
		s.notices.add(err.Error())
		err = resize(1)
	}
	return err
}

// clear empties the table in the background. Without a table it does nothing.
func (s *shelf[T]) clear() {
	if !s.empty() {
		s.halt()
		s.begin(s.held.Clear, s.touch)
	}
}

// await waits until the table is cleared, but not beyond ctx or patience (0 = no
// end). If it is not cleared by then the rest of it keeps what it had: that is
// true of earlier positions, and searches the sooner.
func (s *shelf[T]) await(ctx context.Context, patience time.Duration) {
	if !s.wait(ctx, patience) {
		s.halt()
		s.begin(nil, s.touch)
	}
}

// touch touches all memory of the table. When that is done for the first time the notice
// says how the pages turned out.
func (s *shelf[T]) touch(ctx context.Context) {
	if s.held.Prefault(ctx) == nil && !s.touched.Swap(true) {
		s.notices.replace(s.describe())
	}
}

// close gives the table back.
func (s *shelf[T]) close() error {
	if s.empty() {
		return nil
	}
	s.halt()
	var none T
	t := s.held
	s.held = none
	return t.Close()
}

// errNoTable is the answer to questions about a table that is not there yet.
var errNoTable = errors.New("hash: no table yet; it is made at the first search or when Hash is set")

// line tells about the table and how full it is in permille.
func (s *shelf[T]) line(full func(T) int) string {
	if s.empty() {
		return errNoTable.Error()
	}
	return fmt.Sprintf("%s, full %d permille", s.describe(), full(s.held))
}

// pages tells how much of a table of so many bytes lies on huge pages, once all its memory
// has been touched.
func (s *shelf[T]) pages(bytes uint64, hugeBytes func() (uint64, bool)) string {
	if !s.touched.Load() {
		return "huge pages pending"
	}
	huge, known := hugeBytes()
	if !known {
		return "huge pages unknown to this system"
	}
	return fmt.Sprintf("huge pages %d MiB (%d %%)", huge>>20, huge*100/bytes)
}
