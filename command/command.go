// Package command is the subcommands of the engine, each a struct that package commandline
// runs. Packages of games add their own (cli.Command).
package command

import (
	"fmt"
	"io"

	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/internal/cli"
	"trefoil/internal/commandline"
	"trefoil/internal/version"
)

// root is the command line: the flags without a subcommand, and the subcommands.
type root struct {
	Bench     bench     `cmd:"" help:"Search fixed positions; the last line is N nodes M nps."`
	SpeedTest speedTest `cmd:"" name:"speedtest" help:"Search positions of games as if on a clock; the last line is N nodes M nps."`
	Perft     perft     `cmd:"" help:"Count the leaves of the game tree; the total comes last."`
	Hash      hash      `cmd:"" help:"Tools for the hash table."`
	Analyse   analyse   `cmd:"" help:"Analyse games: scores, best lines, the moves that lost most; or positions of a test suite."`
	Solve     struct{}  `cmd:"" help:"Solve positions, one per line."`
	CSA       csaClient `cmd:"" name:"csa" help:"Play shogi on a server, such as floodgate."`
	Web       webServer `cmd:"" help:"Serve boards, analysis and the hash table to a browser."`
	Book      struct{}  `cmd:"" help:"Make an opening book."`
	Verify    verify    `cmd:"" help:"Check a certificate that proves the value of a position, or a book."`
	Tunable   tunable   `cmd:"" help:"Print the search parameters in the format of OpenBench."`
	commandline.Shared
}

type hash struct {
	Plan     hashPlan     `cmd:"" help:"Show the layout of a table and whether it fits into memory."`
	Advise   hashAdvise   `cmd:"" help:"Recommend a value of Hash for a time control on this machine."`
	Inspect  hashInspect  `cmd:"" help:"Print the header of a saved table."`
	Verify   hashVerify   `cmd:"" help:"Check the whole file of a saved table."`
	Shared   hashShared   `cmd:"" help:"List the tables that engines share, or remove one."`
	Errors   hashErrors   `cmd:"" help:"Compute the expected number of false hits of a table."`
	Audit    hashAudit    `cmd:"" help:"Count the false hits of searches and show their effects."`
	Trace    hashTrace    `cmd:"" help:"Record the probes and stores of searches."`
	Replay   hashReplay   `cmd:"" help:"Replay a trace against other table designs."`
	Validate hashValidate `cmd:"" help:"Compare the predictions of HashStats for other sizes with real searches."`
	Why      hashWhy      `cmd:"" help:"Show which entries of a trace were missed after they were lost, and why."`
	Report   hashReport   `cmd:"" help:"Make an HTML page from audits and replays."`
}

const description = `Trefoil is an engine for the protocols UCI and USI. Without arguments it speaks
them on standard input and output. Arguments that are protocol commands, such as
trefoil "position startpos" "go depth 5", are run in order. Another program,
trefoil-queue, divides hard proofs and opening books among many machines.`

// program is the engine as a program with subcommands.
func program() *commandline.Program {
	return &commandline.Program{
		Name: "trefoil", Title: "Trefoil", Version: version.String(),
		About: "engine for chess, shogi and other games, with UCI and USI",
		Help:  description, Lines: "line ...", Licenses: licenses, Root: func() any { return new(root) },
		Added: gameCommands(), Vars: vars(), MaxThreads: config.MaxThreads, MaxMiB: cluster.MaxMiB,
	}
}

// Run runs the subcommand that args begin with and returns the exit status: 0, or one of
// those in package cli.
func Run(args []string, in io.Reader, out, errs io.Writer) int {
	p := program()
	if err := moved(args); err != nil {
		fmt.Fprintf(errs, "%s: %v\n", p.Name, err)
		return cli.StatusFailed
	}
	return p.Run(args, in, out, errs)
}

// Known reports whether a command line that begins with word is for Run.
func Known(word string) bool {
	return program().Known(word) || moved([]string{word}) != nil
}
