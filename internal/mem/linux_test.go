//go:build linux && !race

package mem

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestReadUsage(t *testing.T) {
	const smaps = `Rss:                 999 kB
7f0000000000-7f0000200000 ---p 00000000 00:00 0
Rss:                   0 kB
7f0000200000-7f0000500000 rw-p 00000000 00:00 0 
Size:               3072 kB
Rss:                2052 kB
AnonHugePages:      2048 kB
VmFlags: rd wr mr mw me ac hg
7f0000500000-7f0000900000 rw-p 00000000 00:00 0
Rss:                  64 kB
AnonHugePages:         0 kB
7f4000000000-7f4080000000 rw-p 00000000 00:10 123 /anon_hugepage (deleted)
KernelPageSize:  1048576 kB
Rss:                   0 kB
Private_Hugetlb: 1048576 kB
7f4080000000-7f4080400000 rw-p 00000000 00:10 124 /anon_hugepage (deleted)
KernelPageSize:     2048 kB
Rss:                   0 kB
Private_Hugetlb:    4096 kB
7f4080400000-7f4080700000 rw-p 00000000 00:00 0
KernelPageSize:        4 kB
Rss:                3072 kB
AnonHugePages:      2048 kB
7f5000000000-7f5000001000 rw-p 00000000 00:00 0
Rss:                   4 kB
7f5000001000-7f5000009000 rw-p 00000000 00:00 0
Rss:                  32 kB
7f5000009000-7f5000011000 rw-p 00000000 00:00 0
Rss:                  16 kB
`
	for _, c := range []struct {
		base, size uint64
		want       Usage
	}{
		{0x7f0000200000, 3 << 20, Usage{Known: true, Resident: 2052 << 10, Transparent: 2 << 20}},
		{0x7f4000000000, 2<<30 + 7<<20, Usage{Known: true, Resident: 1<<30 + 7<<20, Transparent: 2 << 20, Pages1GiB: 1 << 30, Pages2MiB: 4 << 20}},
		{0x7e0000000000, 3 << 20, Usage{}},
		{0, 0x7f0000000000, Usage{}},
		{0x7f5000000000, 1, Usage{Known: true, Resident: 36 << 10}}, // up to the next 64 KiB
	} {
		got := Usage{Size: c.size}
		c.want.Size = c.size
		if readUsage(strings.NewReader(smaps), c.base, &got); got != c.want {
			t.Errorf("%#x: %+v, want %+v", c.base, got, c.want)
		}
	}
}

func TestHugePagesAreGranted(t *testing.T) {
	switch mode := hugePages(); mode {
	case "always", "madvise":
	default:
		t.Skip("huge pages on this system: ", mode)
	}
	for _, mib := range []uint64{64, 101} {
		r := mustMap(t, mib<<20)
		if err := r.Prefault(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		u := r.Usage()
		if !u.Known || u.Huge() > r.Size() {
			t.Fatalf("%d MiB: %+v", mib, u)
		}
		if u.Huge() < r.Size()/100*95 {
			// Memory may be too fragmented to grant them; that is not for us to fail.
			t.Skipf("%d MiB: the system granted %d MiB on huge pages", mib, u.Huge()>>20)
		}
	}
}

// The process itself shrinks and grows by what it maps.
func TestResidentSizeIsWhatWasAsked(t *testing.T) {
	const mib = 200
	before := residentMiB(t)
	r := mustMap(t, mib<<20)
	if now := residentMiB(t); now > before+20 {
		t.Errorf("mapping alone made %d MiB into %d", before, now)
	}
	if err := r.Prefault(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if now := residentMiB(t); now < before+mib-20 || now > before+mib+20 {
		t.Errorf("touching %d MiB made %d MiB into %d", mib, before, now)
	}
	if err := r.Unmap(); err != nil {
		t.Fatal(err)
	}
	if now := residentMiB(t); now > before+20 {
		t.Errorf("after Unmap %d MiB are left of %d", now, before)
	}
}

// residentMiB is what the process has touched, in memory or swapped out.
func residentMiB(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps_rollup") // VmRSS of status is inexact with many processors
	if err != nil {
		t.Skip("no /proc, or an old kernel: ", err)
	}
	kib := 0
	for _, m := range regexp.MustCompile(`(?m)^(?:Rss|Swap): +(\d+) kB$`).FindAllStringSubmatch(string(text), -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		kib += n
	}
	return kib >> 10
}

// An address space that is too small gives an error, not the end of the process.
func TestAddressSpaceLimit(t *testing.T) {
	const child = "TREFOIL_MEM_LIMITED"
	if os.Getenv(child) != "" {
		if _, err := Map(6 << 30); err == nil || !strings.Contains(err.Error(), "6442450944") {
			t.Fatalf("6 GiB in 4: %v", err)
		}
		if r, err := Map(64 << 20); err != nil {
			t.Fatal("after the refusal:", err)
		} else if err := r.Prefault(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		return
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell to set the limit: ", err)
	}
	cmd := exec.Command("sh", "-c", `ulimit -v 4194304 && exec "$0" -test.run='^TestAddressSpaceLimit$'`, os.Args[0])
	cmd.Env = append(os.Environ(), child+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
