package cluster

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"trefoil/internal/mem"
)

// The memory of a shared table is a file. If a program cuts it short, a use of what is cut off is a fault,
// on which a goroutine panics if it was told to. Guard recovers from that: memory of this process, which is
// zero, replaces the whole segment at the same addresses, and the table is Lost: it goes on as one that is
// not shared. Uses that have faulted are ended or begun again; others never notice.
//
//	Probe, Store, Refresh          their caller needs Guard; there is no check in them
//	Save, Load                     end with errLost
//	Prefault, Rehash               end; a Rehash of a table that reads a lost one goes on
//	all other methods of Table     are begun again

// errLost is the error of what cannot go on.
var errLost = errors.New("the memory of the shared hash was lost, because its file was cut short")

// loss is what has become of the memory of a shared table.
type loss struct {
	losing sync.Mutex // held while the memory is replaced
	lost   atomic.Bool
	usable uint64 // bytes, when lost
	most   int    // other processes when the last search began
	onLoss func() // under losing
}

// Guard calls f, which uses the table, and reports whether it was ended because the memory of the table, or
// of a table that it inherits, was lost: by a panic, which Guard recovers from, so what f has begun may be
// unfinished. A fault at any other address ends the process. Other goroutines that f starts need a Guard of
// their own.
func (t *Table) Guard(f func()) (lost bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			if address, ok := mem.Fault(r); !ok || !t.lose(address) {
				panic(r)
			}
			lost = true
		}
	}()
	f()
	return false
}

// again calls f, which uses the memory of the table, until it is not ended by the loss of that memory.
func (t *Table) again(f func()) {
	if t.shared == nil {
		f()
		return
	}
	for t.Guard(f) {
	}
}

// Peek is Probe with a Guard.
func (t *Table) Peek(key uint64) (e Found, ok bool) {
	t.again(func() { e, ok = t.Probe(key) })
	return e, ok
}

// Lost reports whether the table was shared and has lost its memory. Then it is empty, is not shared any
// more, and may use the first Usable bytes of its size: as many as fit if all processes that shared it take
// as many.
func (t *Table) Lost() bool { return t.shared != nil && t.shared.lost.Load() }

// Check reads the ends of the memory of a shared table. If its file was cut short, the table is then Lost.
func (t *Table) Check() {
	if t.shared != nil {
		t.again(func() {
			t.shared.generations.Load()
			atomic.LoadUint64(&t.cluster(t.plan.Clusters - 1)[0])
		})
	}
}

// Usable returns how many bytes of its size the table uses.
func (t *Table) Usable() uint64 {
	if !t.Lost() {
		return t.plan.Clusters * BytesPerCluster
	}
	t.shared.losing.Lock()
	defer t.shared.losing.Unlock()
	return t.shared.usable
}

// OnLoss sets what is called, once and from any goroutine, when the table is lost.
func (t *Table) OnLoss(f func()) {
	if t.shared == nil {
		return
	}
	t.shared.losing.Lock()
	t.shared.onLoss = f
	t.shared.losing.Unlock()
	if t.Lost() {
		t.reportLoss()
	}
}

// reportLoss calls OnLoss's function, once.
func (t *Table) reportLoss() {
	t.shared.losing.Lock()
	f := t.shared.onLoss
	t.shared.onLoss = nil
	t.shared.losing.Unlock()
	if f != nil {
		f()
	}
}

// lose replaces the shared memory that has an address. It reports whether the table, or a table that it
// inherits, has such memory.
func (t *Table) lose(address uintptr) bool {
	tables := []*Table{t}
	t.rehash.mu.RLock()
	for _, s := range t.rehash.sources {
		tables = append(tables, s.table)
	}
	t.rehash.mu.RUnlock()
	for _, table := range tables {
		if table.shared != nil && table.shared.Has(address) {
			return table.forsake()
		}
	}
	return false
}

// forsake replaces the memory, unless that has been done, and reports whether it could be.
func (t *Table) forsake() bool {
	s := t.shared
	s.losing.Lock()
	if !s.lost.Load() {
		usable := fitting(t.region.Size(), uint64(1+max(s.others(), s.most)))
		writable, err := s.Forsake()
		if err != nil {
			s.losing.Unlock()
			return false
		}
		if !writable {
			usable = 0
		}
		s.usable = usable
		s.lost.Store(true)
	}
	t.ready.Store(t.endOfLost())
	s.losing.Unlock()
	t.reportLoss()
	return true
}

// endOfLost is the value of ready of a lost table. losing is held.
func (t *Table) endOfLost() uintptr {
	if t.shared.usable < t.region.Size() {
		return uintptr(t.base) + uintptr(t.shared.usable)
	}
	return everything
}

// setReady sets ready, in a lost table to what is usable.
func (t *Table) setReady(end uintptr) {
	t.ready.Store(end)
	if t.Lost() {
		t.shared.losing.Lock()
		defer t.shared.losing.Unlock()
		t.ready.Store(t.endOfLost())
	}
}

// fitting returns how many of the first bytes of a table fit if that many processes have such a table.
func fitting(bytes, processes uint64) uint64 {
	for bytes > mem.Smallest && mem.Fits(bytes*processes) != nil {
		bytes = bytes / 2 &^ (bytesPerPair - 1)
	}
	return bytes
}

// clearShared is Clear for a table that is shared, or lost.
func (t *Table) clearShared(ctx context.Context) error {
	err := t.abandon()
	if err == nil && !t.Lost() {
		t.Guard(func() { err = t.region.Clear(ctx) })
	}
	if t.Lost() {
		return t.clearLost(ctx)
	}
	return err
}

// clearLost is Clear for a lost table.
func (t *Table) clearLost(ctx context.Context) error {
	const piece = 4 << 20
	for at, end := uint64(0), t.Usable(); at < end; at += piece {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		for i := at; i < min(at+piece, end); i += BytesPerCluster {
			for j := range 4 {
				mem.StoreWord(&t.cluster(i / BytesPerCluster)[j], 0)
			}
		}
	}
	return nil
}
