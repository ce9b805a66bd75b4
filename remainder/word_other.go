//go:build race || !amd64

package remainder

import "sync/atomic"

// storeWord writes one word, whole.
func storeWord(p *uint64, w uint64) { atomic.StoreUint64(p, w) }
