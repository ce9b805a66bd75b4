// Package memory decides whether what the options of an engine ask for fits into memory together: the
// table, the workers of all threads, an audit, the table for mates, and what has been loaded.
//
//	setoption ──► Budget.Fit(request) ──► parts at that value, and the fixed ones ─┐
//	                                                                               ├─ sum ≤ room
//	machine, control groups, ulimit ──► mem.Measure ──► free + what the process has ┘
//
// Parts count from when their option is accepted, used or not: a table is touched in the background, and
// workers are made by the first search. So the order of options does not matter: what is accepted fits.
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

// The options of all games that take memory.
const (
	Hash      = "Hash"
	Threads   = "Threads"
	HashStats = "HashStats"
	HashAudit = "HashAudit"
)

// A Part is the memory that an option takes.
type Part struct {
	Option string
	Bytes  uint64 // when all of it is in use
	Mapped uint64 // how many of them are mapped by now
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
	parts     []Part // as they were last accepted
	fixed     []Part // see Fix
}

// A Request asks for another value of an option.
type Request struct {
	Option string
	Value  uint64
	// Present is the value in use: no more than that is always accepted.
	Present uint64
	// Asked says in words what is asked for, as in "hash of 16 MiB"; Text what another value is.
	Asked string
	Text  func(value uint64) string
	// Parts are all parts with a value of the option. A greater value takes no less.
	Parts func(value uint64) []Part
}

// Refusal is the error of Fit.
type Refusal struct {
	Request
	Largest uint64 // the largest value that fits, 0 if none does
	Left    uint64 // bytes for the option
	Others  []Part // what else takes memory
	All     uint64 // bytes of all parts that fit together
	Source  string // of All
}

// Error says what was asked for, what fits, and what takes the rest.
func (r *Refusal) Error() string {
	fits := mem.Size(r.Left) + " are left"
	if r.Largest > 0 {
		fits = "at most " + r.Text(r.Largest) + " fit"
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

// Fit accepts a request, or returns a *Refusal; then the parts are as before.
func (b *Budget) Fit(r Request) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	parts := r.Parts(r.Value)
	if room := b.roomFor(parts, b.fixed); r.Value > r.Present && room.exceeded(parts, b.fixed) {
		refusal := room.refusal(r, parts, b.fixed)
		refusal.Largest = b.largest(r, room)
		return refusal
	}
	b.parts = parts
	return nil
}

// largest returns the largest value that fits, up to the value of the request; 0 if no value fits.
func (b *Budget) largest(r Request, room room) uint64 {
	return uint64(sort.Search(int(r.Value), func(v int) bool { // the first value whose successor does not fit
		return room.exceeded(r.Parts(uint64(v)+1), b.fixed)
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

// Keep says what the parts are now, whether they fit or not.
func (b *Budget) Keep(parts []Part) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.begun {
		b.room() // finds out what the process has at first
	}
	b.parts = parts
}

// Fix says that an option takes that many bytes until Free, or returns a *Refusal.
func (b *Budget) Fix(option string, bytes uint64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fix(option, bytes)
}

func (b *Budget) fix(option string, bytes uint64) error {
	rest, new := others(option, b.fixed), []Part{{Option: option, Bytes: bytes}}
	if room := b.roomFor(b.parts, rest, new); room.exceeded(b.parts, rest, new) {
		r := Request{Option: option, Asked: option + " of " + mem.Size(bytes)}
		return room.refusal(r, b.parts, rest, new)
	}
	b.fixed = append(rest, Part{Option: option, Bytes: bytes, Mapped: bytes})
	return nil
}

// FixAtMost is Fix for the largest number of KiB up to most that fits, but at least least. It returns that
// number; the error says why it is less than most.
func (b *Budget) FixAtMost(option string, most, least uint64) (kib uint64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err = b.fix(option, most<<10); err == nil {
		return most, nil
	}
	kib = max(err.(*Refusal).Left>>10, least)
	b.fixed = append(others(option, b.fixed), Part{Option: option, Bytes: kib << 10, Mapped: kib << 10})
	return kib, err
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

// refusal is the error about a request whose parts do not fit.
func (r *room) refusal(request Request, lists ...[]Part) *Refusal {
	rest := others(request.Option, lists...)
	e := &Refusal{Request: request, Left: r.left(rest), Others: rest, All: r.bytes, Source: r.source}
	if used, mapped := sum(lists...); used <= r.bytes {
		e.All, e.Source = r.mapped+used-mapped, r.mappedBy
	}
	return e
}

// left returns how many bytes more may be used beside parts.
func (r *room) left(lists ...[]Part) uint64 {
	used, mapped := sum(lists...)
	return min(r.bytes-min(r.bytes, used), r.mapped-min(r.mapped, mapped))
}

// Of returns how many bytes an option takes.
func Of(option string, parts []Part) (bytes uint64) {
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
