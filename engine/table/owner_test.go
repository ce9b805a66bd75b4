package table

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// fake is a table whose Clear lasts until it is released or ctx ends.
type fake struct {
	name    string
	release chan struct{}
	log     *[]string
}

func (f *fake) Prefault(ctx context.Context) error { return ctx.Err() }

func (f *fake) Clear(ctx context.Context) error {
	select {
	case <-f.release:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (f *fake) Close() error {
	*f.log = append(*f.log, "closed "+f.name)
	return nil
}

func newFake(name string, log *[]string) *fake {
	return &fake{name: name, release: make(chan struct{}), log: log}
}

func newOwner() (*Owner[*fake], *Notices) {
	notices := new(Notices)
	var o *Owner[*fake]
	o = NewOwner(notices, func(f *fake) string {
		if o.Touched() {
			return f.name + " touched"
		}
		return f.name
	})
	return o, notices
}

// TestNotices: a new table is described at once, and again when it has been touched.
func TestNotices(t *testing.T) {
	o, notices := newOwner()
	var log []string
	notices.Add("first")
	o.Replace(newFake("a", &log))
	o.AwaitTouched(context.Background())
	if n := notices.Take(); !slices.Equal(n, []string{"first", "a touched"}) {
		t.Errorf("%q", n)
	}
	o.Stop()
	o.Resume()
	o.AwaitTouched(context.Background())
	if n := notices.Take(); len(n) > 0 {
		t.Errorf("again: %q", n)
	}
	o.Replace(newFake("b", &log))
	if err := o.Close(); err != nil || !o.Empty() || !slices.Equal(log, []string{"closed a", "closed b"}) {
		t.Errorf("%v %q", err, log)
	}
}

// TestAwaitReady: the wait ends with clearing, with the context, or at the timeout, and then
// clearing is stopped.
func TestAwaitReady(t *testing.T) {
	o, _ := newOwner()
	var log []string
	f := newFake("a", &log)
	o.Replace(f)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	o.Clear()
	o.AwaitReady(ended, 0)
	o.Clear()
	o.AwaitReady(context.Background(), time.Nanosecond)
	o.Clear()
	close(f.release)
	o.AwaitReady(context.Background(), 0)
	if err := o.Close(); err != nil {
		t.Error(err)
	}
}

// TestEnsure: a table that does not fit is replaced by one of 1 MiB.
func TestEnsure(t *testing.T) {
	o, notices := newOwner()
	var log []string
	var sizes []uint64
	resize := func(mib uint64) error {
		if sizes = append(sizes, mib); mib > 1 {
			return ErrNone
		}
		o.Replace(newFake("a", &log))
		return nil
	}
	for range 2 {
		if err := o.Ensure(8, resize); err != nil {
			t.Fatal(err)
		}
	}
	if n := notices.Take(); !slices.Equal(sizes, []uint64{8, 1}) || len(n) == 0 || n[0] != ErrNone.Error() {
		t.Errorf("%v %q", sizes, n)
	}
	if err := o.Close(); err != nil {
		t.Error(err)
	}
}

// filling is a fake that takes entries over from another one: until it is released or ctx ends.
type filling struct {
	*fake
	filled chan struct{}
	runs   atomic.Int32
}

func (f *filling) Rehash(ctx context.Context) error {
	f.runs.Add(1)
	select {
	case <-f.filled:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestSucceed: a search does not wait indefinitely for entries to be taken over, and does not end that;
// what is stopped resumes; Clear ends it.
func TestSucceed(t *testing.T) {
	notices, log := new(Notices), []string{}
	o := NewOwner(notices, func(f *filling) string { return f.name })
	f := &filling{fake: newFake("a", &log), filled: make(chan struct{})}
	o.Succeed(f)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	o.AwaitReady(ended, 0)
	o.AwaitReady(context.Background(), time.Nanosecond)
	if n := f.runs.Load(); n > 1 {
		t.Errorf("a search has restarted it: %d runs", n)
	}
	o.Stop()
	o.Resume()
	close(f.filled)
	o.AwaitReady(context.Background(), 0)
	o.AwaitTouched(context.Background())
	if n := f.runs.Load(); n == 0 || !o.Touched() {
		t.Errorf("%d runs, touched %v", n, o.Touched())
	}

	f = &filling{fake: newFake("b", &log), filled: make(chan struct{})}
	o.Stop()
	o.Succeed(f)
	o.Clear()
	close(f.release)
	o.AwaitReady(context.Background(), 0)
	if err := o.Close(); err != nil || !slices.Equal(log, []string{"closed b"}) {
		t.Errorf("%v %q", err, log)
	}
}
