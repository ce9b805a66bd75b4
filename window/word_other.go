//go:build race || !amd64

package window

import (
	"sync/atomic"
	"unsafe"
)

// storeWord, storeHalf and storeByte write their value whole and after all earlier writes.
func storeWord(p *uint64, w uint64) { atomic.StoreUint64(p, w) }

func storeHalf(p *uint32, w uint32) { atomic.StoreUint32(p, w) }

// storeByte exchanges one byte of the aligned word that it lies in.
func storeByte(base unsafe.Pointer, at uint64, b byte) {
	p, shift := (*uint32)(unsafe.Add(base, at&^3)), at&3*8
	for {
		old := atomic.LoadUint32(p)
		if atomic.CompareAndSwapUint32(p, old, old&^(0xff<<shift)|uint32(b)<<shift) {
			return
		}
	}
}
