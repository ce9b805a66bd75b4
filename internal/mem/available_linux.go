package mem

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
)

// Available returns how many bytes a new region may take without swapping or being killed, and the
// source of the number as text: the smaller of MemAvailable and what the control groups of this
// process allow, less a reserve for the process itself.
func Available() (bytes uint64, explain string) { return lessReserve(available(os.DirFS("/"))) }

// available is Available on the files of root. A file that cannot be read sets no limit.
func available(root fs.FS) (bytes uint64, explain string) {
	bytes, explain = math.MaxUint64, "unknown"
	if free, ok := memAvailable(root); ok {
		bytes, explain = free, gib(free)+" by MemAvailable"
	}
	if free, file := groupAvailable(root, memoryGroups); free < bytes {
		bytes, explain = free, gib(free)+" by "+file
	}
	return bytes, explain
}

func gib(n uint64) string { return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30)) }

// memAvailable is the kernel's estimate, which includes reclaimable page cache.
func memAvailable(root fs.FS) (uint64, bool) {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) >= 2 && f[0] == "MemAvailable:" {
			kib, err := strconv.ParseUint(f[1], 10, 64)
			return kib << 10, err == nil
		}
	}
	return 0, false
}

// groupFiles are the files of a limit in a hierarchy of control groups.
type groupFiles struct{ fstype, controller, limit, used, cache string }

// memoryGroups are the limits of memory, of both versions of control groups. Reclaimable page cache
// counts as available.
var memoryGroups = []groupFiles{
	{"cgroup", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
	{"cgroup2", "", "memory.max", "memory.current", "inactive_file"},
}

// groupAvailable returns the least that the limits leave, from the control group of this process up
// to the highest visible one, and the file of that limit.
func groupAvailable(root fs.FS, limits []groupFiles) (free uint64, file string) {
	free = math.MaxUint64
	mounts, err1 := fs.ReadFile(root, "proc/self/mountinfo")
	groups, err2 := fs.ReadFile(root, "proc/self/cgroup")
	if err1 != nil || err2 != nil {
		return free, ""
	}
	for _, v := range limits {
		mount, top := findMount(mounts, v.fstype, v.controller)
		own, ok := findGroup(groups, v.controller)
		if mount == "" || !ok {
			continue
		}
		// Inside a container the path may be that of the host: then only the mounted
		// group is visible.
		rel, below := strings.CutPrefix(own, strings.TrimSuffix(top, "/"))
		if !below {
			rel = ""
		}
		for dir := path.Join(mount, rel); ; dir = path.Dir(dir) {
			limit, ok1 := readNumber(root, path.Join(dir, v.limit))
			used, ok2 := readNumber(root, path.Join(dir, v.used))
			if ok1 && ok2 {
				used -= min(used, statNumber(root, path.Join(dir, "memory.stat"), v.cache))
				if left := limit - min(limit, used); left < free {
					free, file = left, path.Join("/", dir, v.limit)
				}
			}
			if len(dir) <= len(mount) {
				break
			}
		}
	}
	return free, file
}

// findMount returns the mount point, without its leading slash, of a file system of that type whose
// options contain the controller, and the directory that is mounted there.
func findMount(mountinfo []byte, fstype, controller string) (mount, top string) {
	for lines := bufio.NewScanner(bytes.NewReader(mountinfo)); lines.Scan(); {
		before, after, _ := strings.Cut(lines.Text(), " - ")
		f, g := strings.Fields(before), strings.Fields(after)
		if len(f) < 5 || len(g) < 3 || g[0] != fstype || !hasWord(g[2], controller) {
			continue
		}
		return strings.TrimPrefix(f[4], "/"), f[3]
	}
	return "", ""
}

// findGroup returns the path of this process in the hierarchy of the controller, or in that of
// version 2 if the controller is empty.
func findGroup(cgroup []byte, controller string) (string, bool) {
	for lines := bufio.NewScanner(bytes.NewReader(cgroup)); lines.Scan(); {
		f := strings.SplitN(lines.Text(), ":", 3)
		if len(f) == 3 && (controller == "" && f[0] == "0" || controller != "" && hasWord(f[1], controller)) {
			return f[2], true
		}
	}
	return "", false
}

// hasWord reports whether word is one of a comma-separated list. The empty word
// is in every list.
func hasWord(list, word string) bool {
	return word == "" || strings.Contains(","+list+",", ","+word+",")
}

// readNumber reads a file that contains one number; it is not ok for "max".
func readNumber(root fs.FS, name string) (uint64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// statNumber returns the number after word in a file of lines of a word and a number, 0 if there is
// none.
func statNumber(root fs.FS, name, word string) uint64 {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == word {
			n, _ := strconv.ParseUint(f[1], 10, 64)
			return n
		}
	}
	return 0
}
