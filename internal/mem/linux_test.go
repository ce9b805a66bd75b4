//go:build linux && !race

package mem

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

func TestReadUsage(t *testing.T) {
	const smaps = `7f0000000000-7f0000200000 ---p 00000000 00:00 0
Rss:                   0 kB
7f0000200000-7f0000500000 rw-p 00000000 00:00 0 
Size:               3072 kB
Rss:                2052 kB
AnonHugePages:      2048 kB
VmFlags: rd wr mr mw me ac hg
7f0000500000-7f0000900000 rw-p 00000000 00:00 0
Rss:                  64 kB
AnonHugePages:         0 kB
`
	resident, huge, ok := readUsage(strings.NewReader(smaps), 0x7f0000200000, 3<<20)
	if resident != 2052<<10 || huge != 2048<<10 || !ok {
		t.Errorf("got %d, %d, %v", resident, huge, ok)
	}
	if _, _, ok := readUsage(strings.NewReader(smaps), 0x7e0000000000, 3<<20); ok {
		t.Error("found a mapping that is not there")
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
		huge, ok := r.HugeBytes()
		if !ok || huge > r.Size() {
			t.Fatalf("%d MiB: %d bytes on huge pages, known %v", mib, huge, ok)
		}
		if huge < r.Size()/100*95 {
			// Memory may be too fragmented to grant them; that is not for us to fail.
			t.Skipf("%d MiB: the system granted %d MiB on huge pages", mib, huge>>20)
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

func residentMiB(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("no /proc: ", err)
	}
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		t.Fatal(err)
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
