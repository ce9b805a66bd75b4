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

// A folder without room refuses, and is as empty as before.
func TestFull(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", 8*size)); err != nil {
		t.Skip("only root can mount a small file system: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
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
