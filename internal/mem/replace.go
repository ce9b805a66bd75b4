package mem

import (
	"errors"
	"runtime"
	"runtime/debug"
)

// errReplaced is the error of operations on a Region after Replace.
var errReplaced = errors.New("memory: region was replaced")

// Fault returns the address at which memory could not be used, if that is what a panic was about. A
// goroutine panics so only after debug.SetPanicOnFault.
func Fault(panicked any) (address uintptr, ok bool) {
	e, ok := panicked.(runtime.Error)
	if !ok {
		return 0, false
	}
	fault, ok := e.(interface{ Addr() uintptr })
	if !ok {
		return 0, false
	}
	return fault.Addr(), true
}

// panicsOnFault reports whether this goroutine panics on a fault.
func panicsOnFault() bool {
	on := debug.SetPanicOnFault(false)
	debug.SetPanicOnFault(on)
	return on
}

// Has reports whether an address is in the region, which is mapped.
func (r *Region) Has(address uintptr) bool {
	r.gate.RLock()
	defer r.gate.RUnlock()
	return !r.gone && address-uintptr(r.base) < uintptr(r.size)
}

// Replace puts zeroed memory of this process in the place of a region of MapFile whose file was cut short.
// Others may use the region meanwhile. It reports whether the memory can be written to; otherwise the
// system has not granted that. Afterwards Prefault, Fill and Clear end with an error.
func (r *Region) Replace() (writable bool, err error) {
	r.gate.RLock()
	defer r.gate.RUnlock()
	if r.gone {
		return false, errUnmapped
	}
	r.replaced.Store(true)
	return replace(r.base, uintptr(r.size))
}
