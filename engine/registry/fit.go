package registry

import (
	"errors"
	"fmt"

	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/table"
	"trefoil/internal/mem"
	"trefoil/ttanalysis/observe"
)

// sizes returns the sizes that the options set, but with the actual size of the table of h, if it has one.
func (e *Env) sizes(h Hasher) config.Sizes {
	s := e.Options.Sizes()
	if kib := h.TableKiB(); kib > 0 {
		s.KiB = kib
	}
	return s
}

// Keep tells the budget how much memory h takes with the present options.
func (e *Env) Keep(h Hasher) { e.Memory.Keep(h.Parts(e.sizes(h))) }

// fit accepts a request for h, or returns an error with the numbers. If the request does not fit, h frees
// the memory that it can spare, and fit tries again.
func (e *Env) fit(h Hasher, r memory.Request) error {
	err := e.Memory.Fit(r)
	if s, ok := h.(Sparer); ok && err != nil && s.Spare() {
		err = e.Memory.Fit(r)
	}
	return err
}

// hashRequest asks for a table of a number of KiB.
func (e *Env) hashRequest(h Hasher, kib uint64) memory.Request {
	s := e.Options.Sizes()
	return memory.Request{
		Option: memory.Hash, Value: kib, Present: h.TableKiB(),
		Asked: "hash of " + mem.Size(kib<<10),
		Text:  func(kib uint64) string { return mem.Size(kib << 10) },
		Parts: func(kib uint64) []memory.Part { s.KiB = kib; return h.Parts(s) },
	}
}

// FitHash accepts a table of a size for h, or returns an error with the numbers.
func (e *Env) FitHash(h Hasher, size table.Size) error { return e.fit(h, e.hashRequest(h, size.All())) }

// TableSize returns the size of the first table of h: mib MiB or, if a table of that size does not fit, the
// largest that does. Then the error says why.
func (e *Env) TableSize(h Hasher, mib uint64) (table.Size, error) {
	r := e.hashRequest(h, mib<<10)
	err := e.fit(h, r)
	if refusal := (*memory.Refusal)(nil); errors.As(err, &refusal) {
		size := table.AtMost(mib, refusal.Largest)
		e.Memory.Keep(r.Parts(size.All()))
		return size, err
	}
	return table.Size{MiB: mib}, err
}

// FitThreads accepts a number of threads for h, or returns an error with the numbers.
func (e *Env) FitThreads(h Hasher, threads int) error {
	s := e.sizes(h)
	return e.fit(h, memory.Request{
		Option: memory.Threads, Value: uint64(threads), Present: uint64(s.Threads),
		Asked: fmt.Sprintf("%d threads", threads),
		Text:  func(n uint64) string { return fmt.Sprint(n) },
		Parts: func(n uint64) []memory.Part { s.Threads = int(n); return h.Parts(s) },
	})
}

// FitAudit accepts an audit of the table of h, or returns an error with the numbers.
func (e *Env) FitAudit(h Hasher, mode observe.AuditMode) error {
	s := e.sizes(h)
	present := s.Audit
	s.Audit = mode
	return e.fitNew(h, memory.HashAudit, s, mode > present)
}

// FitStats accepts statistics of the table of h, or returns an error with the numbers.
func (e *Env) FitStats(h Hasher, on bool) error {
	s := e.sizes(h)
	present := s.Stats
	s.Stats = on
	return e.fitNew(h, memory.HashStats, s, on && !present)
}

// fitNew accepts the sizes s, which differ from the present ones in one option, or returns an error with
// the numbers. more says that s takes more memory for that option than now.
func (e *Env) fitNew(h Hasher, option string, s config.Sizes, more bool) error {
	parts := h.Parts(s)
	r := memory.Request{
		Option: option, Asked: option + " of " + mem.Size(memory.Of(option, parts)),
		Parts: func(uint64) []memory.Part { return parts },
	}
	if more {
		r.Value = 1
	}
	return e.fit(h, r)
}
