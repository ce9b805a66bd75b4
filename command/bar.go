package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// bar is a line on a terminal that shows how far a long command has come. On
// anything else it shows nothing.
type bar struct {
	w     io.Writer // nil: not a terminal
	fd    int       // of w
	total int       // 0 = not known
	start time.Time
	last  time.Time // when it was drawn
	note  string    // about the step that is under way
	drawn bool
}

// newBar returns a bar for so many steps, 0 if nobody knows.
func newBar(w io.Writer, total int) *bar {
	b := &bar{total: total, start: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		b.w, b.fd = w, int(f.Fd())
	}
	return b
}

// show draws the bar after so many steps, ten times a second at most.
func (b *bar) show(done int) {
	now := time.Now()
	if b.w == nil || now.Sub(b.last) < 100*time.Millisecond {
		return
	}
	b.last, b.drawn = now, true
	count, width := fmt.Sprintf("%d solved", done), 40
	if b.note != "" {
		width = 10
	}
	if b.total > 0 {
		full := width * min(done, b.total) / b.total
		count = fmt.Sprintf("[%s%s] %d of %d", strings.Repeat("=", full), strings.Repeat(" ", width-full), done, b.total)
	}
	line := []rune(fmt.Sprintf("%s, %v  %s", count, now.Sub(b.start).Round(time.Second), b.note))
	if columns, _, err := term.GetSize(b.fd); err == nil && len(line) >= columns {
		line = line[:max(columns-1, 0)] // a second line could not be taken away
	}
	fmt.Fprintf(b.w, "\r\x1b[K%s", string(line))
}

// clear takes the bar away, so that something else can be printed.
func (b *bar) clear() {
	if b.drawn {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.drawn = false
	}
}
