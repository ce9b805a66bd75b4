package ttanalysis

import (
	"math"

	"trefoil/cluster"
)

// Kind is what a Record tells.
type Kind uint8

// The end of a trace, a table that was emptied, the beginning of a search, and the
// two things that a search does to its table.
const (
	KindEnd Kind = iota
	KindClear
	KindSearch
	KindProbe
	KindStore
	kinds
)

// A Record is 16 bytes of a trace: a key, and beside it
//
//	bit     63   48 47   32 31    16 15   8 7  6   5      4     3   2    0
//	probe   0      | beta  | alpha  | need | 0    | cut | hit | pv | kind 3
//	store   eval   | move  | value  | depth| 0    |   bound 2 | pv | kind 3
//	search  0                                                      | kind 3
//	clear   0                                                      | kind 3
//	end     0                                                      | kind 3
//
// The key of search is how many searches there were before it in the trace, that of end how
// many records, that of clear 0. Values are those of the table and of the search's
// window, in 16 bits with their sign.
type Record struct{ Key, Word uint64 }

// Places in Word.
const (
	kindMask   = 7
	pvShift    = 3
	hitShift   = 4
	boundShift = 4
	cutShift   = 5
	depthShift = 8
	lowShift   = 16
	midShift   = 32
	highShift  = 48
)

// ProbeRecord is a look at the table by a search that wants a value of at least need
// plies for the window (alpha, beta); hit and cutoff say what came of it then. What does
// not fit its bits is as near to it as they come.
func ProbeRecord(key uint64, need, alpha, beta int, pv, hit, cutoff bool) Record {
	return Record{key, uint64(KindProbe) | bit(pv)<<pvShift | bit(hit)<<hitShift | bit(cutoff)<<cutShift |
		uint64(max(0, min(need, math.MaxUint8)))<<depthShift | narrow(alpha)<<lowShift | narrow(beta)<<midShift}
}

// StoreRecord is an entry that a search stored.
func StoreRecord(key uint64, e cluster.Entry) Record {
	return Record{key, uint64(KindStore) | bit(e.PV)<<pvShift | uint64(e.Bound&3)<<boundShift | uint64(e.Depth)<<depthShift |
		uint64(uint16(e.Value))<<lowShift | uint64(e.Move)<<midShift | uint64(uint16(e.Eval))<<highShift}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func narrow(v int) uint64 {
	return uint64(uint16(max(math.MinInt16, min(v, math.MaxInt16))))
}

// Kind returns what the record tells.
func (r Record) Kind() Kind { return Kind(r.Word & kindMask) }

// PV reports whether a probe was at a node of the principal variation, or a stored entry
// belongs to one.
func (r Record) PV() bool { return r.Word>>pvShift&1 != 0 }

// Hit reports whether a probe found something when it was recorded.
func (r Record) Hit() bool { return r.Word>>hitShift&1 != 0 }

// Cutoff reports whether what a probe found ended the node when it was recorded.
func (r Record) Cutoff() bool { return r.Word>>cutShift&1 != 0 }

// Need is the depth in plies that a probe asked for; 0 is quiescence search.
func (r Record) Need() int { return int(r.Word >> depthShift & 255) }

// Alpha is the lower end of the window of a probe.
func (r Record) Alpha() int { return int(int16(r.Word >> lowShift)) }

// Beta is the upper end of the window of a probe.
func (r Record) Beta() int { return int(int16(r.Word >> midShift)) }

// Entry is what was stored.
func (r Record) Entry() cluster.Entry {
	return cluster.Entry{
		Move: uint16(r.Word >> midShift), Value: int16(r.Word >> lowShift), Eval: int16(r.Word >> highShift),
		Quality: cluster.Quality{Depth: uint8(r.Word >> depthShift), Bound: cluster.Bound(r.Word >> boundShift & 3), PV: r.PV()},
	}
}
