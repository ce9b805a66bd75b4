//go:build race || !amd64

package cluster

import "sync/atomic"

// storeWord writes one word of a cluster, whole, and after all earlier writes.
func storeWord(p *uint64, w uint64) { atomic.StoreUint64(p, w) }
