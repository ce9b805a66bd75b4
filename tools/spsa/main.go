// Command spsa tunes the parameters of the alpha-beta search (search/alphabeta/params.go) by games of
// the engine against itself:
//
//	go build -pgo=default.pgo -o spsa ./tools/spsa
//
//	spsa run -o STATE    plays games and tunes
//	spsa show STATE      prints the values of a tune
//	spsa apply STATE     writes them to values.go
//	spsa inputs          prints the parameters as OpenBench reads them
//
// docs/tuning.md describes the method.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"trefoil/tools/internal/program"
)

const usage = `usage: spsa run -o STATE [flags]   play games and tune; a run that was stopped resumes
       spsa show STATE             print the values of a tune
       spsa apply [flags] STATE    write them to values.go
       spsa inputs [flags]         print the parameters as OpenBench reads them
       spsa run -h, ...            list the flags
`

func main() { program.Main("spsa", run) }

// run is the command with its arguments and outputs.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("missing command\n%s", usage)
	}
	switch args[0] {
	case "run":
		return tune(ctx, program.Flags("spsa run -o STATE [flags]", errs), args[1:], out)
	case "show":
		return show(program.Flags("spsa show STATE", errs), args[1:], out)
	case "apply":
		return apply(program.Flags("spsa apply [flags] STATE", errs), args[1:], out)
	case "inputs":
		return inputs(program.Flags("spsa inputs [flags]", errs), args[1:], out)
	case "help", "-h", "-help", "--help":
		_, err := io.WriteString(out, usage)
		return err
	}
	return fmt.Errorf("unknown command %q\n%s", args[0], usage)
}

// parse reads flags, which are followed by that many arguments.
func parse(set *flag.FlagSet, args []string, n int) error {
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case set.NArg() < n:
		return fmt.Errorf("%s: an argument is missing", set.Name())
	case set.NArg() > n:
		return fmt.Errorf("unexpected argument %q", set.Arg(n))
	}
	return nil
}
