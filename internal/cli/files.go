package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"golang.org/x/term"

	"trefoil/internal/container"
	"trefoil/internal/pipe"
)

// Standard is the path that means standard input, or standard output.
const Standard = "-"

// The names of the standard streams in messages.
const (
	standardInput  = "standard input"
	standardOutput = "standard output"
)

// Input returns what a saved file is read from: standard input, or the file at path, which may be a pipe. Reading
// it ends with ctx.
func (c *Console) Input(ctx context.Context, path string) container.Input {
	switch {
	case path == Standard:
		return container.Stream(pipe.Reader(ctx, c.In, pipe.Limits{}), standardInput)
	case pipe.Is(path):
		return container.Input{Name: path, Open: func() (io.ReadCloser, error) {
			c.NotePipe(path)
			return pipe.Open(ctx, ctx, path, pipe.Limits{})
		}}
	}
	return container.File(path).Within(ctx)
}

// Output returns what a saved file is written to: standard output, or the file at path, which may be a
// pipe. After standard output is taken for it, Out is standard error, and a reader that is gone is an error
// in place of a signal that ends the program. Writing to a stream ends with ctx.
func (c *Console) Output(ctx context.Context, path string) (container.Output, error) {
	switch {
	case c.isStandard(path, os.Stdout):
		if isTerminal(c.Out) {
			return container.Output{}, errors.New("standard output is a terminal: redirect it to a file or a program")
		}
		signal.Ignore(syscall.Signal(13)) // SIGPIPE; js has no name for it
		out := container.WriteStream(pipe.Writer(ctx, c.Out, pipe.Limits{}), standardOutput)
		c.Out = c.Err
		return out, nil
	case pipe.Is(path):
		return container.Output{Name: path, Open: func() (io.WriteCloser, error) {
			if isNamedPipe(path) {
				c.Warn("writing to the pipe " + path)
			}
			return pipe.Create(ctx, ctx, path, pipe.Limits{})
		}}, nil
	}
	return container.Replace(path), nil
}

// isTerminal reports whether a writer, or the writer to which it passes everything on, is a terminal.
func isTerminal(w io.Writer) bool {
	if u, ok := w.(interface{ Unwrap() io.Writer }); ok {
		w = u.Unwrap()
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// isStandard reports whether a path is a standard stream, also by another name such as /dev/stdout.
func (c *Console) isStandard(path string, f *os.File) bool {
	return path == Standard || pipe.Same(path, f)
}

// A Use is a file, and what a subcommand uses it for.
type Use struct{ What, Path string }

// Positions is the use of a file by Lines.
func Positions(file string) Use {
	return Use{"the positions", cmp.Or(file, Standard)}
}

// CheckNew returns an error if the file of --save exists and would be replaced.
func CheckNew(path string) error {
	if path == Standard || pipe.Is(path) {
		return nil
	}
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("--save: %s exists: --load it too, or choose another name", path)
	}
	return nil
}

// CheckInputs returns an error if two of the files are standard input.
func (c *Console) CheckInputs(uses ...Use) error { return c.checkUses(standardInput, os.Stdin, uses) }

// CheckOutputs returns an error if two of the files are standard output or the same file.
func (c *Console) CheckOutputs(uses ...Use) error {
	if err := c.checkUses(standardOutput, os.Stdout, uses); err != nil {
		return err
	}
	first := make(map[string]string)
	for _, u := range uses {
		if u.Path == "" {
			continue
		}
		path := filepath.Clean(u.Path)
		if what, twice := first[path]; twice {
			return fmt.Errorf("%s is named for both %s and %s: name another file for one of them", u.Path, what,
				u.What)
		}
		first[path] = u.What
	}
	return nil
}

func (c *Console) checkUses(name string, f *os.File, uses []Use) error {
	first := ""
	for _, u := range uses {
		switch {
		case !c.isStandard(u.Path, f):
		case first != "":
			return fmt.Errorf("%s is named for both %s and %s: name a file for one of them", name, first, u.What)
		default:
			first = u.What
		}
	}
	return nil
}

// Damaged gives an error of a file its exit status: StatusWrong if the file was read and is
// not what it should be.
func Damaged(err error) error {
	if _, ok := errors.AsType[*container.Error](err); ok {
		return &Status{Code: StatusWrong, Err: err}
	}
	return err
}
