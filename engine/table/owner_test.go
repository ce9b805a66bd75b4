package table

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"trefoil/engine/memory"
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

func (f *fake) Ordinary() uint64 { return 0 }
func (f *fake) Freed() uint64    { return 0 }

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
	o.Stop()
	o.Resume()
	o.Clear()
	go close(f.release)
	o.AwaitReady(context.Background(), 0)
	if err := o.Close(); err != nil {
		t.Error(err)
	}
}

// TestCompleteClear: neither a search nor Stop ends a clearing that is to be completed. Another Clear takes
// its place, and Close does not wait.
func TestCompleteClear(t *testing.T) {
	o, _ := newOwner()
	var log []string
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for name, wait := range map[string]func(){
		"AwaitReady": func() { o.AwaitReady(ended, time.Nanosecond) },
		"Stop":       o.Stop,
	} {
		for clears := range 2 {
			f := newFake("a", &log)
			o.Replace(f)
			o.Clear()
			o.CompleteClear()
			for range clears {
				o.Clear()
			}
			waited := make(chan struct{})
			go func() {
				wait()
				close(waited)
			}()
			select {
			case <-waited:
				t.Errorf("%s after %d more clears does not wait", name, clears)
			case <-time.After(10 * time.Millisecond):
			}
			close(f.release)
			<-waited
		}
	}
	f := newFake("a", &log)
	o.Replace(f)
	o.Clear()
	o.CompleteClear()
	close(f.release)
	o.AwaitReady(context.Background(), 0)
	f.release = make(chan struct{})
	o.Clear() // an ordinary one
	o.AwaitReady(ended, 0)
	o.Clear()
	o.CompleteClear()
	if err := o.Close(); err != nil {
		t.Error(err)
	}
}

// TestFirst: the first table has the size that fits and, if that is refused, the next smaller one; the last is
// below 1 MiB. Notices say why, unless there is no table, for which the error is enough.
func TestFirst(t *testing.T) {
	refused := errors.New("refused")
	for _, c := range []struct {
		fit   memory.Size
		why   error
		least uint64 // bytes that are not refused
		tries []string
		made  bool
	}{
		{memory.Whole(8 << 20), nil, 9 << 20, []string{"8 MiB"}, true},
		{memory.Whole(8 << 20).AtMost(5 << 20), refused, 9 << 20, []string{"5 MiB of 8"}, true},
		{memory.Whole(8 << 20).AtMost(5 << 20), refused, 600 << 10, []string{"5 MiB of 8", "2 MiB of 8", "1 MiB of 8", "512 KiB of 8 MiB"}, true},
		{memory.Whole(1 << 20).AtMost(300 << 10), refused, 0, []string{"300 KiB of 1 MiB", "256 KiB of 1 MiB"}, false},
	} {
		o, notices := newOwner()
		var log, tries []string
		resize := func(s memory.Size) error {
			if tries = append(tries, s.String()); s.Bytes > c.least {
				return refused
			}
			o.Replace(newFake("a", &log))
			return nil
		}
		if err := o.First(c.fit, c.why, resize); (err == nil) != c.made {
			t.Error(err)
		}
		reasons := 0
		for _, n := range notices.Take() {
			if n == refused.Error() {
				reasons++
			}
		}
		want := len(c.tries) - 1
		if c.why != nil {
			want++
		}
		if !c.made {
			want = 0
		}
		if !slices.Equal(tries, c.tries) || reasons != want {
			t.Errorf("%v: %q, %d reasons", c.fit, tries, reasons)
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
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
	go close(f.release)
	o.AwaitReady(context.Background(), 0)
	if err := o.Close(); err != nil || !slices.Equal(log, []string{"closed b"}) {
		t.Errorf("%v %q", err, log)
	}
}

// TestLook: the present table is shown, and is closed only when no caller looks at it any more.
func TestLook(t *testing.T) {
	o, _ := newOwner()
	var log []string
	look := func() (name string, ok bool) {
		ok = o.Look(func(f *fake) { name = f.name })
		return name, ok
	}
	if name, ok := look(); ok {
		t.Errorf("%q without a table", name)
	}
	o.Replace(newFake("a", &log))
	if name, ok := look(); name != "a" || !ok {
		t.Errorf("%q, %v", name, ok)
	}
	o.Replace(newFake("b", &log))
	looking, closed := make(chan struct{}), make(chan error)
	o.Look(func(f *fake) {
		go func() {
			close(looking)
			closed <- o.Close()
		}()
		<-looking
		select {
		case <-closed:
			t.Error("closed while it is looked at")
		case <-time.After(10 * time.Millisecond):
		}
		if len(log) != 1 {
			t.Errorf("%q", log)
		}
	})
	if err := <-closed; err != nil || len(log) != 2 {
		t.Errorf("%v %q", err, log)
	}
	if name, ok := look(); ok {
		t.Errorf("%q is closed", name)
	}
}
