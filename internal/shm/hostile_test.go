//go:build linux || darwin

package shm

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// A process that has a segment waits for the lock of its name for a shorter time.
func TestJoinGivesUp(t *testing.T) {
	d := Dir(t.TempDir())
	w := want(size)
	w.Own = mustJoin(t, d, "x", w)
	defer func(join, count time.Duration) { toJoin, toCount = join, count }(toJoin, toCount)
	g, err := d.enter(context.Background(), "x", toJoin)
	if err != nil {
		t.Fatal(err)
	}
	toJoin, toCount = 2*time.Millisecond, time.Millisecond
	refused(t, d, want(size), "another process has held this lock for 2ms")
	refused(t, d, w, "another process has held this lock for 1ms")
	g.leave()
}

// A process whose own file has another mode, and so is no file of its user, still counts no fewer than no others.
func TestOwnFileChanged(t *testing.T) {
	s := mustJoin(t, Dir(t.TempDir()), "x", want(size))
	if err := os.Chmod(s.user.Path(), 0o644); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Others(); n != 0 || err != nil || s.OthersLately() != 0 {
		t.Error(n, err, s.OthersLately())
	}
}

// A segment that cannot get its name is taken back, with the memory that it has mapped.
func TestNameIsTaken(t *testing.T) {
	d := Dir(t.TempDir())
	old := mustJoin(t, d, "x", want(size))
	old.unmap()
	old.user.release() // as the system does it for a process that dies
	w := want(size)
	w.Accept = func(func(any) error, int) (uint64, error) {
		return size, errors.Join(ErrRenew, os.Remove(d.file("x", "")), os.Mkdir(d.file("x", ""), 0o700))
	}
	refused(t, d, w, "file exists")
	holds(t, d, 0, "x", "x.lock")
	if maps, err := os.ReadFile("/proc/self/maps"); err == nil && strings.Contains(string(maps), string(d)) {
		t.Error("it is still mapped")
	}
}

// A segment whose file is cut short goes on as memory of this process alone, and no longer counts.
func TestForsake(t *testing.T) {
	d := Dir(t.TempDir())
	s := mustJoin(t, d, "x", want(size))
	words := s.Contents().Words()
	words[0] = 7
	s.State(7).Store(9)
	for _, address := range []unsafe.Pointer{unsafe.Pointer(s.State(7)), unsafe.Pointer(&words[0])} {
		if !s.Has(uintptr(address)) {
			t.Errorf("it does not have %v", address)
		}
	}
	if s.Has(uintptr(unsafe.Pointer(s))) {
		t.Error("it has memory that is not its own")
	}
	if err := os.Truncate(d.file("x", ""), 0); err != nil {
		t.Fatal(err)
	}
	if writable, err := s.Forsake(); !writable || err != nil {
		t.Fatal(writable, err)
	}
	holds(t, d, 0)
	if words[0] != 0 || s.State(7).Load() != 0 {
		t.Error("the memory is not empty")
	}
	words[0] = 7
	mustLeave(t, s)
}
