package ttanalysis

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

// fullDisk is the environment variable that names the trace which a process of this test records on
// a full disk.
const fullDisk = "TREFOIL_TEST_FULL_DISK"

// On a full disk the error is known before the end, and the old trace is unchanged.
func TestNoRoomForTheTrace(t *testing.T) {
	if path := os.Getenv(fullDisk); path != "" {
		signal.Ignore(syscall.SIGXFSZ) // the write fails instead
		limit := syscall.Rlimit{Cur: 1 << 20, Max: 1 << 20}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		w, err := CreateTrace(path, someHeader)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 * perBlock { // 1.25 MiB
			w.NewSearch()
		}
		if !errors.Is(w.Err(), syscall.EFBIG) {
			t.Errorf("before the end: %v", w.Err())
		}
		if err := w.Close(); !errors.Is(err, syscall.EFBIG) {
			t.Errorf("at the end: %v", err)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "t.trace")
	record(t, path, 10)
	was, _ := os.ReadFile(path)
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoRoomForTheTrace$")
	cmd.Env = append(os.Environ(), fullDisk+"="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, was) {
		t.Error("the old trace has changed")
	}
	alone(t, path)
}
