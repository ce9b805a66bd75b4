package remainder

import (
	"context"
	"fmt"
	"unsafe"

	"trefoil/internal/mem"
)

// Unsigned are the types of stored keys and values in Pairs.
type Unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// bitsOf returns the width of a type.
func bitsOf[T Unsigned]() uint { return uint(unsafe.Sizeof(T(0))) * 8 }

// Pairs is the table of the tutorial, for comparison with Table: one slot for every remainder,
// keys and values in two arrays, and every store replaces what its slot holds.
//
//	        slot   0         1         2             8,388,616
//	keys   uint32  │ key low │ key low │ …           │ key low │
//	values uint8   │ v │ v │ v │ …                   │ v │          0: empty
//
// A slot takes five bytes where an entry of a Table takes eight. But a hit reads two cache lines,
// and key and value are two writes that another goroutine could interleave with its own: Pairs
// is for one goroutine only.
type Pairs[K, V Unsigned] struct {
	slots  modulus
	keys   []K
	values []V
	region *mem.Region
}

// TutorialSlots is the smallest prime above 2^23.
const TutorialSlots = 1<<23 + 9

// NewPairs returns an empty table with that many slots, for keys from 0 to maxKey. It returns an
// error, with the numbers, if the number of slots is even or two keys could not be distinguished.
func NewPairs[K, V Unsigned](slots, maxKey uint64) (*Pairs[K, V], error) {
	if err := checkExact("slots", slots, bitsOf[K](), Key{0, maxKey}); err != nil {
		return nil, err
	}
	if slots > 1<<48 {
		return nil, fmt.Errorf("remainder: %d slots are more than memory can be", slots)
	}
	const line = 64 // the values begin on a cache line
	values := (slots*uint64(bitsOf[K]()/8) + line - 1) &^ (line - 1)
	region, err := mem.Options{}.Allocate(values + slots*uint64(bitsOf[V]()/8))
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

// Probe returns the value that was last stored for a key, or 0 and false.
func (p *Pairs[K, V]) Probe(key uint64) (V, bool) {
	slot := p.slots.of(key)
	if p.keys[slot] != K(key) {
		return 0, false
	}
	value := p.values[slot]
	return value, value != 0
}

// Store writes the value of a key, not 0, and replaces what the slot holds.
func (p *Pairs[K, V]) Store(key uint64, value V) {
	slot := p.slots.of(key)
	p.keys[slot] = K(key)
	p.values[slot] = value
}

// Bytes returns the size of the table.
func (p *Pairs[K, V]) Bytes() uint64 { return p.region.Size() }

// Clear empties the table in place. If the context ends first it returns the context's error,
// and the table is partly cleared.
func (p *Pairs[K, V]) Clear(ctx context.Context) error { return p.region.Clear(ctx) }

// Close unmaps the memory. A second call does nothing.
func (p *Pairs[K, V]) Close() error { return p.region.Unmap() }
