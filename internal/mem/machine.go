package mem

import (
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"
	"github.com/pbnjay/memory"
)

// Facts describe the machine as far as tables are concerned. A size that the system does not report
// is 0.
type Facts struct {
	Total     uint64 // bytes of memory
	Available uint64 // bytes a new region may take
	Explain   string // source of Available
	Processor string // its name, or the architecture
	CacheLine int    // bytes
	L2, L3    int    // bytes
	HugePages string // mode of transparent huge pages, as text
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

// hugePages returns the mode of transparent huge pages on Linux; other systems offer none without
// privileges.
func hugePages() string {
	if runtime.GOOS != "linux" {
		return "none on " + runtime.GOOS
	}
	return transparentMode(os.DirFS("/"))
}

// transparentMode is hugePages by the files of root.
func transparentMode(root fs.FS) string {
	text, err := fs.ReadFile(root, "sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil {
		return "not offered by this kernel"
	}
	_, mode, _ := strings.Cut(string(text), "[")
	mode, _, _ = strings.Cut(mode, "]")
	return mode
}
