//go:build !race

package mem

// advise does nothing: Apple's processors have one page size for everybody.
func advise([]byte, bool) {}
