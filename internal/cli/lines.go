package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Lines is a run over an input that has a position a line, and answers each with a line.
// Its solver is called by one goroutine, with the lines in their order.
type Lines struct {
	Comments bool // lines that are empty or begin with # are skipped
	// Source, unless nil, makes a function that returns the lines of an input that has something else:
	// io.EOF ends it, and after a *BadInput it can be called again.
	Source func(io.Reader) func() (string, error)

	Solved int // positions with an answer
	Wrong  int // answers that differ from what the line expects
	Bad    int // lines that hold no position

	console  *Console
	out      *bufio.Writer
	progress *Progress
	done     int // lines
}

// NewLines returns a run that has not begun.
func NewLines(c *Console) *Lines {
	return &Lines{console: c, out: bufio.NewWriter(c.Out), progress: NewProgress(c.Err, 0)}
}

// BadInput is a part of an input that holds no position.
type BadInput struct{ Err error }

func (b *BadInput) Error() string { return b.Err.Error() }

// A LineSolver answers the lines of a run.
type LineSolver interface {
	// Open allocates what the solver needs. If it fails, no line is solved.
	Open(ctx context.Context) error
	// Line answers line n, counted from 1, without the space around it. It returns soon
	// after ctx has ended.
	Line(ctx context.Context, n int, text string)
	// Close prints the summary and frees what Open has allocated. Open may have failed.
	Close() error
}

// Run solves the lines of a file, or of standard input if file is "" or "-", until they or ctx
// end. The error is a Status if a line was wrong or bad (StatusWrong), or ctx has ended.
func (l *Lines) Run(ctx context.Context, file string, s LineSolver) error {
	in := l.console.In
	if file != "" && file != "-" {
		l.console.NotePipe(file)
		f, err := UntilDone(ctx, func() (*os.File, error) { return os.Open(file) })
		if err != nil {
			return err
		}
		defer f.Close()
		if l.Source == nil {
			l.progress.Total, err = countLines(f)
		}
		if err != nil {
			return err
		}
		in = f
	}
	err := s.Open(ctx)
	if err == nil {
		l.progress.Show(0)
		err = l.solve(ctx, in, s)
	}
	interrupted := ctx.Err() != nil
	l.progress.Clear()
	if interrupted {
		err = nil // it says no more than that
	}
	err = errors.Join(err, s.Close(), l.out.Flush())
	switch {
	case interrupted:
		return &Status{Code: StatusInterrupted, Err: err}
	case err != nil:
		return err
	case l.Wrong+l.Bad > 0:
		return &Status{Code: StatusWrong}
	}
	return nil
}

// countLines counts the lines of a file and seeks back to its beginning. What is no
// regular file counts as 0 lines.
func countLines(f *os.File) (n int, err error) {
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return 0, err
	}
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadSlice('\n')
		if err == io.EOF {
			if len(line) > 0 {
				n++
			}
			_, err = f.Seek(0, io.SeekStart)
			return n, err
		}
		if err == nil {
			n++
		} else if err != bufio.ErrBufferFull {
			return 0, err
		}
	}
}

// solve solves line by line until the input or ctx ends. It reads in a goroutine of its
// own, so that it ends with ctx also while the reader waits for input.
func (l *Lines) solve(ctx context.Context, in io.Reader, s LineSolver) error {
	type read struct {
		text string
		err  error
	}
	input := make(chan read)
	next := l.Source
	if next == nil {
		next = lines
	}
	go func() {
		for next := next(in); ; {
			text, err := next()
			select {
			case input <- read{text, err}:
			case <-ctx.Done():
				return
			}
			if bad := (*BadInput)(nil); err != nil && err != errLong && !errors.As(err, &bad) {
				return
			}
		}
	}()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case line := <-input:
			bad, _ := line.err.(*BadInput)
			switch {
			case line.err == nil:
				if text := strings.TrimSpace(line.text); !l.Comments || text != "" && text[0] != '#' {
					s.Line(ctx, n, text)
				}
			case line.err == errLong:
				l.BadLine(n, line.text, line.err)
			case bad != nil:
				l.Bad++
				l.Warnf("%v", bad)
				n--
			case line.err == io.EOF:
				return nil
			default:
				return line.err
			}
			if l.out.Flush() != nil {
				return nil // further answers would be lost; Run returns the error
			}
			l.progress.Note, l.done = "", n
			l.progress.Show(n)
		}
	}
}

// lines returns a function that returns the lines of an input.
func lines(in io.Reader) func() (string, error) {
	r := bufio.NewReaderSize(in, maxLine)
	return func() (string, error) { return readLine(r) }
}

// maxLine is more bytes than a position of any game takes.
const maxLine = 64 << 10

var errLong = errors.New("a line of 64 KiB or more")

// readLine returns the next line without its end; its beginning and errLong if it is no
// shorter than r's buffer; io.EOF after the last line, which needs no end.
func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
	switch {
	case err == io.EOF && text != "":
		return text, nil
	case err != bufio.ErrBufferFull:
		return text, err
	}
	for err == bufio.ErrBufferFull {
		_, err = r.ReadSlice('\n')
	}
	if err != nil && err != io.EOF {
		return "", err
	}
	return text, errLong
}

// Answer prints a line of the result at once.
func (l *Lines) Answer(format string, args ...any) {
	l.progress.Clear()
	fmt.Fprintf(l.out, format+"\n", args...)
	l.out.Flush()
}

// Report shows a note about the position that is being solved beside the progress bar.
func (l *Lines) Report(format string, args ...any) {
	l.progress.Note = fmt.Sprintf(format, args...)
	l.progress.Show(l.done)
}

// Warnf is Console.Warnf beside the progress bar.
func (l *Lines) Warnf(format string, args ...any) {
	l.out.Flush()
	l.progress.Clear()
	l.console.Warnf(format, args...)
}

// BadLine counts line n as one that holds no position, and prints why and how it begins.
func (l *Lines) BadLine(n int, text string, err error) {
	l.Bad++
	l.Warnf("line %d: %v: %.200q", n, err, text)
}
