// Package shm is memory that the processes of one user share by a name, and that outlives every process. It
// is a file in the memory of the system (/dev/shm on Linux), or in the user's folder for temporary files
// (macOS):
//
//	trefoil-hash-NAME          the segment: header, state, contents
//	trefoil-hash-NAME.lock     locked while a process makes, joins, counts or leaves it
//	trefoil-hash-NAME.new      a segment that is being made
//	trefoil-hash-NAME.user-…   one for each process that has it, locked for as long as it has
//
//	bytes of the segment
//	0         header: the beginning of a container of the kind "shared" (package container)
//	2048      state: eight 64-bit words, which the processes change
//	2097152   contents; between 4,096 and here the file has no memory
//
// # What survives what
//
// A segment gets its name, by a rename, when it is complete, so under its name stands a complete one or
// none. Locks belong to open files, so the system drops the locks of a process that dies, however it dies:
// the process no longer counts as a user, and the next process that takes the lock of the name removes the
// files that the dead one has left. The contents stay as they were at the last store. The last user that
// leaves removes the segment. If all its users have died, it stays until another process joins and leaves
// it, or removes it.
//
// # Whom it trusts
//
// All files have the mode 0600 and belong to the user of the process. Any other is refused before it is
// read. Another process of the same user may do anything with them. A user of the contents has to survive
// anything that it writes there. If it shortens the file, the use of what is cut off is a fault (SIGBUS);
// see Forsake.
package shm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"trefoil/internal/container"
	"trefoil/internal/mem"
)

const (
	prefix = "trefoil-hash-"

	headerBytes = 2048
	stateWords  = 8
	pageBytes   = 4096      // of header and state together
	contentsAt  = mem.Align // so that contents can be on huge pages
)

// MaxName is the greatest length of a name.
const MaxName = 40

// CheckName returns an error unless name has 1 to MaxName letters, digits, - and _ of ASCII.
func CheckName(name string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	if i := strings.IndexFunc(name, func(r rune) bool { return !strings.ContainsRune(letters, r) }); i >= 0 {
		return fmt.Errorf("shared hash %.60q: character %d is not a letter, a digit, - or _", name, i+1)
	}
	if name == "" || len(name) > MaxName {
		return fmt.Errorf("shared hash %.60q: the name has %d characters, expected 1 to %d", name, len(name), MaxName)
	}
	return nil
}

// Want is what a process wants of a segment.
type Want struct {
	Header any          // of one that is made; it becomes a JSON object
	Bytes  uint64       // of the contents of one that is made
	Room   func() error // unless nil, it is called before one is made, and may refuse
	// Own is a segment of the same name that the process has already, nil if it has none.
	Own *Segment
	// Accept is asked about a segment that exists and that `others` other processes have. It returns
	// the bytes of its contents, and nil, ErrRenew to have it replaced by a new one, or why it is
	// refused. Header decodes the header.
	Accept func(header func(any) error, others int) (bytes uint64, err error)
}

// ErrRenew asks for a new segment in place of one that exists. Processes that have the old one keep it;
// one that does not have it gets it as Replaced.
var ErrRenew = errors.New("shared memory: a new one is wanted")

// A Segment is the shared memory as one process has it.
type Segment struct {
	dir      Dir
	name     string
	page     *mem.Region // header and state
	contents *mem.Region
	using    sync.Mutex
	user     *userLock // under using; nil of a segment that was replaced
	made     bool
	replaced *Segment
	lately   atomic.Int64 // see OthersLately
}

// Contents is the memory. Leave unmaps it.
func (s *Segment) Contents() *mem.Region { return s.contents }

// State is word i of the state, 0 to 7. All are 0 in a new segment, and any process can change them.
func (s *Segment) State(i int) *atomic.Uint64 {
	words := (*[stateWords]atomic.Uint64)(unsafe.Add(s.page.Pointer(), headerBytes))
	return &words[i]
}

// Name is the name.
func (s *Segment) Name() string { return s.name }

// Made reports whether Join made the segment; otherwise it existed.
func (s *Segment) Made() bool { return s.made }

// Replaced is the segment that Join has replaced because Accept returned ErrRenew, nil if there was none
// or it is Want.Own. It has no name any more; the caller reads its contents and then calls Leave.
func (s *Segment) Replaced() *Segment { return s.replaced }

// Others counts the other processes that have the segment. It is an error if the segment was removed.
func (s *Segment) Others() (int, error) { return s.others(toCount) }

// OthersLately is Others for callers that cannot wait: if another process is just changing the count, it
// is the one before.
func (s *Segment) OthersLately() int {
	if n, err := s.others(atOnce); err == nil {
		s.lately.Store(int64(n))
	}
	return int(s.lately.Load())
}

func (s *Segment) others(limit time.Duration) (int, error) {
	g, err := s.dir.enter(context.Background(), s.name, limit)
	if err != nil {
		return 0, err
	}
	defer g.leave()
	if s.counted() == 0 {
		return 0, fmt.Errorf("shared hash %q: it was removed; processes that have it keep it until they end", s.name)
	}
	users, err := g.users()
	return max(0, users-1), err // our own file does not count if its mode was changed
}

// counted is how much of a count of users is this process: 0 if the segment was removed meanwhile.
func (s *Segment) counted() int {
	if s == nil {
		return 0
	}
	s.using.Lock()
	defer s.using.Unlock()
	if s.user.inPlace() {
		return 1
	}
	return 0
}

// Has reports whether the segment has an address.
func (s *Segment) Has(address uintptr) bool { return s.page.Has(address) || s.contents.Has(address) }

// Forsake makes the memory one of this process alone, zero and at the same addresses, because the file was
// cut short. It resigns, without waiting for others. Others in this process may use the memory meanwhile.
// Forsake reports whether the contents can be written to; the system may not have granted that.
func (s *Segment) Forsake() (writable bool, err error) {
	if writable, err = s.page.Replace(); err == nil && !writable {
		err = errors.New("shared memory: there is no memory for its state")
	}
	if err != nil {
		return false, err
	}
	writable, err = s.contents.Replace()
	_ = s.resign(atOnce) // else the next process that takes the lock removes what stays
	return writable, err
}

// Leave unmaps the memory and resigns. A second call does nothing.
func (s *Segment) Leave() error {
	return errors.Join(s.contents.Unmap(), s.page.Unmap(), s.Resign())
}

// Resign ends the use of the segment: this process no longer counts, and the last user removes the segment.
// The memory stays mapped for readers. A second call does nothing.
func (s *Segment) Resign() error { return s.resign(toCount) }

func (s *Segment) resign(limit time.Duration) error {
	s.using.Lock()
	user := s.user
	s.user = nil
	s.using.Unlock()
	if user == nil {
		return nil
	}
	g, err := s.dir.enter(context.Background(), s.name, limit)
	if err != nil { // the next process that takes the lock removes what stays
		user.release()
		return err
	}
	defer g.leave()
	counted := user.inPlace()
	user.remove()
	if !counted { // the segment was removed
		return nil
	}
	users, err := g.users()
	if err == nil && users == 0 {
		err = g.removeSegment()
	}
	return err
}

// Join returns the segment of that name: the existing one if w accepts it, else a new segment, whose
// contents are zero. It waits for a process that makes, joins or leaves the segment, until ctx ends, which
// also ends the making of a large segment. After an error everything is as it was.
func (d Dir) Join(ctx context.Context, name string, w Want) (s *Segment, err error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("shared hash %q: %w", name, err)
		}
	}()
	limit := toJoin
	if w.Own != nil { // nobody makes a segment of that name meanwhile
		limit = toCount
	}
	g, err := d.enter(ctx, name, limit)
	if err != nil {
		return nil, err
	}
	defer g.leave()
	users, err := g.users()
	if err != nil {
		return nil, err
	}
	s = &Segment{dir: d, name: name}
	if err = s.open(ctx, g, w, users-w.Own.counted()); err == nil {
		s.user, err = g.enrol()
	}
	if err == nil && s.made {
		err = g.install()
	}
	if err != nil {
		s.undo(g)
		return nil, err
	}
	return s, nil
}

// undo takes back what Join has done before an error. Leftovers do no harm.
func (s *Segment) undo(g *gate) {
	s.unmap()
	if s.user != nil {
		s.user.remove()
	}
	if s.made {
		_ = os.Remove(g.dir.file(g.name, newSuffix))
	}
}

// unmap unmaps what open has mapped.
func (s *Segment) unmap() {
	for _, r := range []*mem.Region{s.page, s.contents} {
		if r != nil {
			_ = r.Unmap()
		}
	}
	if s.replaced != nil {
		s.replaced.unmap()
	}
}

// decodeHeader decodes the header of a page.
func decodeHeader(path string, page []byte, into any) error {
	return container.DecodeHeader(page[:headerBytes], path, container.Shared, into)
}
