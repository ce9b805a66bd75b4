//go:build race || !linux

package mem

// usage adds nothing: the system does not account for single mappings, or the memory is part of
// the Go heap.
func usage(base uintptr, u *Usage) {}
