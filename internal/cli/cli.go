// Package cli is what the subcommands of a program share: the streams that they use, their
// exit statuses, numbers with bounds and a progress bar. It depends on no game and does not parse the command line.
package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// The exit statuses of a subcommand that did not succeed.
const (
	StatusWrong       = 1   // it ran, and some of its input is wrong
	StatusFailed      = 2   // a usage error, or it could not do its work
	StatusInterrupted = 130 // Ctrl-C, as shells report it
)

// Status is an error that sets the exit status. Any other error sets StatusFailed, or
// StatusInterrupted after Ctrl-C.
type Status struct {
	Code int
	Err  error // what is printed, nil if nothing is
}

func (s *Status) Error() string {
	if s.Err == nil {
		return fmt.Sprintf("exit status %d", s.Code)
	}
	return s.Err.Error()
}

func (s *Status) Unwrap() error { return s.Err }

// Quoted is a word of a command line as a shell reads it: in quotes if it needs them.
func Quoted(word string) string {
	if word == "" || strings.ContainsAny(word, " \t\n'\"\\$&|;<>()*?[]#~`!{}") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// A Command is a subcommand that another package adds.
type Command struct {
	Parent string // the subcommand above it, such as "solve"; "" if there is none
	Name   string
	Help   string // one line
	// Cmd is a pointer to a struct whose fields are the flags and arguments, declared by the tags of
	// github.com/alecthomas/kong, with the tag setting:"-" for fields that do not change its answers. Its
	// method Run takes a context.Context, which Ctrl-C ends, and a *Console, and returns an error. Its method
	// Help returns what -h prints below the first line, formatted as a Go doc comment, the exit statuses last.
	Cmd any
}

// A Console is what a subcommand reads and writes.
type Console struct {
	Prefix  string // of messages: the program and the subcommand
	Command string // the subcommand with those of its flags that decide what it answers
	In      io.Reader
	Out     io.Writer
	Err     io.Writer
}

// Println prints a line of the result.
func (c *Console) Println(line string) { fmt.Fprintln(c.Out, line) }

// Warnf prints a message, after the prefix, to Err.
func (c *Console) Warnf(format string, args ...any) {
	fmt.Fprintf(c.Err, c.Prefix+": "+format+"\n", args...)
}

// Warn is Warnf of a message.
func (c *Console) Warn(message string) { c.Warnf("%s", message) }

// NotePipe is the function NotePipe with Warn.
func (c *Console) NotePipe(path string) { NotePipe(path, c.Warn) }

// NotePipe prints a message if a file that will be read is a named pipe: it is opened when a program writes
// to it, which may be never.
func NotePipe(path string, print func(message string)) {
	if isNamedPipe(path) {
		print("reading from the pipe " + path)
	}
}

func isNamedPipe(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&fs.ModeNamedPipe != 0
}
