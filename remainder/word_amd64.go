//go:build !race

package remainder

// storeWord writes one word, whole: an ordinary 64-bit store on this processor. The order
// of stores does not matter, since no word has to agree with another; sync/atomic would
// put a full barrier behind it, for 1 to 8 ns of a store of 6 to 50.
func storeWord(p *uint64, w uint64) { *p = w }
