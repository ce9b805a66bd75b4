//go:build race || !linux

package mem

// usage is unknown: the system does not account for single mappings, or the memory is part of the
// Go heap.
func usage(base, size uintptr) (resident, huge uint64, ok bool) { return 0, 0, false }
