package shm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// mount returns a folder in memory of its own, of at most that many bytes; 0 is without a limit.
func mount(t *testing.T, bytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skip("only root can mount a file system: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// A file gets exactly its bytes. A context that has ended ends only an allocation that is not complete.
func TestAllocate(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for ctx, bytes := range map[context.Context]int64{stopped: 64 << 20, context.Background(): 65 << 20} {
		f, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := allocate(ctx, f, 0, uint64(bytes)); err != nil {
			t.Error(err)
		}
		if info, err := f.Stat(); err != nil || info.Size() != bytes {
			t.Errorf("%d bytes, want %d (%v)", info.Size(), bytes, err)
		}
	}
}

// A folder that tells no limit has room.
func TestUnlimited(t *testing.T) {
	d := Dir(mount(t, 0))
	mustLeave(t, mustJoin(t, d, "x", want(size)))
	holds(t, d, 0)
}

// A folder without room refuses, and is as empty as before.
func TestFull(t *testing.T) {
	dir := mount(t, 8*size)
	d := Dir(dir)
	refused(t, d, want(9*size), "has 8 MiB available, 9 are needed")
	a := mustJoin(t, d, "y", want(6*size))
	refused(t, d, want(4*size), "has 1 MiB available, 4 are needed")
	f, err := os.CreateTemp(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := allocate(context.Background(), f, 0, 4*size); !errors.Is(err, syscall.ENOSPC) ||
		!strings.Contains(err.Error(), f.Name()) {
		t.Error(err)
	}
	if err := errors.Join(f.Close(), os.Remove(f.Name())); err != nil {
		t.Fatal(err)
	}
	mustLeave(t, a)
	s := mustJoin(t, d, "x", want(6*size))
	mustLeave(t, s)
	holds(t, d, 0)
}
