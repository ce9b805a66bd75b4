// Package batch runs a subcommand over many independent positions. What the subcommand brings is a Solver and the fields
// of its answers. This package reads the input, divides it between processes (--shard) and goroutines (--jobs),
// writes the answers in the order of the input as text or as records (--json), appends them to a file
// from which a killed run resumes (--resume), and merges such files.
//
// docs/formats.md describes the records.
package batch

import (
	"context"
	"errors"
	"fmt"

	"trefoil/internal/cli"
)

// Flags are the flags of a subcommand that answers many positions. None of them changes an answer.
type Flags struct {
	JSON  bool  `name:"json" setting:"-" group:"positions" help:"Print records: for each position an object of JSON on a line. The summary goes to standard error."`
	Shard Shard `placeholder:"I/N" setting:"-" group:"positions" help:"Only part I of N, 1 to N: the positions I, I + N, ... auto: that of the task of Slurm; auto/N: also of Kubernetes."`
	Jobs  Jobs  `default:"1" setting:"-" group:"positions" help:"Positions at a time, each with a table and threads of its own."`
}

// Jobs is a number of positions that are solved at a time.
type Jobs int

// UnmarshalText reads a whole number from 1 to 1,024.
func (j *Jobs) UnmarshalText(text []byte) (err error) {
	*j, err = cli.Whole[Jobs](text, 1, 1024)
	return err
}

// ErrOneTable is the error about tables that outlive a position where there are several of them.
var ErrOneTable = errors.New("--save, --load: they are for one table, that of --jobs 1")

// Fields are what a subcommand says about a position. Their JSON is the part of the record behind the
// common fields.
type Fields interface {
	// Text is the answer without --json, without the last line end.
	Text(l Line) string
}

// An Answer is that to one position.
type Answer[F Fields] struct {
	Fields F
	Wrong  string   // how it contradicts what the line expects, or ""
	Notes  []string // messages about the line
}

// A Solver answers positions, one at a time.
type Solver[F Fields] interface {
	// Solve answers a line, or returns an error that says why the line holds no position. It returns soon
	// after ctx has ended, nil if there is nothing to say about the line then.
	Solve(ctx context.Context, l Line) (*Answer[F], error)
	// Close frees what the solver has allocated.
	Close() error
}

// A Run answers the positions of one input.
type Run[F Fields] struct {
	Flags
	Console *cli.Console
	// Source is nil for an input that has a position a line.
	Source Source
	// Open returns a new solver. It is called once for each of the jobs.
	Open func(ctx context.Context, s *Screen) (Solver[F], error)
	// Add counts an answer for the summary. The answers come in any order.
	Add func(f F)
	// Summary returns the last line of the output.
	Summary func(c Counts) string
}

// Counts are what a run counts itself.
type Counts struct {
	Wrong int // answers that differ from what the line expects
	Bad   int // lines that hold no position
}

// message is what is wrong with a line that holds no position.
func (l *Line) message(err error) string {
	if l.Text == "" { // a part of an input that has no lines
		return err.Error()
	}
	return fmt.Sprintf("line %d: %v: %.200q", l.Line, err, l.Text)
}
