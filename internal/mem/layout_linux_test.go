//go:build !race

package mem

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pool are the files of the reserved pages of a size in kB.
func pool(kb, free, promised int) map[string]string {
	folder := fmt.Sprintf("sys/kernel/mm/hugepages/hugepages-%dkB/", kb)
	return map[string]string{folder + "free_hugepages": fmt.Sprintln(free),
		folder + "resv_hugepages": fmt.Sprintln(promised)}
}

// node are the files of a NUMA node with processors; its free pages of 1 GiB are unknown if negative.
func node(n int, cpus string, free1GiB int) map[string]string {
	folder := fmt.Sprintf("sys/devices/system/node/node%d/", n)
	files := map[string]string{folder + "cpulist": cpus + "\n"}
	if free1GiB >= 0 {
		files[folder+"hugepages/hugepages-1048576kB/free_hugepages"] = fmt.Sprintln(free1GiB)
	}
	return files
}

func status(cpus, mems string) map[string]string {
	return map[string]string{"proc/self/status": "Name:\ttrefoil\nCpus_allowed:\tff\nCpus_allowed_list:\t" +
		cpus + "\nMems_allowed_list:\t" + mems + "\n"}
}

func file(name, text string) map[string]string { return map[string]string{name: text} }

func transparent(mode string) map[string]string {
	return file("sys/kernel/mm/transparent_hugepage/enabled", "x ["+mode+"] y\n")
}

func withMemory(nodes string) map[string]string {
	return file("sys/devices/system/node/has_memory", nodes+"\n")
}

func joined(parts ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, p := range parts {
		for name, text := range p {
			all[name] = text
		}
	}
	return all
}

// TestLinuxLayout: the layout of a region by models of the system's files.
func TestLinuxLayout(t *testing.T) {
	const gib = 1 << 30
	thp, large := transparent("madvise"), pool(2048, 100, 0)
	twoNodes := joined(withMemory("0-1"), node(0, "0-3", 3), node(1, "4-7", 4))
	cgroup := joined(file("proc/self/mountinfo", mounts2), file("proc/self/cgroup", "0::/game\n"))
	for name, c := range map[string]struct {
		files map[string]string
		bytes uint64
		want  Pages
		says  string // the plan as text
	}{
		"nothing to read":             {nil, 64 << 20, AutoPages, "64 MiB transparent, transparent huge pages: not offered by this kernel"},
		"transparent":                 {thp, 64 << 20, AutoPages, "64 MiB transparent"},
		"never":                       {transparent("never"), 64 << 20, TransparentPages, "64 MiB transparent, transparent huge pages: never"},
		"small":                       {joined(thp, large), 64 << 20, SmallPages, "64 MiB small"},
		"2 MiB":                       {joined(thp, large), 64 << 20, AutoPages, "32 of 2 MiB"},
		"an odd size":                 {joined(thp, large), 7 << 20, AutoPages, "3 of 2 MiB, 1 MiB transparent"},
		"too few of 2 MiB":            {joined(thp, pool(2048, 12, 2)), 64 << 20, Pages2MiB, "10 of 2 MiB, 44 MiB transparent, 10 of 32 reserved pages of 2 MiB free"},
		"not asked for 2 MiB":         {joined(thp, large), 64 << 20, TransparentPages, "64 MiB transparent"},
		"1 GiB from 8 GiB":            {joined(thp, pool(1048576, 9, 0)), 8 * gib, AutoPages, "8 of 1 GiB"},
		"none below":                  {joined(thp, pool(1048576, 9, 0)), 7 * gib, AutoPages, "7168 MiB transparent"},
		"1 GiB, on request":           {joined(thp, pool(1048576, 9, 0)), 1*gib + 4<<20, Pages1GiB, "1 of 1 GiB, 4 MiB transparent"},
		"three kinds":                 {joined(thp, large, pool(1048576, 8, 0)), 8*gib + 201<<20, AutoPages, "8 of 1 GiB, 100 of 2 MiB, 1 MiB transparent"},
		"too few of 1 GiB":            {joined(thp, large, pool(1048576, 5, 2)), 8 * gib, Pages1GiB, "3 of 1 GiB, 100 of 2 MiB, 4920 MiB transparent, 3 of 8 pages of 1 GiB free"},
		"auto says nothing of it":     {joined(thp, pool(1048576, 5, 2)), 8 * gib, AutoPages, "3 of 1 GiB, 5120 MiB transparent"},
		"smaller than a page":         {thp, 512 << 20, Pages1GiB, "512 MiB transparent, smaller than a page of 1 GiB"},
		"more promised than free":     {joined(thp, pool(1048576, 1, 2)), 8 * gib, AutoPages, "8192 MiB transparent"},
		"rubbish in the pool":         {joined(thp, file("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "many")), 64 << 20, AutoPages, "64 MiB transparent"},
		"two nodes":                   {joined(thp, twoNodes, status("0-7", "0-1")), 64 << 20, AutoPages, "64 MiB transparent, interleaved over 2 NUMA nodes"},
		"processors of one node":      {joined(thp, twoNodes, status("0-3", "0-1")), 64 << 20, AutoPages, "64 MiB transparent"},
		"memory of one node":          {joined(thp, twoNodes, status("0-7", "1")), 64 << 20, AutoPages, "64 MiB transparent"},
		"a node of memory alone":      {joined(thp, withMemory("0-1"), node(0, "0-7", 0), node(1, "", 0), status("0-7", "0-1")), 64 << 20, AutoPages, "64 MiB transparent"},
		"a node without memory":       {joined(thp, withMemory("0,2"), node(0, "0-3", 0), node(1, "4", 0), node(2, "5-7", 0), status("0-7", "0-2")), 64 << 20, AutoPages, "64 MiB transparent, interleaved over 2 NUMA nodes"},
		"pages on the nodes":          {joined(thp, twoNodes, pool(1048576, 7, 0), status("0-7", "0-1")), 8 * gib, AutoPages, "7 of 1 GiB, 1024 MiB transparent, interleaved over 2 NUMA nodes"},
		"pages on other nodes":        {joined(thp, twoNodes, pool(1048576, 7, 0), status("0-7", "1")), 8 * gib, AutoPages, "4 of 1 GiB, 4096 MiB transparent"},
		"limited by a control group":  {joined(thp, cgroup, pool(1048576, 9, 0), file("sys/fs/cgroup/game/hugetlb.1GB.max", "3221225472"), file("sys/fs/cgroup/game/hugetlb.1GB.current", "1073741824")), 8 * gib, AutoPages, "2 of 1 GiB, 6144 MiB transparent"},
		"a control group without one": {joined(thp, cgroup, pool(1048576, 9, 0), file("sys/fs/cgroup/game/hugetlb.1GB.max", "max"), file("sys/fs/cgroup/game/hugetlb.1GB.current", "0")), 8 * gib, AutoPages, "8 of 1 GiB"},
	} {
		if says := linuxLayout(files(c.files), c.bytes, c.want).describe(c.bytes); says != c.says {
			t.Errorf("%s: %s, want %s", name, says, c.says)
		}
	}
}

func TestParseList(t *testing.T) {
	for text, want := range map[string][]int{
		"0": {0}, "0-3\n": {0, 1, 2, 3}, "0,2-3,7": {0, 2, 3, 7}, "": nil, "\n": nil, "3-1": nil, "x": nil, "-1": nil, "0-99999999999": nil, "1,": nil,
		"1,0-3": nil, "2,2": nil, "8191": {8191}, "8190-8192": nil,
	} {
		if got := parseList(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// model has reserved pages by size: it counts them, and maps ordinary memory in their place.
type model struct {
	free   map[int]uint64 // by MAP_HUGE_1GB and MAP_HUGE_2MB
	nodes  []uint64       // the mask that was set
	refuse error          // of interleave
}

func (m *model) mmap(at unsafe.Pointer, bytes uintptr, flags int) (unsafe.Pointer, error) {
	kind := flags & (unix.MAP_HUGE_1GB | unix.MAP_HUGE_2MB)
	size := uint64(bytes2MiB)
	if kind == unix.MAP_HUGE_1GB {
		size = bytes1GiB
	}
	if flags != unix.MAP_HUGETLB|kind || uintptr(at)%uintptr(size) != 0 || uint64(bytes)%size != 0 {
		return nil, unix.EINVAL
	}
	if uint64(bytes)/size > m.free[kind] {
		return nil, unix.ENOMEM
	}
	return mmap(at, bytes, 0)
}

func (m *model) interleave(_ unsafe.Pointer, _ uintptr, mask []uint64) error {
	m.nodes = mask
	return m.refuse
}

// TestMapRegion: a region of several kinds of pages is one range of addresses, and what the system
// refuses is replaced, with a note.
func TestMapRegion(t *testing.T) {
	const bytes = 1<<30 + 9<<20
	plan := layout{pages1GiB: 1, pages2MiB: 3, rest: TransparentPages, nodes: []int{0, 65}}
	for name, c := range map[string]struct {
		model    model
		ordinary uint64 // MiB
		says     string
	}{
		"all":      {model{free: map[int]uint64{unix.MAP_HUGE_1GB: 1, unix.MAP_HUGE_2MB: 3}}, 3, "1 of 1 GiB, 3 of 2 MiB, 3 MiB transparent, interleaved over 2 NUMA nodes"},
		"no 1 GiB": {model{free: map[int]uint64{unix.MAP_HUGE_2MB: 3}}, 1027, "3 of 2 MiB, 1027 MiB transparent, interleaved over 2 NUMA nodes, 1 pages of 1 GiB refused: cannot allocate memory"},
		"nothing": {model{refuse: errors.New("no permission")}, 1033,
			"1033 MiB transparent, 1 pages of 1 GiB refused: cannot allocate memory, 3 pages of 2 MiB refused: cannot allocate memory, not interleaved over 2 NUMA nodes: no permission"},
	} {
		l, m := plan, c.model
		base, held, err := (&calls{mmap: m.mmap, interleave: m.interleave}).mapRegion(bytes, &l, false)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if says := l.describe(bytes); says != c.says {
			t.Errorf("%s: %s, want %s", name, says, c.says)
		}
		if !slices.Equal(m.nodes, []uint64{1, 2}) {
			t.Errorf("%s: mask %x", name, m.nodes)
		}
		if uintptr(base)%Align != 0 || l.pages1GiB > 0 && uintptr(base)%bytes1GiB != 0 {
			t.Errorf("%s: address %#x", name, base)
		}
		r := &Region{base: base, size: bytes, layout: l, held: held}
		if n := r.Ordinary(); n != c.ordinary<<20 {
			t.Errorf("%s: %d MiB are ordinary memory, want %d", name, n>>20, c.ordinary)
		}
		for at := uint64(0); at < bytes; at += 1 << 20 {
			if at == 64<<20 {
				at = 1000 << 20 // a test need not have a GiB of memory
			}
			*(*byte)(unsafe.Add(base, at)) = 1
		}
		if err := r.Unmap(); err != nil {
			t.Error(err)
		}
	}
}

// TestPiecesOfWholePages: goroutines share no page of 1 GiB.
func TestPiecesOfWholePages(t *testing.T) {
	r, err := MapSparse(2<<30 + 9<<20)
	if err != nil {
		t.Skip(err)
	}
	defer r.Unmap()
	r.layout.pages1GiB = 2
	var sizes []int
	if _, err := r.inPieces(context.Background(), 0, r.Size(), 1, r.wholePages,
		func(b []byte) { sizes = append(sizes, len(b)) }, nil); err != nil {
		t.Error(err)
	}
	if want := []int{1 << 30, 1 << 30, piece, piece, 1 << 20}; !slices.Equal(sizes, want) {
		t.Errorf("pieces %d, want %d", sizes, want)
	}
}

// TestTouchReplacesMissingPages: a reserved page that the kernel cannot provide is replaced. Here the
// missing pages are those behind the end of a file: to write there is the same error (SIGBUS).
func TestTouchReplacesMissingPages(t *testing.T) {
	fd, err := unix.MemfdCreate("empty", 0)
	if err != nil {
		t.Skip(err)
	}
	defer unix.Close(fd)
	r := mustMap(t, 8<<20)
	b := unsafe.Slice((*byte)(r.Pointer()), r.Size())
	if _, err := unix.MmapPtr(fd, 0, r.Pointer(), uintptr(r.Size()), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_FIXED); err != nil {
		t.Fatal(err)
	}
	if unix.Madvise(b, unix.MADV_POPULATE_WRITE) == unix.EINVAL {
		t.Skip("older than Linux 5.14")
	}
	touch(b, true)
	if b[0] = 1; b[len(b)-1] != 0 {
		t.Error("not zeroed")
	}
}

// Whatever stands in the files, a layout is no larger than the region.
func FuzzLinuxLayout(f *testing.F) {
	f.Add("9\n", "1\n", "0-1\n", "0-7\n", "max\n", uint64(9<<30+5<<20))
	f.Add("18446744073709551615", "-1", "0-65535,1", "0,,2", "1", uint64(1))
	f.Add("1", "0", "0-8191", "0-8191", "max", uint64(64<<20))
	f.Fuzz(func(t *testing.T, free, promised, nodes, cpus, limit string, bytes uint64) {
		all := joined(withMemory(nodes), status(cpus, nodes), node(0, cpus, 3), node(1, cpus, -1),
			file("proc/self/mountinfo", mounts2), file("proc/self/cgroup", "0::/\n"),
			file("sys/fs/cgroup/hugetlb.1GB.max", limit), file("sys/fs/cgroup/hugetlb.1GB.current", promised))
		for _, kb := range []int{2048, 1048576} {
			folder := fmt.Sprintf("sys/kernel/mm/hugepages/hugepages-%dkB/", kb)
			all[folder+"free_hugepages"], all[folder+"resv_hugepages"] = free, promised
		}
		for want := AutoPages; want <= SmallPages; want++ {
			l := linuxLayout(files(all), bytes, want)
			if l.reserved() > bytes || len(l.nodes) == 1 || strings.Contains(l.note, "\n") {
				t.Errorf("%v: %+v", want, l)
			}
		}
	})
}
