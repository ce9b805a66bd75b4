package batch

import (
	"bufio"
	"cmp"
	"fmt"
	"sync"

	"trefoil/internal/cli"
)

// Screen is what a run writes to. Any goroutine may use it.
type Screen struct {
	console  *cli.Console
	mu       sync.Mutex
	out      *bufio.Writer
	progress *cli.Progress
	done     int // lines
}

func newScreen(c *cli.Console) *Screen {
	return &Screen{console: c, out: bufio.NewWriter(c.Out), progress: cli.NewProgress(c.Err, 0)}
}

// Note shows a note about a position that is being solved beside the progress bar.
func (s *Screen) Note(format string, args ...any) {
	if !s.progress.Shown() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress.Note = fmt.Sprintf(format, args...)
	s.progress.Show(s.done)
}

// Warnf prints a message beside the progress bar.
func (s *Screen) Warnf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Flush()
	s.progress.Clear()
	s.console.Warnf(format, args...)
}

// print prints text to standard output, at the latest when flush is called.
func (s *Screen) print(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress.Clear()
	_, err := s.out.WriteString(text)
	return err
}

// flush writes what has been printed.
func (s *Screen) flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Flush()
}

// summary prints the last line, to standard error if standard output has records.
func (s *Screen) summary(line string, records bool) error {
	if !records {
		return cmp.Or(s.print(line+"\n"), s.flush())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress.Clear()
	fmt.Fprintln(s.console.Err, line)
	return nil
}

// step draws the bar after one more line.
func (s *Screen) step() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress.Note = ""
	s.done++
	s.progress.Show(s.done)
}
