package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// Progress is a bar on a terminal that shows how far a long subcommand is. On anything
// else it shows nothing.
type Progress struct {
	Total int    // steps, 0 if not known
	Note  string // about the step that is under way

	w     io.Writer // nil: not a terminal
	fd    int       // of w
	start time.Time
	last  time.Time // when it was drawn
	drawn bool
}

// NewProgress returns a bar for total steps, 0 if their number is not known.
func NewProgress(w io.Writer, total int) *Progress {
	p := &Progress{Total: total, start: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.w, p.fd = w, int(f.Fd())
	}
	return p
}

// Shown reports whether there is a terminal for the bar.
func (p *Progress) Shown() bool { return p.w != nil }

// Show draws the bar with done steps, at most ten times a second.
func (p *Progress) Show(done int) {
	now := time.Now()
	if !p.Shown() || now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.drawn = now, true
	count, width := fmt.Sprintf("%d done", done), 40
	if p.Note != "" {
		width = 10
	}
	if p.Total > 0 {
		full := width * min(done, p.Total) / p.Total
		count = fmt.Sprintf("[%s%s] %d of %d", strings.Repeat("=", full), strings.Repeat(" ", width-full), done, p.Total)
	}
	line := fmt.Sprintf("%s, %v  %s", count, now.Sub(p.start).Round(time.Second), p.Note)
	if columns, _, err := term.GetSize(p.fd); err == nil {
		line = cut(line, columns-1) // Clear erases one line only
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}

// cut returns the beginning of a line that fits into columns of a terminal. It takes all characters beyond
// ASCII for wide ones, as Japanese characters are.
func cut(line string, columns int) string {
	for i, r := range line {
		columns--
		if r >= utf8.RuneSelf {
			columns--
		}
		if columns < 0 {
			return line[:i]
		}
	}
	return line
}

// Clear erases the bar, so that something else can be printed.
func (p *Progress) Clear() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}
