package remainder

import (
	"context"
	"fmt"
	"unsafe"

	"trefoil/internal/mem"
)

// Unsigned are the types that keys and values can be stored in.
type Unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// bitsOf returns the width of a type.
func bitsOf[T Unsigned]() uint { return uint(unsafe.Sizeof(T(0))) * 8 }

// A View is a Table whose words store as many bits of a key as K has and values of type
// V, so that the compiler knows the widths and no value can be too large. Everything but
// Probe and Store is the Table's own.
type View[K, V Unsigned] struct{ *Table }

// NewView returns an empty table of that many buckets for keys from 0 to maxKey. It
// refuses what New refuses, and types that do not fit into one word together.
func NewView[K, V Unsigned](buckets uint64, ways int, maxKey uint64) (View[K, V], error) {
	if k, v := bitsOf[K](), bitsOf[V](); k+v > 64 {
		return View[K, V]{}, fmt.Errorf("remainder: %d key bits and %d value bits are more than 64", k, v)
	}
	t, err := New(Shape{buckets, ways, bitsOf[K]()}, maxKey)
	return View[K, V]{t}, err
}

// Probe is Table.Probe.
func (v View[K, V]) Probe(key uint64) (V, bool) {
	value, ok := v.Table.Probe(key)
	return V(value), ok
}

// Store is Table.Store; the value is not 0.
func (v View[K, V]) Store(key uint64, value V) { v.Table.Store(key, uint64(value)) }

// Pairs is the table as the tutorial has it, for comparison: one slot for every remainder,
// keys and values in two arrays, every store replacing what is there.
//
//	        slot   0         1         2             8,388,616
//	keys   uint32  │ key low │ key low │ …           │ key low │
//	values uint8   │ v │ v │ v │ …                   │ v │          0 is an empty slot
//
// Five bytes a slot save three of a Table's eight. But a hit waits for two cache lines,
// and a key and its value are two writes that another goroutine could come between:
// Pairs is for one goroutine.
type Pairs[K, V Unsigned] struct {
	slots  modulus
	keys   []K
	values []V
	region *mem.Region
}

// TutorialSlots is the smallest prime above 2^23.
const TutorialSlots = 1<<23 + 9

// NewPairs returns an empty table of that many slots for keys from 0 to maxKey. It refuses
// an even number, and one that could confuse two keys, and names the numbers.
func NewPairs[K, V Unsigned](slots, maxKey uint64) (*Pairs[K, V], error) {
	if err := checkExact("slots", slots, bitsOf[K](), maxKey); err != nil {
		return nil, err
	}
	if slots > 1<<48 {
		return nil, fmt.Errorf("remainder: %d slots are more than memory can be", slots)
	}
	const line = 64 // where the values begin
	values := (slots*uint64(bitsOf[K]()/8) + line - 1) &^ (line - 1)
	region, err := allocate(values+slots*uint64(bitsOf[V]()/8), nil)
	if err != nil {
		return nil, err
	}
	base := region.Pointer()
	return &Pairs[K, V]{
		slots:  newModulus(slots, 1),
		keys:   unsafe.Slice((*K)(base), slots),
		values: unsafe.Slice((*V)(unsafe.Add(base, values)), slots),
		region: region,
	}, nil
}

// Probe returns the value that was last stored for a key, 0 and false if there is none.
func (p *Pairs[K, V]) Probe(key uint64) (V, bool) {
	slot := p.slots.of(key)
	if p.keys[slot] != K(key) {
		return 0, false
	}
	value := p.values[slot]
	return value, value != 0
}

// Store writes the value of a key, not 0, over whatever its slot has.
func (p *Pairs[K, V]) Store(key uint64, value V) {
	slot := p.slots.of(key)
	p.keys[slot] = K(key)
	p.values[slot] = value
}

// Prefetch brings the stored key of a slot close; the value only follows a match.
func (p *Pairs[K, V]) Prefetch(key uint64) {
	mem.Prefetch(unsafe.Pointer(&p.keys[p.slots.of(key)]))
}

// Bytes returns the size of the table.
func (p *Pairs[K, V]) Bytes() uint64 { return p.region.Size() }

// Clear empties the table in place. If the context ends first it returns its error, and
// the table is partly cleared.
func (p *Pairs[K, V]) Clear(ctx context.Context) error { return p.region.Clear(ctx) }

// Close gives the memory back. A second call does nothing.
func (p *Pairs[K, V]) Close() error { return p.region.Unmap() }
