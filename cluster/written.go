package cluster

import (
	"context"
	"sync/atomic"

	"trefoil/internal/mem"
)

// A journal lists the clusters that have been written since the last Clear, each once, until there are too
// many: then all count as written. So a large table that was hardly used is cleared at once.
type journal struct {
	_    [64]byte // apart from what every probe reads
	n    atomic.Uint64
	_    [64]byte
	list []uint64
}

// A journal has room for one cluster in 256, and for 2^18 at most: clearing a listed cluster takes about a hundred
// times as long as clearing one in order.
const (
	clustersPerListed = 256
	maxListed         = 1 << 18
)

func (j *journal) init(clusters uint64) {
	j.list = make([]uint64, min(clusters/clustersPerListed, maxListed))
}

// add records that a cluster that was empty is written. Once the journal is full it only reads.
func (j *journal) add(cluster uint64) {
	if j.n.Load() > uint64(len(j.list)) {
		return
	}
	if i := j.n.Add(1) - 1; i < uint64(len(j.list)) {
		j.list[i] = cluster
	}
}

// set records that no cluster is written, or any may be.
func (j *journal) set(any bool) {
	if j.n.Store(0); any {
		j.n.Store(1 << 63)
	}
}

// any reports whether a cluster has been written.
func (j *journal) any() bool { return j.n.Load() > 0 }

// listed returns the clusters that have been written. ok is false if there are too many.
func (j *journal) listed() (clusters []uint64, ok bool) {
	n := j.n.Load()
	if n > uint64(len(j.list)) {
		return nil, false
	}
	return j.list[:n], true
}

// clearListed empties clusters.
func (t *Table) clearListed(ctx context.Context, clusters []uint64) error {
	for i, at := range clusters {
		if i%1000 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for j := range t.cluster(at) {
			mem.StoreWord(&t.cluster(at)[j], 0)
		}
	}
	return nil
}
