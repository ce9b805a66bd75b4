// Package commandline runs a program with subcommands: it parses the command line, prints helps and errors, returns the
// exit status, and has the subcommands that all programs share. A subcommand is a struct, whose fields are
// its flags and arguments, declared by tags of github.com/alecthomas/kong, and a method Run.
package commandline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"trefoil/internal/cli"
)

// A Program is a program with subcommands.
type Program struct {
	Name     string // of the executable
	Title    string // of the program, before its version
	Version  string
	About    string        // what it is, in half a line
	Help     string        // what it does, above the list of its subcommands
	Lines    string        // what the command line may have in place of a subcommand; "" if it has to have one
	Licenses string        // of the program and of the libraries in it
	Root     func() any    // returns a pointer to a struct, whose fields are the subcommands, Shared among them
	Added    []cli.Command // of other packages
	Vars     kong.Vars     // of the tags of the subcommands
	// The most that fields of the types cli.Threads and cli.MiB may be.
	MaxThreads cli.Threads
	MaxMiB     cli.MiB
}

// Shared are the flags without a subcommand, and the subcommands that all programs have.
type Shared struct {
	PrintVersion kong.VersionFlag `name:"version" short:"v" help:"Print the version."`

	Merge      merge      `cmd:"" help:"Merge the records of runs over parts of an input."`
	Completion completion `cmd:"" help:"Print a script for completion in a shell."`
	Complete   complete   `cmd:"" hidden:""`
	Man        man        `cmd:"" help:"Print the manual page."`
	License    license    `cmd:"" help:"Print the licences of the program and of the libraries in it."`
	Version    version    `cmd:"" help:"Print the version."`
	Help       help       `cmd:"" help:"Print this help, or that of a subcommand."`
}

// repeated is how long after Ctrl-C a second one is ignored: programs such as timeout send
// their signal twice at once.
const repeated = time.Second

// Run runs the subcommand that args begin with and returns the exit status: 0, or one of
// those in package cli. Ctrl-C, SIGTERM or the end of the terminal, which nohup has the program
// ignore, ends the subcommand; one that comes later, if it is still busy, ends the program.
func (p *Program) Run(args []string, in io.Reader, out, err io.Writer) int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	context.AfterFunc(ctx, func() { time.AfterFunc(repeated, stop) })
	return p.RunContext(ctx, args, in, out, err)
}

// RunContext is Run with a context in place of Ctrl-C. Output that could not be written is an error.
func (p *Program) RunContext(ctx context.Context, args []string, in io.Reader, out, err io.Writer) int {
	to := &output{w: out}
	std := &cli.Console{Prefix: p.Name, In: in, Out: to, Err: err}
	code := p.parseAndRun(ctx, args, std)
	if code < cli.StatusFailed && to.err != nil { // otherwise the subcommand has said what failed
		std.Warnf("%v", to.err)
		return cli.StatusFailed
	}
	return code
}

// Known reports whether a command line that begins with word is for Run: it is a
// subcommand or a flag.
func (p *Program) Known(word string) bool {
	m, err := p.Model()
	return err == nil && (strings.HasPrefix(word, "-") || child(m.Node, word) != nil)
}

// Model returns the subcommands with their flags and arguments.
func (p *Program) Model() (*kong.Application, error) {
	k, err := p.parser(io.Discard, io.Discard)
	if err != nil {
		return nil, err
	}
	return k.Model, nil
}

// parser is a parser that remembers whether it has printed what a flag asked for, the
// help or the version, in place of running a subcommand.
type parser struct {
	*kong.Kong
	printed bool
}

// parser returns a parser of the command line.
func (p *Program) parser(out, errs io.Writer) (*parser, error) {
	line := &parser{}
	options := []kong.Option{
		kong.Name(p.Name),
		kong.Description(p.Help),
		kong.Writers(out, errs),
		kong.Exit(func(int) { line.printed = true }),
		kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ExplicitGroups([]kong.Group{
			{Key: "positions", Title: "Flags for many positions (docs/scale.md):"},
			{Key: "access", Title: "Flags for access to the queue:"},
		}),
		kong.WithHyphenPrefixedParameters(true), // --time -1s is a bad time, not a flag
		p.Vars,
		kong.Vars{"version": p.VersionLine()},
		upTo(p.MaxThreads),
		upTo(p.MaxMiB),
		kong.PostBuild(func(k *kong.Kong) error {
			k.Model.HelpFlag.Help = "Print this help."
			defer p.describe(k.Model.Node)
			return place(k.Model.Node, p.Added)
		}),
	}
	for _, c := range p.Added {
		options = append(options, kong.DynamicCommand(c.Name, c.Help, "", c.Cmd))
	}
	k, err := kong.New(p.Root(), options...)
	line.Kong = k
	return line, err
}

// upTo reads fields of the type T as whole numbers from 1 to most.
func upTo[T ~int | ~uint64](most T) kong.Option {
	return kong.TypeMapper(reflect.TypeFor[T](), kong.MapperFunc(func(ctx *kong.DecodeContext, to reflect.Value) error {
		var text string
		if err := ctx.Scan.PopValueInto("value", &text); err != nil {
			return err
		}
		n, err := cli.Whole([]byte(text), 1, most)
		to.Set(reflect.ValueOf(n))
		return err
	}))
}

// place moves the commands that were added, which are the last children of the root, below their parents. One without
// a parent goes before the commands that all programs share.
func place(app *kong.Node, added []cli.Command) error {
	first := len(app.Children) - len(added)
	moved := slices.Clone(app.Children[first:])
	app.Children = app.Children[:first]
	for i, c := range added {
		if c.Parent == "" {
			shared := slices.IndexFunc(app.Children, func(n *kong.Node) bool { return n.Name == "merge" })
			app.Children = slices.Insert(app.Children, shared, moved[i])
			continue
		}
		parent := child(app, c.Parent)
		if parent == nil {
			return fmt.Errorf("command %s %s: no command %s", c.Parent, c.Name, c.Parent)
		}
		moved[i].Parent = parent
		parent.Children = append(parent.Children, moved[i])
	}
	return nil
}

// child returns the subcommand of a name, nil if there is none.
func child(n *kong.Node, name string) *kong.Node {
	for _, c := range n.Children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// output remembers the first error of writing and writes nothing after it.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(b []byte) (n int, err error) {
	if o.err == nil {
		n, o.err = o.w.Write(b)
	}
	return n, o.err
}

// Unwrap returns what it writes to.
func (o *output) Unwrap() io.Writer { return o.w }

func (p *Program) parseAndRun(ctx context.Context, args []string, std *cli.Console) int {
	var printed bytes.Buffer
	parser, err := p.parser(&printed, std.Err)
	if err != nil {
		std.Warnf("%v", err)
		return cli.StatusFailed
	}
	line, err := parser.Parse(args)
	if parser.printed {
		_, _ = std.Out.Write(printed.Bytes())
		return 0
	}
	if err != nil {
		std.Warnf("%s", explain(parser.Model.Node, err))
		return cli.StatusFailed
	}
	std.Prefix += ": " + line.Selected().Path()
	if err := noEmptyFlag(line); err != nil {
		std.Warnf("%v", err)
		return cli.StatusFailed
	}
	std.Command = settings(p.Name, line.Selected())
	line.BindTo(ctx, (*context.Context)(nil))
	return status(ctx, line.Run(p, std), std)
}

// noEmptyFlag refuses a flag without a default, such as the name of a file, whose text is empty: a script
// has probably left its variable unset, and would go on as if the flag had not been given.
func noEmptyFlag(line *kong.Context) error {
	for _, at := range line.Path {
		f := at.Flag
		if f == nil || at.Resolved || f.HasDefault {
			continue
		}
		switch value := f.Target.Interface().(type) {
		case string:
			if value != "" {
				continue
			}
		case []string:
			if !slices.Contains(value, "") {
				continue
			}
		default:
			continue
		}
		return fmt.Errorf("--%s: %s is empty", f.Name, f.FormatPlaceHolder())
	}
	return nil
}

// settings returns a subcommand of a program with its arguments and flags as a command line, except those
// that have their defaults and those whose tag setting is "-".
func settings(program string, n *kong.Node) string {
	words := []string{strings.TrimPrefix(n.FullPath(), program+" ")}
	for _, v := range n.Positional {
		if text := valueText(v.Target); text != "" && v.Tag.Get("setting") != "-" {
			words = append(words, cli.Quoted(text))
		}
	}
	for _, f := range n.Flags {
		text := valueText(f.Target)
		switch {
		case text == "" || text == f.Default || f.Tag.Get("setting") == "-" || !f.HasDefault && f.Target.IsZero():
		case f.IsBool():
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name+"="+cli.Quoted(text))
		}
	}
	return strings.Join(words, " ")
}

// valueText is a value as it is written on a command line, "" if it is not set.
func valueText(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.Pointer && v.IsNil():
		return ""
	case v.Kind() == reflect.Pointer:
		return valueText(v.Elem())
	case v.Kind() != reflect.Slice:
		return fmt.Sprint(v.Interface())
	}
	var list []string
	for i := range v.Len() {
		list = append(list, valueText(v.Index(i)))
	}
	return strings.Join(list, ",")
}

// status prints the error of a subcommand, or all of several that are joined, and returns its exit status.
func status(ctx context.Context, err error, std *cli.Console) int {
	code, said := 0, []error(nil)
	for _, err := range joined(err) {
		this := cli.StatusFailed
		var set *cli.Status
		switch {
		case errors.As(err, &set):
			this, err = set.Code, set.Err
		case ctx.Err() != nil:
			this = cli.StatusInterrupted
		}
		code = max(code, this)
		for _, err := range joined(err) {
			if !errors.Is(err, context.Canceled) { // the user knows that
				said = append(said, err)
			}
		}
	}
	if len(said) > 0 {
		std.Warnf("%v", errors.Join(said...))
	}
	return code
}

// joined returns the errors that errors.Join has made an error of, none if err is nil.
func joined(err error) (list []error) {
	join, ok := err.(interface{ Unwrap() []error })
	switch {
	case ok:
		for _, err := range join.Unwrap() {
			list = append(list, joined(err)...)
		}
	case err != nil:
		list = []error{err}
	}
	return list
}
