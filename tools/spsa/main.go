// Command spsa tunes the parameters of the alpha-beta search (search/alphabeta/params.go) by games of
// the engine against itself:
//
//	go build -pgo=default.pgo -o spsa ./tools/spsa
//
// docs/tuning.md describes the method.
package main

import (
	"flag"
	"fmt"

	"trefoil/tools/internal/program"
)

func main() { program.Main("spsa", run) }

var run = program.Commands("spsa",
	program.Command{Form: "run -o STATE [flags]", Help: "play games and tune; a run that was stopped resumes", Run: tune},
	program.Command{Form: "show STATE", Help: "print the values of a tune", Run: show},
	program.Command{Form: "apply [flags] STATE", Help: "write them to values.txt", Run: apply},
	program.Command{Form: "inputs [flags]", Help: "print the parameters as OpenBench reads them", Run: inputs},
)

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
