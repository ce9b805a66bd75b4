package mem

import (
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/sys/unix"
)

const (
	meminfo = "MemTotal:       16000000 kB\nMemFree:         100000 kB\nMemAvailable:    8388608 kB\n"
	mounts1 = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n" +
		"35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" +
		"38 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
	mounts2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
)

func files(of map[string]string) fstest.MapFS {
	root := fstest.MapFS{}
	for name, text := range of {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return root
}

func unlimited(int) uint64 { return Unlimited }

// Limits on what is mapped count besides those on what is touched.
func TestMeasureMapped(t *testing.T) {
	const status = "Name:\ttrefoil\nVmSize:\t 4096 kB\nRssAnon:\t 1024 kB\nVmData:\t 2048 kB\n"
	for name, c := range map[string]struct {
		meminfo, overcommit string
		as, data            uint64
		want                uint64
		source              string
	}{
		"none":                {meminfo, "0\n", Unlimited, Unlimited, Unlimited, ""},
		"ulimit -v":           {meminfo, "0\n", 1 << 30, Unlimited, 1<<30 - 4<<20, "ulimit -v"},
		"ulimit -d":           {meminfo, "1\n", 1 << 30, 1 << 29, 1<<29 - 2<<20, "ulimit -d"},
		"exceeded":            {meminfo, "0\n", 1 << 20, Unlimited, 0, "ulimit -v"},
		"strict overcommit":   {meminfo + "CommitLimit: 8192 kB\nCommitted_AS: 2048 kB\n", "2\n", Unlimited, Unlimited, 6 << 20, "vm.overcommit_memory 2"},
		"ordinary overcommit": {meminfo + "CommitLimit: 8192 kB\nCommitted_AS: 9000 kB\n", "0\n", Unlimited, Unlimited, Unlimited, ""},
	} {
		r := measureAt(files(map[string]string{"proc/meminfo": c.meminfo, "proc/self/status": status,
			"proc/sys/vm/overcommit_memory": c.overcommit}), func(resource int) uint64 {
			if resource == unix.RLIMIT_AS {
				return c.as
			}
			return c.data
		})
		if r.Map != c.want || r.Mapped != c.source || r.Free != 8<<30 || r.Own != 1<<20 {
			t.Errorf("%s: %+v, want %d by %q", name, r, c.want, c.source)
		}
	}
}

func TestAvailable(t *testing.T) {
	const v2 = "sys/fs/cgroup/"
	for name, c := range map[string]struct {
		files map[string]string
		want  uint64
		word  string
	}{
		"nothing to read": {nil, math.MaxUint64, ""},
		"no groups":       {map[string]string{"proc/meminfo": meminfo}, 8 << 30, "MemAvailable"},
		"version 2": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/mountinfo": mounts2, "proc/self/cgroup": "0::/user/game\n",
			v2 + "user/game/memory.max": "3221225472\n", v2 + "user/game/memory.current": "2147483648\n",
			v2 + "user/game/memory.stat": "anon 5\ninactive_file 1073741824\n",
			v2 + "user/memory.max":       "max\n", v2 + "user/memory.current": "2147483648\n",
		}, 2 << 30, "user/game/memory.max"},
		"version 2, the parent is tighter": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/mountinfo": mounts2, "proc/self/cgroup": "0::/user/game\n",
			v2 + "user/game/memory.max": "3221225472", v2 + "user/game/memory.current": "0",
			v2 + "user/memory.max": "1073741824", v2 + "user/memory.current": "536870912",
		}, 512 << 20, "/user/memory.max"},
		"version 2 in a container": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/../outside\n",
			"proc/self/mountinfo": "30 23 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
			v2 + "memory.max":     "1073741824", v2 + "memory.current": "0",
		}, 1 << 30, "/sys/fs/cgroup/memory.max"},
		"version 1": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/mountinfo": mounts1, "proc/self/cgroup": "5:cpu:/x\n4:memory:/api/7\n0::/\n",
			v2 + "memory/api/7/memory.limit_in_bytes": "1073741824", v2 + "memory/api/7/memory.usage_in_bytes": "1073741824",
			v2 + "memory/api/7/memory.stat": "total_inactive_file 4096\n",
		}, 4096, "memory.limit_in_bytes"},
		"version 1 without a limit": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/mountinfo": mounts1, "proc/self/cgroup": "4:memory:/\n",
			v2 + "memory/memory.limit_in_bytes": "9223372036854771712", v2 + "memory/memory.usage_in_bytes": "4096",
		}, 8 << 30, "MemAvailable"},
		"used beyond the limit": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/mountinfo": mounts2, "proc/self/cgroup": "0::/\n",
			v2 + "memory.max": "4096", v2 + "memory.current": "8192",
		}, 0, "memory.max"},
		"rubbish": {map[string]string{
			"proc/meminfo": "MemAvailable: lots kB\n", "proc/self/mountinfo": "- -\n - \n", "proc/self/cgroup": ":\n::\n",
		}, math.MaxUint64, ""},
	} {
		r := measureAt(files(c.files), unlimited)
		bytes, explain := r.smaller()
		if bytes != c.want || !strings.Contains(explain, c.word) {
			t.Errorf("%s: %d (%s), want %d (…%s)", name, bytes, explain, c.want, c.word)
		}
	}
}

func TestAvailableHere(t *testing.T) {
	bytes, explain := Available()
	if bytes == 0 || explain == "" {
		t.Errorf("%d, %q", bytes, explain)
	}
	t.Logf("%d MiB, %s", bytes>>20, explain)
}

// Whatever stands in the files, reading them ends, and gives a number and its source.
func FuzzAvailable(f *testing.F) {
	f.Add(meminfo, mounts1, "4:memory:/api/7\n0::/\n", "1073741824\n")
	f.Add(meminfo, mounts2, "0::/user/game\n", "max\n")
	f.Add("", "30 23 0:26 / ../.. rw - cgroup2 cgroup rw\n", "0::../../..\n", "-1")
	f.Fuzz(func(t *testing.T, info, mounts, groups, limit string) {
		r := measureAt(files(map[string]string{
			"proc/meminfo": info, "proc/self/mountinfo": mounts, "proc/self/cgroup": groups,
			"sys/fs/cgroup/memory.max": limit, "sys/fs/cgroup/memory.current": limit,
			"sys/fs/cgroup/memory/memory.limit_in_bytes": limit, "sys/fs/cgroup/memory/memory.usage_in_bytes": limit,
		}), unlimited)
		bytes, explain := r.smaller()
		if (explain == "") != (bytes == math.MaxUint64) {
			t.Errorf("%d, %q", bytes, explain)
		}
	})
}
