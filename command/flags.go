package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// streams are what a subcommand reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// The exit statuses of subcommands.
const (
	statusWrong       = 1   // it ran, and something was wrong with what it was given
	statusMisuse      = 2   // it could not run
	statusInterrupted = 130 // Ctrl-C, as shells have it
)

// newFlags returns an empty set of flags that prints nothing by itself.
func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	return flags
}

// parse reads flags, which may also come after the other arguments, and returns those.
func parse(flags *flag.FlagSet, args []string) (plain []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return plain, nil
		}
		plain = append(plain, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

// variantFlag reads --variant, which says of what game a subcommand is, and returns the
// other arguments.
func variantFlag(name string, args []string) (variant string, rest []string, err error) {
	flags := newFlags(name)
	flags.StringVar(&variant, "variant", "chess", "")
	rest, err = parse(flags, args)
	return variant, rest, err
}

// parseFlags reads flags, which may also come after the other arguments, of which
// there are at most most. If not ok the subcommand ends with the status: the user
// asked for help, which is usage and the flags, or made a mistake, which is told.
func parseFlags(flags *flag.FlagSet, args []string, most int, usage string, std streams) (status int, ok bool) {
	plain, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(std.out, usage)
		flags.SetOutput(std.out)
		flags.PrintDefaults()
		return 0, false
	}
	if err != nil {
		fmt.Fprintf(std.err, "trefoil: %s: %v\n", flags.Name(), err)
		return statusMisuse, false
	}
	if len(plain) > most {
		fmt.Fprintf(std.err, "trefoil: %s: what is %q?\n", flags.Name(), plain[most])
		return statusMisuse, false
	}
	_ = flags.Parse(append([]string{"--"}, plain...)) // what is left, for Arg; it cannot fail
	return 0, true
}
