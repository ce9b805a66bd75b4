package proof

import "sync/atomic"

// inFlight counts the threads that search below each position, for virtual losses. Positions whose
// keys agree in the highest inFlightBits share a count, which affects only the order of the search.
type inFlight struct {
	counts [1 << inFlightBits]atomic.Int32
}

const inFlightBits = 14

func (f *inFlight) count(key uint64) *atomic.Int32 { return &f.counts[key>>(64-inFlightBits)] }

func (f *inFlight) enter(key uint64) { f.count(key).Add(1) }

func (f *inFlight) leave(key uint64) { f.count(key).Add(-1) }

// below returns the number of threads below a position, without the caller's.
func (f *inFlight) below(key uint64) int32 { return f.count(key).Load() }
