//go:build !linux

package mem

import (
	"fmt"
	"math"
	"runtime"

	"github.com/pbnjay/memory"
)

// Available returns how many bytes a new region may take, less a reserve for the process itself,
// and the source of the number as text. On macOS it is the physical memory: the number of free
// pages means little there, because the system fills them with data that it can drop or compress.
func Available() (bytes uint64, explain string) {
	word := "free memory"
	bytes = memory.FreeMemory()
	if runtime.GOOS == "darwin" || bytes == 0 {
		word, bytes = "physical memory", memory.TotalMemory()
	}
	if bytes == 0 {
		return math.MaxUint64, "unknown"
	}
	return lessReserve(bytes, fmt.Sprintf("%.1f GiB by %s", float64(bytes)/(1<<30), word))
}
