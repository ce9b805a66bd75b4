//go:build unix

package syzygy

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNamedPipe checks that a named pipe in place of a table is refused, and not waited for.
func TestNamedPipe(t *testing.T) {
	folder := t.TempDir()
	if err := unix.Mkfifo(filepath.Join(folder, "KRvK.rtbw"), 0o600); err != nil {
		t.Skip(err)
	}
	tables := Open(folder)
	defer tables.Close()
	if _, err := tables.WDL(&rooks); err != ErrDamaged {
		t.Error(err)
	}
	if problems := tables.Problems(); len(problems) != 1 ||
		!strings.Contains(problems[0].Error(), "KRvK.rtbw: not a file") {
		t.Error(problems)
	}
}
