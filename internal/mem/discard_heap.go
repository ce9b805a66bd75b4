//go:build race || !(linux || darwin || windows)

package mem

// discard does nothing: the memory belongs to the Go heap.
func discard([]byte) error { return nil }
