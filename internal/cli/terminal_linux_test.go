package cli

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTerminal: a bar fits into a line of the terminal; a saved file is not written there.
func TestTerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer terminal.Close()
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 25, Col: 20}); err != nil {
		t.Skip(err)
	}
	p := NewProgress(terminal, 4)
	if p.w != terminal {
		t.Fatal("no bar on a terminal")
	}
	var b strings.Builder
	p.w = &b
	if p.Show(4); b.String() != "\r\x1b[K["+strings.Repeat("=", 18) {
		t.Errorf("%q", b.String())
	}
	c := &Console{Out: wrapper{terminal}}
	if _, err := c.Output(t.Context(), Standard); err == nil ||
		!strings.HasPrefix(err.Error(), "standard output is a terminal") {
		t.Error(err)
	}
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if p := NewProgress(file, 4); p.w != nil {
		t.Error("a bar in a file")
	}
}
