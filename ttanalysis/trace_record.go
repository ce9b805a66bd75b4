package ttanalysis

import (
	"math"

	"trefoil/cluster"
)

// Kind is the kind of a Record.
type Kind uint8

// The kinds of records.
const (
	KindClear  Kind = iota + 1 // the table was cleared
	KindSearch                 // a search began
	KindProbe
	KindStore
	kinds
)

// A Record is one event of a trace in 16 bytes, a key and a word:
//
//	bit     63   48 47   32 31    16 15   8 7  6   5      4     3   2    0
//	probe   0      | beta  | alpha  | depth| 0    | cut | hit | pv | kind 3
//	store   eval   | move  | value  | depth| 0    |   bound 2 | pv | kind 3
//	search  0                                                      | kind 3
//	clear   0                                                      | kind 3
//
// The key of a search record is the number of searches before it in the trace, that of a clear
// record 0. Scores are signed 16-bit numbers, as in the table and in the window of the search.
type Record struct{ Key, Word uint64 }

// The fields of Word.
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

// ProbeRecord returns the record of a probe by a node of that depth in plies, 0 in quiescence
// search, with the window (alpha, beta). hit and cutoff are its result. Numbers
// outside the range of their field are clamped.
func ProbeRecord(key uint64, depth, alpha, beta int, pv, hit, cutoff bool) Record {
	return Record{key, uint64(KindProbe) | bit(pv)<<pvShift | bit(hit)<<hitShift | bit(cutoff)<<cutShift |
		uint64(max(0, min(depth, math.MaxUint8)))<<depthShift | clamp16(alpha)<<lowShift | clamp16(beta)<<midShift}
}

// StoreRecord returns the record of a stored entry.
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

func clamp16(v int) uint64 {
	return uint64(uint16(max(math.MinInt16, min(v, math.MaxInt16))))
}

// Kind returns the kind of the record.
func (r Record) Kind() Kind { return Kind(r.Word & kindMask) }

// PV reports whether the probing node, or the stored entry, is a PV node.
func (r Record) PV() bool { return r.Word>>pvShift&1 != 0 }

// Hit reports whether a probe was a hit when it was recorded.
func (r Record) Hit() bool { return r.Word>>hitShift&1 != 0 }

// Cutoff reports whether a probe ended its node when it was recorded.
func (r Record) Cutoff() bool { return r.Word>>cutShift&1 != 0 }

// Depth returns the depth of the probing node, or of the stored entry, in plies; 0 is quiescence
// search.
func (r Record) Depth() int { return depth(r.Word) }

// Alpha returns the lower bound of the window of a probe.
func (r Record) Alpha() int { return int(int16(r.Word >> lowShift)) }

// Beta returns the upper bound of the window of a probe.
func (r Record) Beta() int { return int(int16(r.Word >> midShift)) }

// Entry returns the stored entry.
func (r Record) Entry() cluster.Entry {
	return cluster.Entry{
		Move: uint16(r.Word >> midShift), Value: int16(r.Word >> lowShift), Eval: int16(r.Word >> highShift),
		Quality: cluster.Quality{Depth: uint8(r.Word >> depthShift), Bound: cluster.Bound(r.Word >> boundShift & 3), PV: r.PV()},
	}
}

// depth returns the depth field of a word.
func depth(word uint64) int { return int(word >> depthShift & 255) }
