//go:build race || !amd64

package mem

import (
	"sync/atomic"
	"unsafe"
)

// StoreWord writes 64 bits in one operation and after all earlier writes (a release store), which is
// what a table without locks needs. Readers use sync/atomic.
func StoreWord(p *uint64, w uint64) { atomic.StoreUint64(p, w) }

// StoreHalf writes 32 bits as StoreWord does 64.
func StoreHalf(p *uint32, w uint32) { atomic.StoreUint32(p, w) }

// StoreByte writes the byte at an offset from base, which is aligned, as StoreWord does 64 bits: it
// replaces one byte of an aligned 32-bit word.
func StoreByte(base unsafe.Pointer, at uint64, b byte) {
	p, shift := (*uint32)(unsafe.Add(base, at&^3)), at&3*8
	for {
		old := atomic.LoadUint32(p)
		if atomic.CompareAndSwapUint32(p, old, old&^(0xff<<shift)|uint32(b)<<shift) {
			return
		}
	}
}
