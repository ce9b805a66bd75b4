// Package command is the subcommands of the binary. Each is a struct, whose fields are its
// flags and arguments, declared by tags of github.com/alecthomas/kong, and a method Run.
// Packages of games add their own (cli.Command).
package command

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

	"trefoil/engine"
	"trefoil/internal/cli"
)

// root is the command line: the flags without a subcommand, and the subcommands.
type root struct {
	PrintVersion kong.VersionFlag `name:"version" short:"v" help:"Print the version."`

	Bench      bench      `cmd:"" help:"Search fixed positions; the last line is N nodes M nps."`
	SpeedTest  speedTest  `cmd:"" name:"speedtest" help:"Search positions of games as if on a clock; the last line is N nodes M nps."`
	Perft      perft      `cmd:"" help:"Count the leaves of the game tree; the total comes last."`
	Hash       hash       `cmd:"" help:"Tools for the hash table."`
	Analyse    analyse    `cmd:"" help:"Analyse games: scores, best lines, the moves that lost most."`
	Solve      struct{}   `cmd:"" help:"Solve positions, one per line."`
	Prove      prove      `cmd:"" help:"Prove hard positions with many workers, on one or more machines."`
	Work       work       `cmd:"" help:"Run a worker for trefoil prove and trefoil book."`
	Queue      queues     `cmd:"" help:"The queue of trefoil prove and trefoil book."`
	Web        webServer  `cmd:"" help:"Serve boards, analysis and the hash table to a browser."`
	Verify     verify     `cmd:"" help:"Check a certificate that proves the value of a position."`
	Book       struct{}   `cmd:"" help:"Make an opening book."`
	Merge      merge      `cmd:"" help:"Merge the records of runs over parts of an input."`
	Tunable    tunable    `cmd:"" help:"Print the search parameters in the format of OpenBench."`
	Completion completion `cmd:"" help:"Print a script for completion in a shell."`
	Complete   complete   `cmd:"" hidden:""`
	Man        man        `cmd:"" help:"Print the manual page."`
	License    license    `cmd:"" help:"Print the licences of the program and of the libraries in it."`
	Version    version    `cmd:"" help:"Print the version."`
	Help       help       `cmd:"" help:"Print this help, or that of a subcommand."`
}

type hash struct {
	Plan    hashPlan    `cmd:"" help:"Show the layout of a table and whether it fits into memory."`
	Advise  hashAdvise  `cmd:"" help:"Recommend a value of Hash for a time control on this machine."`
	Inspect hashInspect `cmd:"" help:"Print the header of a saved table."`
	Verify  hashVerify  `cmd:"" help:"Check the whole file of a saved table."`
	Shared  hashShared  `cmd:"" help:"List the tables that engines share, or remove one."`
	Errors  hashErrors  `cmd:"" help:"Compute the expected number of false hits of a table."`
	Audit   hashAudit   `cmd:"" help:"Count the false hits of searches and show their effects."`
	Trace   hashTrace   `cmd:"" help:"Record the probes and stores of searches."`
	Replay  hashReplay  `cmd:"" help:"Replay a trace against other table designs."`
	Report  hashReport  `cmd:"" help:"Make an HTML page from audits and replays."`
}

const description = `Trefoil is an engine for the protocols UCI and USI. Without arguments it speaks
them on standard input and output. Arguments that are protocol commands, such as
trefoil "position startpos" "go depth 5", are run in order.`

// repeated is how long after Ctrl-C a second one is ignored: programs such as timeout send
// their signal twice at once.
const repeated = time.Second

// Run runs the subcommand that args begin with and returns the exit status: 0, or a status defined in
// package cli. Ctrl-C ends the subcommand. If the subcommand is still busy, the next Ctrl-C ends the
// program.
func Run(args []string, in io.Reader, out, err io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() { time.AfterFunc(repeated, stop) })
	return run(ctx, args, &cli.Console{Prefix: "trefoil", Version: engine.Version(), In: in, Out: out, Err: err},
		gameCommands())
}

// Known reports whether a command line that begins with word is for Run: it is a
// subcommand or a flag.
func Known(word string) bool {
	p, err := newParser(nil, io.Discard, io.Discard)
	return err == nil && (strings.HasPrefix(word, "-") || child(p.Model.Node, word) != nil)
}

// parser is a parser that remembers whether it has printed what a flag asked for, the
// help or the version, in place of running a subcommand.
type parser struct {
	*kong.Kong
	printed bool
}

// newParser returns a parser of the command line.
func newParser(added []cli.Command, out, errs io.Writer) (*parser, error) {
	p := &parser{}
	options := []kong.Option{
		kong.Name("trefoil"),
		kong.Description(description),
		kong.Writers(out, errs),
		kong.Exit(func(int) { p.printed = true }),
		kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ExplicitGroups([]kong.Group{
			{Key: "positions", Title: "Flags for many positions (docs/scale.md):"},
			{Key: "access", Title: "Flags for access to the queue:"},
		}),
		kong.WithHyphenPrefixedParameters(true), // --time -1s is a bad time, not a flag
		vars(),
		kong.PostBuild(func(k *kong.Kong) error {
			k.Model.HelpFlag.Help = "Print this help."
			defer describe(k.Model.Node)
			return place(k.Model.Node, added)
		}),
	}
	for _, c := range added {
		options = append(options, kong.DynamicCommand(c.Name, c.Help, "", c.New()))
	}
	k, err := kong.New(&root{}, options...)
	p.Kong = k
	return p, err
}

// place moves the commands that were added, which are the last children of the root, below
// their parents.
func place(app *kong.Node, added []cli.Command) error {
	first := len(app.Children) - len(added)
	moved := slices.Clone(app.Children[first:])
	app.Children = app.Children[:first]
	for i, c := range added {
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

// run is Run with the commands of games. Output that could not be written is an error.
func run(ctx context.Context, args []string, std *cli.Console, added []cli.Command) int {
	out := &output{w: std.Out}
	std.Out = out
	code := parseAndRun(ctx, args, std, added)
	if code == 0 && out.err != nil {
		std.Warnf("%v", out.err)
		return cli.StatusFailed
	}
	return code
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

func parseAndRun(ctx context.Context, args []string, std *cli.Console, added []cli.Command) int {
	var printed bytes.Buffer
	p, err := newParser(added, &printed, std.Err)
	if err != nil {
		std.Warnf("%v", err)
		return cli.StatusFailed
	}
	line, err := p.Parse(args)
	if p.printed {
		_, _ = std.Out.Write(printed.Bytes())
		return 0
	}
	if err != nil {
		std.Warnf("%s", explain(p.Model.Node, err))
		return cli.StatusFailed
	}
	std.Prefix += ": " + line.Selected().Path()
	if err := noEmptyFlag(line); err != nil {
		std.Warnf("%v", err)
		return cli.StatusFailed
	}
	std.Command = settings(line.Selected())
	line.BindTo(ctx, (*context.Context)(nil))
	return status(ctx, line.Run(std), std)
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

// settings returns a subcommand with its arguments and flags as a command line, except flags at their
// defaults and flags with the tag setting:"-".
func settings(n *kong.Node) string {
	words := []string{strings.TrimPrefix(n.FullPath(), "trefoil ")}
	for _, v := range n.Positional {
		if text := valueText(v.Target); text != "" && v.Tag.Get("setting") != "-" {
			words = append(words, quoted(text))
		}
	}
	for _, f := range n.Flags {
		text := valueText(f.Target)
		switch {
		case text == "" || text == f.Default || f.Tag.Get("setting") == "-" || !f.HasDefault && f.Target.IsZero():
		case f.IsBool():
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name+"="+quoted(text))
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

// quoted puts a word that is not one word to a shell in quotes.
func quoted(word string) string {
	if strings.ContainsAny(word, " \t\n'\"\\$&|;<>()*?[]#~`!{}") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// status prints the error of a subcommand and returns its exit status.
func status(ctx context.Context, err error, std *cli.Console) int {
	code := cli.StatusFailed
	var set *cli.Status
	switch {
	case err == nil:
		return 0
	case errors.As(err, &set):
		code, err = set.Code, set.Err
	case ctx.Err() != nil:
		code = cli.StatusInterrupted
	}
	if err != nil && !errors.Is(err, context.Canceled) { // the user knows that
		std.Warnf("%v", err)
	}
	return code
}
