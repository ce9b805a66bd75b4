package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// solve runs the subcommand solve of a game and returns its exit status.
func solve(args []string, std streams) int {
	games := []struct {
		name string
		run  func(args []string, std streams) int
	}{
		{"connect4", solveConnect4},
		{"ultimate", solveUltimate},
		{"mate", solveMate},
	}
	var names []string
	for _, g := range games {
		if len(args) > 0 && args[0] == g.name {
			return g.run(args[1:], std)
		}
		names = append(names, "solve "+g.name+" [FLAGS] [FILE]")
	}
	fmt.Fprintln(std.err, "trefoil: solve: it goes: "+strings.Join(names, ", or "))
	return statusMisuse
}

// batch is one run of solve: a position a line in, an answer a line out. What it is
// told of lines comes in their order from one goroutine.
type batch struct {
	out *bufio.Writer
	err io.Writer
	bar *bar

	solved, wrong, bad int
}

func newBatch(std streams) batch { return batch{out: bufio.NewWriter(std.out), err: std.err} }

// solver is what a batch asks.
type solver interface {
	// open gets ready; nothing is solved if it fails.
	open(ctx context.Context) error
	// line answers one line. It returns soon after ctx has ended.
	line(ctx context.Context, n int, text string)
	// close sums up and gives back what open has taken. open may have failed.
	close() error
}

// run hands the lines of a file, or of standard input if it has no name, to a solver
// until they or ctx end, and returns the exit status. Ctrl-C ends ctx; a second one
// ends the program.
func (b *batch) run(file string, std streams, s solver) int {
	status, err := b.answer(file, std, s)
	if err != nil {
		fmt.Fprintf(std.err, "trefoil: %v\n", err)
	}
	return status
}

func (b *batch) answer(file string, std streams, s solver) (status int, err error) {
	in, total := std.in, 0
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return statusMisuse, fmt.Errorf("solve: %w", err)
		}
		defer f.Close()
		if total, err = countLines(f); err != nil {
			return statusMisuse, fmt.Errorf("solve: %w", err)
		}
		in = f
	}
	b.bar = newBar(std.err, total)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err = s.open(ctx); err == nil {
		b.bar.show(0)
		err = b.lines(ctx, in, s)
	}
	interrupted := ctx.Err() != nil
	stop()
	b.bar.clear()
	if interrupted {
		err = nil // what could not be done for it
	}
	err = errors.Join(err, s.close(), b.out.Flush())
	switch {
	case interrupted:
		return statusInterrupted, err
	case err != nil:
		return statusMisuse, fmt.Errorf("solve: %w", err)
	case b.wrong+b.bad > 0:
		return statusWrong, nil
	}
	return 0, nil
}

// countLines counts the lines of a file and goes back to its beginning. What cannot
// go back has no count.
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

// lines solves line by line until the input or ctx ends. A reader that waits for its
// input does not keep it from ending.
func (b *batch) lines(ctx context.Context, in io.Reader, s solver) error {
	type read struct {
		text string
		err  error
	}
	input := make(chan read)
	go func() {
		for r := bufio.NewReaderSize(in, maxLine); ; {
			text, err := readLine(r)
			select {
			case input <- read{text, err}:
			case <-ctx.Done():
				return
			}
			if err != nil && err != errLong {
				return
			}
		}
	}()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case line := <-input:
			switch line.err {
			case nil:
				s.line(ctx, n, line.text)
			case errLong:
				b.badLine(n, line.text, line.err)
			case io.EOF:
				return nil
			default:
				return line.err
			}
			if b.out.Flush() != nil {
				return nil // nobody can read what comes of the rest; answer tells why
			}
			b.bar.show(n)
		}
	}
}

// maxLine is more bytes than a line of any game has.
const maxLine = 64 << 10

var errLong = errors.New("a line of 64 KiB or more")

// readLine returns the next line without its end; errLong and its beginning if it is no
// shorter than r's buffer; io.EOF after the last one, which needs no end.
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

// say prints a line of the answer at once.
func (b *batch) say(format string, args ...any) {
	b.bar.clear()
	fmt.Fprintf(b.out, format+"\n", args...)
	b.out.Flush()
}

// complain tells of something wrong and goes on.
func (b *batch) complain(format string, args ...any) {
	b.out.Flush()
	b.bar.clear()
	fmt.Fprintf(b.err, "trefoil: solve: "+format+"\n", args...)
}

// badLine tells of a line that is no position, and how it begins.
func (b *batch) badLine(n int, text string, err error) {
	b.bad++
	b.complain("line %d: %v: %.200q", n, err, text)
}
