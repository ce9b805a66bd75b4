package mem

import (
	"bufio"
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// measure is Measure without the reserve.
func measure() Room { return measureAt(os.DirFS("/"), resourceLimit) }

// resourceLimit returns the soft limit of a resource (ulimit).
func resourceLimit(resource int) uint64 {
	var l unix.Rlimit
	if unix.Getrlimit(resource, &l) != nil {
		return Unlimited
	}
	return l.Cur
}

// measureAt is measure by the files of root and the limits of resources. A file that cannot be read sets
// no limit.
//
// MemAvailable, which includes reclaimable page cache, and the control groups limit the memory that can be
// touched. ulimit -v and -d, and the machine if it does not overcommit, limit the memory that can be
// mapped.
func measureAt(root fs.FS, limit func(resource int) uint64) Room {
	r := Room{Free: Unlimited, Map: Unlimited}
	machine, own := readSizes(root, "proc/meminfo"), readSizes(root, "proc/self/status")
	if free, ok := machine["MemAvailable"]; ok {
		r.Free, r.Source = free, "MemAvailable"
	}
	if free, file := groupAvailable(root, memoryGroups); free < r.Free {
		r.Free, r.Source = free, file
	}
	r.Own = own["RssAnon"]
	r.limitMap(limit(unix.RLIMIT_AS), own["VmSize"], "ulimit -v")
	r.limitMap(limit(unix.RLIMIT_DATA), own["VmData"], "ulimit -d")
	if mode, _ := readNumber(root, "proc/sys/vm/overcommit_memory"); mode == 2 {
		r.limitMap(machine["CommitLimit"], machine["Committed_AS"], "vm.overcommit_memory 2")
	}
	return r
}

// limitMap sets Map to what a limit leaves, if that is less.
func (r *Room) limitMap(limit, used uint64, by string) {
	if left := limit - min(limit, used); limit != Unlimited && left < r.Map {
		r.Map, r.Mapped = left, by
	}
}

// contents returns the text of a file, "" if it cannot be read.
func contents(root fs.FS, name string) string {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return ""
	}
	return string(text)
}

// readSizes reads the sizes of a file of lines like "VmRSS: 1234 kB", in bytes.
func readSizes(root fs.FS, name string) map[string]uint64 {
	sizes := make(map[string]uint64)
	for line := range strings.Lines(contents(root, name)) {
		f := strings.Fields(line)
		if len(f) != 3 || f[2] != "kB" {
			continue
		}
		if kib, err := strconv.ParseUint(f[1], 10, 64); err == nil {
			sizes[strings.TrimSuffix(f[0], ":")] = kib << 10
		}
	}
	return sizes
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
	mounts, groups := contents(root, "proc/self/mountinfo"), contents(root, "proc/self/cgroup")
	for _, v := range limits {
		mount, top := findMount(mounts, v.fstype, v.controller)
		own, ok := findGroup(groups, v.controller)
		if mount == "" || !ok {
			continue
		}
		// Inside a container the path may be the path on the host: then only the mounted group is visible.
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
func findMount(mountinfo, fstype, controller string) (mount, top string) {
	for lines := bufio.NewScanner(strings.NewReader(mountinfo)); lines.Scan(); {
		before, after, _ := strings.Cut(lines.Text(), " - ")
		f, g := strings.Fields(before), strings.Fields(after)
		if len(f) < 5 || len(g) < 3 || g[0] != fstype || !hasWord(g[2], controller) {
			continue
		}
		return strings.TrimPrefix(f[4], "/"), f[3]
	}
	return "", ""
}

// findGroup returns the path of this process in the hierarchy of the controller, or in the hierarchy of
// version 2 if the controller is empty.
func findGroup(cgroup, controller string) (string, bool) {
	for lines := bufio.NewScanner(strings.NewReader(cgroup)); lines.Scan(); {
		f := strings.SplitN(lines.Text(), ":", 3)
		if len(f) == 3 && (controller == "" && f[0] == "0" || controller != "" && hasWord(f[1], controller)) {
			return f[2], true
		}
	}
	return "", false
}

// hasWord reports whether word is in a comma-separated list. The empty word is in every list.
func hasWord(list, word string) bool {
	return word == "" || strings.Contains(","+list+",", ","+word+",")
}

// readNumber reads a file that contains one number; it is not ok for "max".
func readNumber(root fs.FS, name string) (uint64, bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(contents(root, name)), 10, 64)
	return n, err == nil
}

// statNumber returns the number after word in a file of lines of a word and a number, 0 if there is
// none.
func statNumber(root fs.FS, name, word string) uint64 {
	for line := range strings.Lines(contents(root, name)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == word {
			n, _ := strconv.ParseUint(f[1], 10, 64)
			return n
		}
	}
	return 0
}
