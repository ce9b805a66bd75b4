package shm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"trefoil/internal/atomicfile"
)

// Dir is the folder of the segments.
type Dir string

// file is the path of the segment of a name, or, with a suffix, of a file beside it.
func (d Dir) file(name, suffix string) string { return filepath.Join(string(d), prefix+name+suffix) }

// The suffixes of files beside a segment.
const (
	lockSuffix = ".lock"
	newSuffix  = ".new"
	userSuffix = ".user-"
)

// How long a process waits for another one that holds the lock of a name. Tests that are not about these
// times set longer ones.
var (
	toJoin  = 30 * time.Second // to make a segment takes about half a second for each GiB
	toCount = time.Second      // and to leave: what the process leaves behind, the next one removes
	atOnce  = 2 * time.Millisecond
)

// gate is the lock of a name. Its holder is the only process that makes, removes, joins or leaves the
// segment of that name.
type gate struct {
	dir  Dir
	name string
	lock *flock.Flock
}

// enter waits for the lock of a name, until ctx ends but no longer than limit. It gets a lock that is free
// however late it tries.
func (d Dir) enter(ctx context.Context, name string, limit time.Duration) (*gate, error) {
	if err := lookTrusted(d.file(name, "")); err != nil {
		return nil, err
	}
	path := d.file(name, lockSuffix)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("another process has held this lock for %v", limit))
	defer cancel()
	for {
		l, err := openLock(path, os.O_CREATE)
		if err != nil {
			return nil, err
		}
		locked, err := l.TryLock()
		if !locked && err == nil {
			_, err = l.TryLockContext(ctx, min(5*time.Millisecond, limit/8))
		}
		switch {
		case err != nil && ctx.Err() != nil:
			_ = l.Close()
			return nil, waited(ctx, path)
		case err != nil:
			_ = l.Close()
			return nil, err
		case atomicfile.InPlace(l):
			return &gate{d, name, l}, nil
		}
		_ = l.Close() // its last holder removed it between our opening and our locking
	}
}

// waited is the error of a wait for a lock that ctx has ended.
func waited(ctx context.Context, path string) error {
	cause := context.Cause(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%s: %w", path, cause)
	}
	return fmt.Errorf("%s: %w while another process holds this lock", path, cause)
}

// leave gives the lock back. Its file stays for as long as there is a segment.
func (g *gate) leave() {
	if _, err := os.Lstat(g.dir.file(g.name, "")); errors.Is(err, fs.ErrNotExist) {
		_ = os.Remove(g.lock.Path())
	}
	_ = g.lock.Close()
}

// openLock returns the lock that the file at path is, not locked. It refuses files of others.
func openLock(path string, flags int) (*flock.Flock, error) {
	if err := lookTrusted(path); err != nil {
		return nil, err
	}
	return flock.New(path, flock.SetFlag(os.O_RDWR|atomicfile.NoFollow|flags), flock.SetPermissions(0o600)), nil
}

// userLock is the lock by which a process counts as a user.
type userLock struct{ *flock.Flock }

func (u *userLock) inPlace() bool { return u != nil && atomicfile.InPlace(u.Flock) }

func (u *userLock) release() { _ = u.Close() }

// remove ends the use. The file of a segment that was removed is gone already.
func (u *userLock) remove() {
	if u.inPlace() {
		_ = os.Remove(u.Path())
	}
	u.release()
}

// enrol makes this process a user.
func (g *gate) enrol() (*userLock, error) {
	f, err := os.CreateTemp(string(g.dir), filepath.Base(g.dir.file(g.name, userSuffix))+"*") // with mode 0600
	if err != nil {
		return nil, err
	}
	_ = f.Close()
	l, err := openLock(f.Name(), 0)
	if err == nil {
		var locked bool
		if locked, err = l.TryLock(); err == nil && !locked {
			err = fmt.Errorf("%s: it is locked already", f.Name())
		}
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(f.Name()))
	}
	return &userLock{l}, nil
}

// users counts the processes that have the segment, and removes the files of processes that have died.
func (g *gate) users() (n int, err error) {
	_ = os.Remove(g.dir.file(g.name, newSuffix)) // of a process that died while it held the gate
	paths, err := g.userFiles()
	if err != nil {
		return 0, err
	}
	for _, path := range paths {
		l, err := openLock(path, 0)
		if err != nil {
			continue // it is no file of ours
		}
		locked, err := l.TryLock()
		switch {
		case err != nil:
			return 0, err
		case locked:
			_ = os.Remove(path)
		default:
			n++
		}
		_ = l.Close()
	}
	return n, nil
}

// userFiles are the paths of the files of all users, also of users that have died.
func (g *gate) userFiles() (paths []string, err error) {
	entries, err := os.ReadDir(string(g.dir))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix+g.name+userSuffix) {
			paths = append(paths, filepath.Join(string(g.dir), e.Name()))
		}
	}
	return paths, err
}

// removeSegment removes the segment, if there is one. Its users keep their mappings and no longer
// count.
func (g *gate) removeSegment() error {
	paths, err := g.userFiles()
	if err != nil {
		return err
	}
	for _, path := range paths {
		_ = os.Remove(path) // one that stays counts as a user until its process ends
	}
	err = os.Remove(g.dir.file(g.name, ""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
