//go:build !race

package mem

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
)

// usage fills in what the kernel accounts for the mappings between base and base+u.Size.
func usage(base uintptr, u *Usage) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer f.Close()
	readUsage(f, uint64(base), u)
}

// readUsage adds up all mappings in an smaps text that lie between base and base+u.Size.
func readUsage(smaps io.Reader, base uint64, u *Usage) {
	inside, page := false, uint64(0)
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		name, rest, _ := strings.Cut(lines.Text(), " ")
		if from, to, isRange := strings.Cut(name, "-"); isRange {
			lo, err1 := strconv.ParseUint(from, 16, 64)
			hi, err2 := strconv.ParseUint(to, 16, 64)
			inside = err1 == nil && err2 == nil && lo >= base && hi <= (base+u.Size+pageMask)&^pageMask
			u.Known = u.Known || inside
			continue
		}
		if !inside {
			continue
		}
		kib, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
		if err != nil {
			continue // VmFlags and the like
		}
		switch bytes := kib << 10; name {
		case "KernelPageSize:":
			page = bytes
		case "Rss:":
			u.Resident += bytes
		case "AnonHugePages:", "ShmemPmdMapped:":
			u.Transparent += bytes
		case "Private_Hugetlb:": // no part of Rss
			u.Resident += bytes
			if page == bytes1GiB {
				u.Pages1GiB += bytes
			} else {
				u.Pages2MiB += bytes
			}
		}
	}
}

// pageMask covers the largest page of Linux's architectures, to which the end of
// a mapping is rounded.
const pageMask = 64<<10 - 1
