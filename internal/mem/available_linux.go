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

// Available returns how many bytes a new region may take without swapping or
// being killed, and a phrase that says where the number comes from: the smaller
// of MemAvailable and the room left in the control groups of this process, less a
// spare part for the process itself.
func Available() (bytes uint64, explain string) { return less(available(os.DirFS("/"))) }

// available is Available on the files of root. What cannot be read does not limit.
func available(root fs.FS) (bytes uint64, explain string) {
	bytes, explain = math.MaxUint64, "unknown"
	if free, ok := memAvailable(root); ok {
		bytes, explain = free, gib(free)+" by MemAvailable"
	}
	if room, file := groupRoom(root); room < bytes {
		bytes, explain = room, gib(room)+" by "+file
	}
	return bytes, explain
}

func gib(n uint64) string { return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30)) }

// memAvailable is the kernel's estimate, page cache that can be dropped included.
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

// groupRoom returns the least room left in the memory control groups, of version
// 1 or 2, from the one this process is in up to the highest one visible, and the
// file of the limit. Page cache that can be dropped counts as room.
func groupRoom(root fs.FS) (room uint64, file string) {
	room = math.MaxUint64
	mounts, err1 := fs.ReadFile(root, "proc/self/mountinfo")
	groups, err2 := fs.ReadFile(root, "proc/self/cgroup")
	if err1 != nil || err2 != nil {
		return room, ""
	}
	for _, v := range []struct{ fstype, controller, limit, used, cache string }{
		{"cgroup", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
		{"cgroup2", "", "memory.max", "memory.current", "inactive_file"},
	} {
		mount, top := findMount(mounts, v.fstype, v.controller)
		own, ok := findGroup(groups, v.controller)
		if mount == "" || !ok {
			continue
		}
		// Inside a container the group's path may be the host's: then only
		// what is mounted can be seen.
		rel, below := strings.CutPrefix(own, strings.TrimSuffix(top, "/"))
		if !below {
			rel = ""
		}
		for dir := path.Join(mount, rel); ; dir = path.Dir(dir) {
			limit, ok1 := readNumber(root, path.Join(dir, v.limit))
			used, ok2 := readNumber(root, path.Join(dir, v.used))
			if ok1 && ok2 {
				used -= min(used, statNumber(root, path.Join(dir, "memory.stat"), v.cache))
				if left := limit - min(limit, used); left < room {
					room, file = left, path.Join("/", dir, v.limit)
				}
			}
			if len(dir) <= len(mount) {
				break
			}
		}
	}
	return room, file
}

// findMount returns the mount point, without its leading slash, of a file system
// type whose options hold the controller, and the directory that is mounted there.
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

// findGroup returns this process's path in the hierarchy of the controller, or
// in that of version 2 if the controller is empty.
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

// readNumber reads a file that holds one number; "max" is no number.
func readNumber(root fs.FS, name string) (uint64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// statNumber reads the number after a word in a file of words and numbers, 0 if
// there is none.
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
