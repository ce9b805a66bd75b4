//go:build !race

package window

import "unsafe"

// storeWord, storeHalf and storeByte write their value whole and after all earlier writes.
//
// That is what ordinary stores do on this processor, and all the table needs. sync/atomic
// promises more, that no later read comes before them, for which it takes an exchange with
// a full barrier each.
func storeWord(p *uint64, w uint64) { *p = w }

func storeHalf(p *uint32, w uint32) { *p = w }

func storeByte(base unsafe.Pointer, at uint64, b byte) { *(*byte)(unsafe.Add(base, at)) = b }
