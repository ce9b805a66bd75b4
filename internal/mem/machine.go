package mem

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"
	"github.com/pbnjay/memory"
)

// Facts are what the machine has for a table. A size the system does not tell is 0.
type Facts struct {
	Total     uint64 // bytes of memory
	Available uint64 // bytes a new region may take
	Explain   string // where Available comes from
	Processor string // its name, or the architecture
	CacheLine int    // bytes
	L2, L3    int    // bytes
	HugePages string // what the system does about them, as text
}

// Machine returns the facts of this machine as they are now.
func Machine() Facts {
	f := Facts{
		Total:     memory.TotalMemory(),
		Processor: cpuid.CPU.BrandName,
		CacheLine: max(cpuid.CPU.CacheLine, 0),
		L2:        max(cpuid.CPU.Cache.L2, 0),
		L3:        max(cpuid.CPU.Cache.L3, 0),
		HugePages: hugePages(),
	}
	f.Available, f.Explain = Available()
	if f.Processor == "" {
		f.Processor = runtime.GOARCH
	}
	return f
}

// spare is what a region leaves of the memory that is available: the search, its
// histories and the page tables of the region need some too, and where the limit is
// a control group's, the last megabyte costs the process its life.
const spare = 64 << 20

// less takes the spare memory off what is available.
func less(bytes uint64, explain string) (uint64, string) {
	if bytes == math.MaxUint64 {
		return bytes, explain
	}
	return bytes - min(bytes, spare), fmt.Sprintf("%s less %d MiB", explain, spare>>20)
}

// hugePages names the mode of transparent huge pages on Linux; elsewhere there
// are none to be had without privileges.
func hugePages() string {
	if runtime.GOOS != "linux" {
		return "none on " + runtime.GOOS
	}
	text, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil {
		return "not offered by this kernel"
	}
	_, mode, _ := strings.Cut(string(text), "[")
	mode, _, _ = strings.Cut(mode, "]")
	return mode
}
