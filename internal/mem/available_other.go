//go:build !linux

package mem

import (
	"runtime"

	"github.com/pbnjay/memory"
)

// measure is Measure without the reserve. On macOS the physical memory counts as free, also the part that
// this process has. The number of free pages means little there, because the system fills them with data
// that it can drop or compress.
func measure() Room {
	r := Room{Free: memory.FreeMemory(), Source: "free memory", Map: Unlimited}
	if runtime.GOOS == "darwin" || r.Free == 0 {
		r.Free, r.Source = memory.TotalMemory(), "physical memory"
	} else {
		r.Own = own()
	}
	if r.Free == 0 {
		r.Free, r.Source = Unlimited, ""
	}
	return r
}
