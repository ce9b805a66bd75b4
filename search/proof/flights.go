package proof

import "sync/atomic"

// flights count the workers below positions. Positions whose keys agree in some bits share
// a count, which costs a little order, no truth.
type flights struct{ counts [1 << flightBits]atomic.Int32 }

const flightBits = 14

func (f *flights) count(key uint64) *atomic.Int32 { return &f.counts[key>>(64-flightBits)] }

func (f *flights) enter(key uint64) { f.count(key).Add(1) }

func (f *flights) leave(key uint64) { f.count(key).Add(-1) }

// below returns how many workers are below a position; the one who asks is not.
func (f *flights) below(key uint64) int32 { return f.count(key).Load() }
