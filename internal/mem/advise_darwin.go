//go:build !race

package mem

// advise does nothing: Apple's processors have a single page size.
func advise([]byte, bool) {}
