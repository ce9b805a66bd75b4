// Package memory decides whether what the options of an engine ask for fits into memory together: the
// table, the workers of all threads, an audit, the table for mates, and what has been loaded.
//
//	options ─► Request ─┬─ Budget.Fit ─► parts at that value, and the fixed ones ──┐
//	game ────► Use ─────┘                                                          ├─ sum ≤ room
//	machine, control groups, ulimit ─► mem.Measure ─► free + what the process has ─┘
//
// All sizes are in bytes. Parts count from when their option is accepted, used or not: a table is touched in the
// background, and workers are made by the first search. So the order of options does not matter: what is accepted fits.
package memory

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	"sync"

	"trefoil/internal/mem"
)

// The options of all games that take memory. Other names in a Budget are given by whoever calls Fix.
const (
	Hash      = "Hash"
	Threads   = "Threads"
	HashStats = "HashStats"
	HashAudit = "HashAudit"
)

// A Request is what the options ask for, with another value of one of them.
type Request struct {
	Option  string    // that has another value; "" for none
	Hash    uint64    // bytes of the table
	Pages   mem.Pages // of the table
	Threads uint64
	Audit   uint64 // bytes beside each KiB of the table
	Stats   uint64 // bytes
}

// Use is what a game has by now, and what more of it would take.
type Use struct {
	Table    uint64 // bytes of the table, 0 if there is none
	Ordinary uint64 // how many of them are not on reserved pages, and not shared with other processes
	Worker   uint64 // bytes of one worker
	Workers  uint64 // that have been made
	Observed bool   // the game has the options HashAudit and HashStats
	Audit    uint64 // bytes beside each KiB of the table
}

// A Part is the memory that an option takes.
type Part struct {
	Option string
	Bytes  uint64 // when all of it is in use
	Mapped uint64 // how many of them are mapped by now
}

// Parts returns the memory that a game takes with these options. Reserved pages of its table are not free for another
// table.
func (r *Request) Parts(u Use) []Part {
	hash := Part{Option: Hash, Bytes: u.Ordinary, Mapped: u.Ordinary}
	if r.Hash != u.Table {
		hash = Part{Option: Hash, Bytes: mem.Ordinary(r.Hash, r.Pages)}
	}
	threads := Part{Option: Threads, Bytes: r.Threads * u.Worker, Mapped: min(r.Threads, u.Workers) * u.Worker}
	if !u.Observed {
		return []Part{hash, threads}
	}
	audit := Part{Option: HashAudit, Bytes: r.Hash >> 10 * r.Audit}
	if r.Hash == u.Table && r.Audit == u.Audit {
		audit.Mapped = audit.Bytes
	}
	return []Part{hash, threads, audit, {Option: HashStats, Bytes: r.Stats}}
}

// Bytes returns how much memory a game takes with these options.
func (r *Request) Bytes(u Use) uint64 {
	bytes, _ := sum(r.Parts(u))
	return bytes
}

// value returns the field of an option.
func (r *Request) value(option string) *uint64 {
	switch option {
	case Threads:
		return &r.Threads
	case HashAudit:
		return &r.Audit
	case HashStats:
		return &r.Stats
	}
	return &r.Hash
}

// Set changes the value of an option.
func (r *Request) Set(option string, value uint64) { r.Option, *r.value(option) = option, value }

// more reports whether r asks for more than there is. present is the last request that was accepted.
func (r *Request) more(present *Request, u Use) bool {
	if r.Option == Hash {
		return r.Hash > u.Table
	}
	return *r.value(r.Option) > *present.value(r.Option)
}

// asked says in words what is asked for with these parts.
func (r *Request) asked(parts []Part) string {
	switch r.Option {
	case Hash:
		return "hash of " + mem.Size(r.Hash)
	case Threads:
		return fmt.Sprintf("%d threads", r.Threads)
	}
	return r.Option + " of " + mem.Size(of(r.Option, parts))
}

// Size is how large a table is to be, in bytes.
type Size struct {
	Asked uint64 // whole MiB
	Bytes uint64 // of them, that fit
}

// Whole is a table of all the bytes that are asked for.
func Whole(bytes uint64) Size { return Size{bytes, bytes} }

// AtMost returns the part of a size that has at most that many bytes: in whole MiB, or in whole KiB below one, but at
// least mem.Smallest, which is made even where nothing fits.
func (s Size) AtMost(bytes uint64) Size {
	if bytes >= s.Asked {
		return Whole(s.Asked)
	}
	unit := uint64(1 << 10)
	if bytes > 1<<20 {
		unit = 1 << 20
	}
	s.Bytes = max(bytes-bytes%unit, mem.Smallest)
	return s
}

// MiB is the size that was asked for, in the unit in which tables are made and the user counts.
func (s Size) MiB() uint64 { return s.Asked >> 20 }

// String says how large the table is, and of how much if that is not all.
func (s Size) String() string {
	switch {
	case s.Bytes == s.Asked:
		return fmt.Sprintf("%d MiB", s.MiB())
	case s.Bytes < 1<<20:
		return fmt.Sprintf("%d KiB of %d MiB", s.Bytes>>10, s.MiB())
	}
	return fmt.Sprintf("%d MiB of %d", s.Bytes>>20, s.MiB())
}

// A Budget is the memory of one engine. Its methods may be called from any goroutine. The zero Budget is
// for this process.
type Budget struct {
	// Measure, unless nil, takes the place of mem.Measure, for tests.
	Measure func() mem.Room

	mu    sync.Mutex
	begun bool
	base  uint64 // bytes that the process had at first, which no part has
	// userLimit is the limit of the Go heap that the user has set.
	userLimit int64
	request   Request // the last one that was accepted
	parts     []Part  // of request
	fixed     []Part  // see Fix
}

// Refusal is the error of Fit and Fix.
type Refusal struct {
	Option  string // that asked
	Asked   string // what for, in words
	Largest uint64 // the largest value of Hash or Threads that fits, 0 if none does
	Left    uint64 // bytes for the option
	Others  []Part // what else takes memory
	All     uint64 // bytes of all parts that fit together
	Source  string // of All
}

// Error says what was asked for, what fits, and what takes the rest.
func (r *Refusal) Error() string {
	fits := mem.Size(r.Left) + " are left"
	switch {
	case r.Largest == 0:
	case r.Option == Threads:
		fits = fmt.Sprintf("at most %d fit", r.Largest)
	default:
		fits = "at most " + mem.Size(r.Largest) + " fit"
	}
	var others []string
	for _, p := range r.Others {
		others = append(others, fmt.Sprintf("%s %s", p.Option, mem.Size(p.Bytes)))
	}
	if len(others) > 0 {
		fits += " beside " + strings.Join(others, ", ")
	}
	return fmt.Sprintf("%s refused: %s (%s in all, by %s)", r.Asked, fits, mem.Size(r.All), r.Source)
}

// Fit accepts a request of a game, or returns a *Refusal and changes nothing. A value of the option that is not greater
// than the present one is always accepted.
func (b *Budget) Fit(r Request, u Use) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	parts := r.Parts(u)
	if room := b.roomFor(parts, b.fixed); r.more(&b.request, u) && room.exceeded(parts, b.fixed) {
		refusal := room.refusal(r.Option, r.asked(parts), parts, b.fixed)
		if r.Option == Hash || r.Option == Threads {
			refusal.Largest = b.largest(r, u, room)
		}
		return refusal
	}
	b.request, b.parts = r, parts
	return nil
}

// largest returns the largest value of the option that fits, up to the value of the request; 0 if no value fits.
func (b *Budget) largest(r Request, u Use, room room) uint64 {
	value := r.value(r.Option)
	return uint64(sort.Search(int(*value), func(n int) bool { // the first number whose successor does not fit
		*value = uint64(n) + 1
		return room.exceeded(r.Parts(u), b.fixed)
	}))
}

// others returns the parts that are not of an option and take something.
func others(option string, lists ...[]Part) (rest []Part) {
	for _, p := range slices.Concat(lists...) {
		if p.Option != option && p.Bytes > 0 {
			rest = append(rest, p)
		}
	}
	return rest
}

// Keep accepts a request of a game, whether it fits or not.
func (b *Budget) Keep(r Request, u Use) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.begun {
		b.room() // finds out what the process has at first
	}
	b.request, b.parts = r, r.Parts(u)
}

// Fix says that an option takes that many bytes until Free, or returns a *Refusal.
func (b *Budget) Fix(option string, bytes uint64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fix(option, bytes)
}

func (b *Budget) fix(option string, bytes uint64) error {
	rest, fixed := others(option, b.fixed), []Part{{Option: option, Bytes: bytes}}
	if room := b.roomFor(b.parts, rest, fixed); room.exceeded(b.parts, rest, fixed) {
		return room.refusal(option, option+" of "+mem.Size(bytes), b.parts, rest, fixed)
	}
	b.fixed = append(rest, Part{Option: option, Bytes: bytes, Mapped: bytes})
	return nil
}

// FixAtMost is Fix for the largest number of bytes up to most that fits, in whole KiB, but at least least. It returns
// that number; the error says why it is less than most.
func (b *Budget) FixAtMost(option string, most, least uint64) (bytes uint64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err = b.fix(option, most); err == nil {
		return most, nil
	}
	bytes = max(err.(*Refusal).Left&^(1<<10-1), least)
	b.fixed = append(others(option, b.fixed), Part{Option: option, Bytes: bytes, Mapped: bytes})
	return bytes, err
}

// Free says that an option takes nothing any more.
func (b *Budget) Free(option string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fixed = others(option, b.fixed)
}

// Room returns how many bytes more may be used beside all parts.
func (b *Budget) Room() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	room := b.room()
	return room.left(b.parts, b.fixed)
}

// roomFor is room, after garbage has been returned to the system if parts do not fit beside it.
func (b *Budget) roomFor(lists ...[]Part) room {
	room := b.room()
	if room.exceeded(lists...) && b.Measure == nil {
		debug.FreeOSMemory()
		room = b.room()
	}
	return room
}

// room is what all parts together may take.
type room struct {
	bytes    uint64
	source   string // of bytes, in words
	mapped   uint64 // besides what is mapped
	mappedBy string
}

// room measures it: what is free, and what the process has in memory by now. Called with mu held.
func (b *Budget) room() room {
	var m mem.Room
	if b.Measure != nil {
		m = b.Measure()
	} else {
		m = mem.Measure()
		b.limitHeap(m.Free)
	}
	if !b.begun {
		b.begun, b.base = true, m.Own
	}
	// Memory outside the parts, such as garbage, is not free.
	taken, _ := sum(b.parts, b.fixed)
	own := min(m.Own-min(m.Own, b.base), taken)
	return room{m.Free + min(own, mem.Unlimited-m.Free), m.Source, m.Map, m.Mapped}
}

// exceeded reports whether parts do not fit.
func (r *room) exceeded(lists ...[]Part) bool {
	used, mapped := sum(lists...)
	return used > r.bytes || mapped > r.mapped
}

// refusal is the error about a request for an option, in words, whose parts do not fit.
func (r *room) refusal(option, asked string, lists ...[]Part) *Refusal {
	rest := others(option, lists...)
	e := &Refusal{Option: option, Asked: asked, Left: r.left(rest), Others: rest, All: r.bytes, Source: r.source}
	used, mapped := sum(lists...)
	if there := used - mapped; r.mapped < r.bytes-min(r.bytes, there) {
		e.All, e.Source = r.mapped+there, r.mappedBy
	}
	return e
}

// left returns how many bytes more may be used beside parts.
func (r *room) left(lists ...[]Part) uint64 {
	used, mapped := sum(lists...)
	return min(r.bytes-min(r.bytes, used), r.mapped-min(r.mapped, mapped))
}

// of returns how many bytes an option takes.
func of(option string, parts []Part) (bytes uint64) {
	for _, p := range parts {
		if p.Option == option {
			bytes += p.Bytes
		}
	}
	return bytes
}

// sum returns how many bytes parts take, and how many of them are still to be mapped.
func sum(lists ...[]Part) (used, mapped uint64) {
	for _, p := range slices.Concat(lists...) {
		used += p.Bytes
		mapped += p.Bytes - min(p.Bytes, p.Mapped)
	}
	return used, mapped
}
