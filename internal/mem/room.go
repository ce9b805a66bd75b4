package mem

import (
	"fmt"
	"math"
)

// Room is how much memory this process can take. A number without a limit is Unlimited.
type Room struct {
	Free   uint64 // bytes that new memory may take without swapping or being killed
	Source string // of Free, in words; "" if it is Unlimited
	Own    uint64 // bytes that the process has in memory, besides files and shared memory; they are no part of Free
	Map    uint64 // bytes that the process may map besides what it has mapped, whether it touches them or not
	Mapped string // source of Map

	reserve uint64 // bytes that Free and Map are less than what is there
}

// Unlimited is a number of bytes without a limit.
const Unlimited = math.MaxUint64

// Measure returns the room of this process: what the machine, its control groups and its limits (ulimit)
// leave, less a reserve for the program itself.
func Measure() Room {
	r := measure()
	r.reserve = reserveOf(plus(r.Free, r.Own))
	r.Free, r.Map = lessReserve(r.Free, r.reserve), lessReserve(r.Map, r.reserve)
	return r
}

// Available returns how many bytes a new region may take, and the source of the number as text: the
// smaller number of Measure.
func Available() (bytes uint64, explain string) {
	r := Measure()
	bytes, source := r.smaller()
	return bytes, r.explain(bytes, source)
}

// explain says where Free or Map comes from.
func (r *Room) explain(bytes uint64, source string) string {
	if bytes == Unlimited {
		return "unknown"
	}
	return fmt.Sprintf("%.1f GiB by %s less %d MiB", float64(plus(bytes, r.reserve))/(1<<30), source, r.reserve>>20)
}

// smaller returns the smaller of both numbers, and its source.
func (r Room) smaller() (bytes uint64, source string) {
	if r.Map < r.Free {
		return r.Map, r.Mapped
	}
	return r.Free, r.Source
}

// maxReserve is the memory that regions must leave: the program, its garbage and page tables need some, and
// a process that exceeds the limit of its control group is killed.
const maxReserve = 64 << 20

// reserveOf is the reserve of a process that can have that many bytes in all.
func reserveOf(all uint64) uint64 { return min(maxReserve, all/4) }

// Smallest is the size in bytes of regions that may take a part of the reserve, so that a search always
// has a table.
const Smallest = 256 << 10

// lessReserve subtracts the reserve, except from an unknown number.
func lessReserve(bytes, reserve uint64) uint64 {
	if bytes == Unlimited {
		return bytes
	}
	return bytes - min(bytes, reserve)
}

// plus adds without overflow.
func plus(a, b uint64) uint64 { return a + min(b, Unlimited-a) }
