//go:build !race

package mem

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
)

// usage returns the kernel's accounting of the mappings between base and base+size.
func usage(base, size uintptr) (resident, huge uint64, ok bool) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return 0, 0, false
	}
	defer f.Close()
	return readUsage(f, uint64(base), uint64(size))
}

// readUsage sums Rss and what is on huge pages, in bytes, of all mappings in an smaps text that lie
// between base and base+size. ok is false if there is none.
func readUsage(smaps io.Reader, base, size uint64) (resident, huge uint64, ok bool) {
	inside := false
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		name, rest, _ := strings.Cut(lines.Text(), " ")
		if from, to, isRange := strings.Cut(name, "-"); isRange {
			lo, err1 := strconv.ParseUint(from, 16, 64)
			hi, err2 := strconv.ParseUint(to, 16, 64)
			inside = err1 == nil && err2 == nil && lo >= base && hi <= (base+size+pageMask)&^pageMask
			ok = ok || inside
			continue
		}
		if !inside || name != "Rss:" && name != "AnonHugePages:" && name != "ShmemPmdMapped:" {
			continue
		}
		kib, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
		if err != nil {
			return 0, 0, false
		}
		if name == "Rss:" {
			resident += kib << 10
		} else {
			huge += kib << 10
		}
	}
	return resident, huge, ok
}

// pageMask covers the largest page of Linux's architectures, to which the end of
// a mapping is rounded.
const pageMask = 64<<10 - 1
