// Package batch runs a subcommand over many independent positions. The subcommand provides a Solver and the
// fields of its answers. This package reads the input, divides it between processes (--shard) and
// goroutines (--jobs), writes the answers in the order of the input as text or as records (--json), appends
// them to a file from which a killed run resumes (--resume), and merges such files.
//
// docs/formats.md describes the records.
package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"trefoil/internal/cli"
	"trefoil/internal/mem"
)

// Flags are the flags of a subcommand that answers many positions. They do not decide what the answers are.
type Flags struct {
	JSON   bool   `name:"json" setting:"-" group:"positions" help:"Print records: a JSON object on a line for each position. The summary goes to standard error."`
	Shard  Shard  `placeholder:"I/N" setting:"-" group:"positions" help:"Only part I of N: positions I, I + N, ... auto takes I and N from the task of Slurm; auto/N takes I from that of Slurm or Kubernetes."`
	Jobs   Jobs   `default:"1" setting:"-" group:"positions" help:"Positions to answer at a time, each with its own table and threads."`
	Resume string `placeholder:"FILE" setting:"-" group:"positions" help:"Append the records to this file instead of printing them, and skip positions that already have one there."`
}

// Divided reports whether the positions are divided between runs or solvers, so that no table should keep
// results from one position to the next.
func (f *Flags) Divided() bool { return f.Jobs > 1 || f.Shard.N > 0 || f.Resume != "" }

// Fits returns an error if the tables of several jobs, each of that many MiB, do not fit into memory
// together. The first one to be allocated would fit.
func (f *Flags) Fits(mib uint64) error {
	if f.Jobs > 1 {
		if err := mem.Fits(uint64(f.Jobs) * mib << 20); err != nil {
			return fmt.Errorf("--jobs %d, each with a table of %d MiB: %w", f.Jobs, mib, err)
		}
	}
	return nil
}

// Jobs is a number of positions that are solved at a time.
type Jobs int

// UnmarshalText reads a whole number from 1 to 1,024.
func (j *Jobs) UnmarshalText(text []byte) (err error) {
	*j, err = cli.Whole[Jobs](text, 1, 1024)
	return err
}

// ErrOneTable is the error about tables that outlive a position where there are several of them.
var ErrOneTable = errors.New("--save and --load are for one table: they cannot be used with --jobs above 1")

// Fields are what a subcommand says about a position. Their JSON is the part of the record behind the
// common fields.
type Fields interface {
	// Text is the answer without --json, without the last line end; "" if there is only a summary.
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
	// Solve answers a line, or returns an error that says why the line holds no position. A *Failure ends the run. Solve
	// returns soon after ctx has ended, nil if there is nothing to say about the line then.
	Solve(ctx context.Context, l Line) (*Answer[F], error)
	// Close frees what the solver has allocated.
	Close() error
}

// A Failure is an error that is not about a line, such as an error in reading a file. The line gets no
// record.
type Failure struct{ Err error }

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// A Run answers the positions of one input.
type Run[F Fields] struct {
	Flags
	Console *cli.Console
	// Lines, unless nil, are the input in place of a file.
	Lines []string
	// Source is nil for an input that has a position a line.
	Source Source
	// Open returns a new solver. It is called once for each job.
	Open   func(ctx context.Context, s *Screen) (Solver[F], error)
	Totals Totals[F]
}

// Totals are the sums over the answers of a run, in any order.
type Totals[F Fields] interface {
	Add(f F)
	// Text is the last line of the output.
	Text(c Counts) string
}

// Counts are what a run counts itself.
type Counts struct {
	Wrong int // answers that differ from what the line expects
	Bad   int // lines that hold no position
}

// A Summary is the summary of records.
type Summary struct {
	Counts
	add  func(text []byte) error
	text func(Counts) string
}

// NewSummary returns the summary that t makes.
func NewSummary[F Fields](t Totals[F]) *Summary {
	return &Summary{text: t.Text, add: func(text []byte) error {
		var f F
		err := json.Unmarshal(text, &f)
		if err == nil {
			t.Add(f)
		}
		return err
	}}
}

// Add counts a record. It returns an error if the record does not have the fields of the subcommand.
func (s *Summary) Add(r Record, text []byte) error {
	if r.Error != "" {
		s.Bad++
		return nil
	}
	if r.Wrong != "" {
		s.Wrong++
	}
	return s.add(text)
}

// Text is the last line of the output.
func (s *Summary) Text() string { return s.text(s.Counts) }

// message is what is wrong with a line that holds no position.
func (l *Line) message(err error) string {
	if l.Text == "" { // a part of an input that has no lines
		return err.Error()
	}
	return fmt.Sprintf("line %d: %v: %.200q", l.Line, err, l.Text)
}
