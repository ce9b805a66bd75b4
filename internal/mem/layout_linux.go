//go:build !race

package mem

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// reservedApart: reserved pages are no part of the available memory.
const reservedApart = true

// layoutOf returns the layout that the system has free pages for. A NUMA policy that the process was
// started with, as by numactl, stays.
func layoutOf(bytes uint64, want Pages) layout {
	l := linuxLayout(os.DirFS("/"), bytes, want)
	if len(l.nodes) > 0 && memoryPolicy() != unix.MPOL_DEFAULT {
		l.nodes = nil
		l.addNote("NUMA nodes by the policy of the process")
	}
	return l
}

// memoryPolicy returns the NUMA policy of this thread, the default one if that is not known.
func memoryPolicy() int {
	var mode int32
	if _, _, errno := unix.Syscall6(unix.SYS_GET_MEMPOLICY, uintptr(unsafe.Pointer(&mode)), 0, 0, 0, 0, 0); errno != 0 {
		return unix.MPOL_DEFAULT
	}
	return int(mode)
}

// linuxLayout is layoutOf by the files of root.
func linuxLayout(root fs.FS, bytes uint64, want Pages) layout {
	l := layout{rest: TransparentPages, nodes: interleaveNodes(root)}
	need1GiB, need2MiB := bytes/bytes1GiB, bytes/bytes2MiB
	if want == Pages1GiB || want == AutoPages && bytes >= auto1GiB {
		l.pages1GiB = min(need1GiB, freePages(root, bytes1GiB))
	}
	if want <= Pages2MiB { // or larger ones
		l.pages2MiB = min(need2MiB-l.reserved()/bytes2MiB, freePages(root, bytes2MiB))
	}
	switch {
	case want == SmallPages:
		l.rest = SmallPages
	case want == Pages1GiB && need1GiB == 0:
		l.addNote("smaller than a page of 1 GiB")
	case want == Pages1GiB && l.pages1GiB < need1GiB:
		l.addNote("%d of %d pages of 1 GiB free", l.pages1GiB, need1GiB)
	case want == Pages2MiB && l.pages2MiB < need2MiB:
		l.addNote("%d of %d reserved pages of 2 MiB free", l.pages2MiB, need2MiB)
	}
	if mode := transparentMode(root); want != SmallPages && l.reserved()+bytes2MiB <= bytes && mode != "always" &&
		mode != "madvise" {
		l.addNote("transparent huge pages: %s", mode)
	}
	return l
}

// freePages returns how many reserved pages of a size this process can take: free and not promised
// to another mapping, on the nodes of its cpuset, and within the limits of its control groups. The
// limits matter because a page that is promised and then not given ends the process (SIGBUS).
func freePages(root fs.FS, size uint64) uint64 {
	folder := fmt.Sprintf("hugepages/hugepages-%dkB", size>>10)
	pool := path.Join("sys/kernel/mm", folder)
	free, ok := readNumber(root, path.Join(pool, "free_hugepages"))
	promised, ok2 := readNumber(root, path.Join(pool, "resv_hugepages"))
	if !ok || !ok2 {
		return 0
	}
	free -= min(free, promised)
	if allowed := statusList(root, "Mems_allowed_list:"); len(allowed) > 0 {
		onNodes, known := uint64(0), false
		for _, node := range allowed {
			n, ok := readNumber(root, path.Join(nodeFolder(node), folder, "free_hugepages"))
			onNodes += n
			known = known || ok
		}
		if known {
			free = min(free, onNodes)
		}
	}
	limit := map[uint64]string{bytes1GiB: "hugetlb.1GB.", bytes2MiB: "hugetlb.2MB."}[size]
	left, _ := groupAvailable(root, []groupFiles{
		{"cgroup", "hugetlb", limit + "limit_in_bytes", limit + "usage_in_bytes", ""},
		{"cgroup2", "", limit + "max", limit + "current", ""},
	})
	return min(free, left/size)
}

func nodeFolder(node int) string { return fmt.Sprintf("sys/devices/system/node/node%d", node) }

// interleaveNodes returns the NUMA nodes over which a table is interleaved: nodes with memory that this
// process may use, and with processors that it may run on. A node of memory alone may be slow. With fewer
// than two it returns none.
func interleaveNodes(root fs.FS) (nodes []int) {
	allowed, processors := statusList(root, "Mems_allowed_list:"), statusList(root, "Cpus_allowed_list:")
	mayRun := func(cpu int) bool { return slices.Contains(processors, cpu) }
	for _, node := range readList(root, "sys/devices/system/node/has_memory") {
		if slices.Contains(allowed, node) &&
			slices.ContainsFunc(readList(root, path.Join(nodeFolder(node), "cpulist")), mayRun) {
			nodes = append(nodes, node)
		}
	}
	if len(nodes) < 2 {
		return nil
	}
	return nodes
}

// statusList returns the numbers of a line of /proc/self/status.
func statusList(root fs.FS, name string) []int {
	for line := range strings.Lines(contents(root, "proc/self/status")) {
		if list, ok := strings.CutPrefix(line, name); ok {
			return parseList(list)
		}
	}
	return nil
}

func readList(root fs.FS, name string) []int { return parseList(contents(root, name)) }

// maxListed is the most processors that Linux can have; it can have fewer nodes.
const maxListed = 8192

// parseList parses ascending numbers and ranges as in 0-3,8. It returns nil if any part makes no sense.
func parseList(text string) (numbers []int) {
	next := uint64(0)
	for _, part := range strings.Split(strings.TrimSpace(text), ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		low, err1 := strconv.ParseUint(from, 10, 16)
		high, err2 := strconv.ParseUint(to, 10, 16)
		if err1 != nil || err2 != nil || low < next || high >= maxListed {
			return nil
		}
		for next = low; next <= high; next++ {
			numbers = append(numbers, int(next))
		}
	}
	return numbers
}
