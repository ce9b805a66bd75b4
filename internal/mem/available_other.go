//go:build !linux

package mem

import (
	"runtime"

	"github.com/pbnjay/memory"
)

// measure is Measure without the reserve. On macOS the physical memory counts as free, also the part that
// this process has. The number of free pages means little there, because the system fills them with data
// that it can drop or compress. A program in WebAssembly has 4 GiB; a new table may take half, because the
// collector of Go may free the old one later.
func measure() Room {
	r := Room{Free: memory.FreeMemory(), Source: "free memory", Map: Unlimited}
	if runtime.GOARCH == "wasm" {
		r.Own, r.Source = own(), "half of WebAssembly's memory"
		r.Free = 2<<30 - min(r.Own, 2<<30)
		return r
	}
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
