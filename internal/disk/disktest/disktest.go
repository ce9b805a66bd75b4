// Package disktest tests what becomes of files if the disk fails: every call of package disk in turn fails, is cut
// short, or is the first that a killed program does not make.
package disktest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"

	"trefoil/internal/disk"
)

var errKilled = errors.New("the program was killed")

// A kind is how calls fail.
type kind struct {
	name  string
	err   error
	first func(op string) bool // the calls that fail in turn
	later func(op string) bool // the calls after one that fail too
	short bool                 // of a write that fails, half is written
}

var kinds = []kind{
	{"EIO once", syscall.EIO, all, none, false},
	{"EIO", syscall.EIO, all, all, false},
	{"EIO after half a write", syscall.EIO, writes, none, true},
	{"ENOSPC", syscall.ENOSPC, grows, grows, false},
	{"ENOSPC after half a write", syscall.ENOSPC, writes, grows, true},
	{"killed", errKilled, all, all, false},
	{"killed after half a write", errKilled, writes, all, true},
}

func all(string) bool       { return true }
func none(string) bool      { return false }
func writes(op string) bool { return op == "write" }

// grows reports whether an operation needs space on the disk.
func grows(op string) bool {
	return op == "create" || op == "lock" || op == "write" || op == "sync" || op == "rename"
}

// A Fault is a call that fails.
type Fault struct {
	kind
	Dir string // only calls about files below it fail

	mu     sync.Mutex
	before int    // calls before the one that fails
	call   string // the call that has failed, or ""
	dirty  map[string]bool
	errs   []error
}

// Each calls try with a new folder and a fault, for every kind and every call that can fail. try makes the calls by
// Do.
func Each(t *testing.T, try func(t *testing.T, f *Fault)) {
	for _, k := range kinds {
		for before := 0; ; before++ {
			f := &Fault{kind: k, Dir: t.TempDir(), before: before, dirty: map[string]bool{}}
			try(t, f)
			if f.call == "" {
				break
			}
			if err := errors.Join(f.errs...); err != nil {
				t.Error(err)
			}
			if t.Failed() {
				t.Fatalf("%s, after %d calls: %s", k.name, before, f.call)
			}
		}
	}
}

// Do calls do, in which the call fails. An error must name the file at path and say why, unless the program was killed.
func (f *Fault) Do(t *testing.T, path string, do func() error) error {
	disk.Inject(f.check)
	err := do()
	disk.Inject(nil)
	if err != nil && !f.Killed() &&
		!(strings.Contains(err.Error(), path) && strings.Contains(err.Error(), f.err.Error())) {
		t.Errorf("%v: want %s: %v", err, path, f.err)
	}
	return err
}

// Killed reports whether the program was killed.
func (f *Fault) Killed() bool { return f.call != "" && f.err == errKilled }

// check is a disk.Fault.
func (f *Fault) check(op, path string, size int) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !strings.HasPrefix(path, f.Dir) {
		return 0, nil
	}
	if f.call == "" && f.first(op) {
		if f.before--; f.before < 0 {
			f.call = op + " " + path
			if f.short {
				n = size / 2
			}
			return n, f.err
		}
	}
	if f.call != "" && f.later(op) {
		return 0, f.err
	}
	switch op {
	case "write":
		f.dirty[path] = true
	case "sync":
		delete(f.dirty, path)
	case "rename":
		if f.dirty[path] {
			f.errs = append(f.errs, fmt.Errorf("%s was renamed before it was on the disk", path))
		}
	}
	return 0, nil
}
