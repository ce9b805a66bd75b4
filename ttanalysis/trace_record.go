package ttanalysis

import (
	"errors"
	"fmt"
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
// The key of a search record is the number of searches before it in the trace. The key of a clear record is
// 0. Scores are signed 16-bit numbers, as in the table and in the window of the search. The file
// trace/trefoil_trace.h writes the same records from C and C++.
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

// usedBits are the bits of Word that a kind of records uses.
var usedBits = [kinds]uint64{KindClear: kindMask, KindSearch: kindMask, KindProbe: 0x0000_FFFF_FFFF_FF3F,
	KindStore: 0xFFFF_FFFF_FFFF_FF3F}

// ProbeRecord returns the record of a probe by a node of that depth in plies, 0 in quiescence
// search, with the window (alpha, beta). hit and cutoff are its result. Numbers
// outside the range of their field are clamped.
func ProbeRecord(key uint64, depth, alpha, beta int, pv, hit, cutoff bool) Record {
	return Record{key, uint64(KindProbe) | bit(pv)<<pvShift | bit(hit)<<hitShift | bit(cutoff)<<cutShift |
		uint64(max(0, min(depth, math.MaxUint8)))<<depthShift | clamp16(alpha)<<lowShift | clamp16(beta)<<midShift}
}

// StoreRecord returns the record of a stored entry.
func StoreRecord(key uint64, e cluster.Entry) Record {
	return Record{key, uint64(KindStore) | bit(e.PV)<<pvShift | uint64(e.Bound&3)<<boundShift |
		uint64(e.Depth)<<depthShift |
		uint64(uint16(e.Value))<<lowShift | uint64(e.Move)<<midShift | uint64(uint16(e.Eval))<<highShift}
}

// check returns what is wrong with a record that follows that many searches.
func (r Record) check(searches uint64) error {
	switch k := r.Kind(); {
	case k < KindClear || k >= kinds:
		return fmt.Errorf("kind is %d, expected %d to %d", k, KindClear, kinds-1)
	case r.Word&^usedBits[k] != 0:
		return fmt.Errorf("bits %#x of a word of kind %d are not 0", r.Word&^usedBits[k], k)
	case k == KindClear && r.Key != 0:
		return fmt.Errorf("key of a clear is %d, expected 0", r.Key)
	case k == KindSearch && r.Key != searches:
		return fmt.Errorf("key of a search is %d, expected %d, the searches before it", r.Key, searches)
	case k == KindProbe && r.Cutoff() && !r.Hit():
		return errors.New("a probe has a cutoff and no hit")
	case k == KindProbe && r.Alpha() > r.Beta():
		return fmt.Errorf("alpha %d of a probe is above beta %d", r.Alpha(), r.Beta())
	}
	return nil
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
		Quality: cluster.Quality{Depth: uint8(r.Word >> depthShift), Bound: cluster.Bound(r.Word >> boundShift & 3),
			PV: r.PV()},
	}
}

// depth returns the depth field of a word.
func depth(word uint64) int { return int(word >> depthShift & 255) }
