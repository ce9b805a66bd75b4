//go:build !linux

package mem

import (
	"fmt"
	"math"
	"runtime"

	"github.com/pbnjay/memory"
)

// Available returns how many bytes a new region may take, less a spare part for the
// process itself, and a phrase that says where the number comes from. On macOS that is the physical memory: free pages
// there say nothing, as the system fills them with what it can drop or compress.
func Available() (bytes uint64, explain string) {
	word := "free memory"
	bytes = memory.FreeMemory()
	if runtime.GOOS == "darwin" || bytes == 0 {
		word, bytes = "physical memory", memory.TotalMemory()
	}
	if bytes == 0 {
		return math.MaxUint64, "unknown"
	}
	return less(bytes, fmt.Sprintf("%.1f GiB by %s", float64(bytes)/(1<<30), word))
}
