package cluster

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"trefoil/internal/tabletest"
)

// fullDisk is the environment variable that names the file which a process of this test saves to a
// full disk.
const fullDisk = "TREFOIL_TEST_FULL_DISK"

// Where the file does not fit the save fails by name, leaves the old file whole and nothing
// beside it.
func TestNoRoomForTheFile(t *testing.T) {
	if path := os.Getenv(fullDisk); path != "" {
		signal.Ignore(syscall.SIGXFSZ) // to get the error in its place
		limit := syscall.Rlimit{Cur: 3 << 20, Max: 3 << 20}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		_, err := filled(t, 4, Auto, 2, 1e4).Save(context.Background(), Replace(path), label, nil)
		if !errors.Is(err, syscall.EFBIG) || !strings.Contains(err.Error(), path) {
			t.Fatalf("saved with %v", err)
		}
		return
	}
	path := savedAt(t, filled(t, 4, Auto, 1, 1e5))
	good, _ := os.ReadFile(path)
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoRoomForTheFile$")
	cmd.Env = append(os.Environ(), fullDisk+"="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, good) {
		t.Error("the old file has changed")
	}
	if left := tabletest.Beside(path); left != "" {
		t.Errorf("half a file is left: %s", left)
	}
}
