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
	total int       // 0 = not known
	start time.Time
	last  time.Time // when it was drawn
	drawn bool
}

// newBar returns a bar for so many steps, 0 if nobody knows.
func newBar(w io.Writer, total int) *bar {
	b := &bar{total: total, start: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		b.w = w
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
	spent := now.Sub(b.start).Round(time.Second)
	if b.total == 0 {
		fmt.Fprintf(b.w, "\r\x1b[K%d solved, %v", done, spent)
		return
	}
	const width = 40
	full := width * min(done, b.total) / b.total
	fmt.Fprintf(b.w, "\r\x1b[K[%s%s] %d of %d, %v", strings.Repeat("=", full), strings.Repeat(" ", width-full), done, b.total, spent)
}

// clear takes the bar away, so that something else can be printed.
func (b *bar) clear() {
	if b.drawn {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.drawn = false
	}
}
