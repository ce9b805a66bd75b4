// Package command is the subcommands of the binary: what it does when it is not
// asked to be an engine.
//
//	bench [DEPTH]        search fixed positions; ends with: N nodes M nps;
//	                     --variant shogi: of shogi
//	perft DEPTH [FEN]    count the leaves of the game tree; the total comes last;
//	                     --variant shogi: of shogi, from an sfen
//	hash plan MIB        what a table of that size would be on this machine
//	hash errors          how often a table is expected to take one position for another
//	hash audit           how often it does, and what comes of it
//	hash trace FILE      record what searches do with their table
//	hash replay FILE     what tables of other designs would have found
//	hash advise          which Hash to set for a time control on this machine
//	hash inspect FILE    what a saved hash says of itself
//	hash verify FILE     check a saved hash from its first byte to its last
//	hash report          one page about all that, with pictures
//	solve connect4       solve positions of Connect Four
//	solve ultimate       solve positions of Ultimate Tic-Tac-Toe
//	solve mate           find forced mates in positions of chess
//	book connect4        make an opening book of Connect Four
//	version, help
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"trefoil/engine"
)

const usage = `Trefoil is an engine for the protocols UCI and USI: it plays chess and shogi, and
solves Connect Four and Ultimate Tic-Tac-Toe.

  trefoil                    the engine on standard input and output
  trefoil LINE…              run the lines of UCI, then quit
  trefoil bench [DEPTH]      search fixed positions; ends with: N nodes M nps
  trefoil bench --variant shogi [DEPTH]
                             the same for shogi
  trefoil perft DEPTH [FEN]  count the leaves of the game tree; the total comes last
  trefoil perft --variant shogi DEPTH [SFEN]
                             the same for shogi
  trefoil hash plan MIB [INDEX]
                             what a table of that size would be on this machine
  trefoil hash errors [FLAGS]
                             how often a table is expected to take one position for another
  trefoil hash audit [FLAGS] [FILE]
                             how often it does, and what comes of it
  trefoil hash trace FILE [FLAGS] [EPD]
                             record what searches do with their table
  trefoil hash replay FILE [FLAGS]
                             what tables of other designs would have found
  trefoil hash advise [FLAGS]
                             which Hash to set for a time control on this machine
  trefoil hash inspect FILE  what a saved hash says of itself
  trefoil hash verify FILE   check a saved hash from its first byte to its last
  trefoil hash report DIR    one page about all that, with pictures
  trefoil solve connect4 [FLAGS] [FILE]
                             solve positions of Connect Four, one a line (-h: more)
  trefoil solve ultimate [FLAGS] [FILE]
                             solve positions of Ultimate Tic-Tac-Toe (-h: more)
  trefoil solve mate [FLAGS] [FILE]
                             find forced mates in chess, one position a line (-h: more)
  trefoil book connect4 [FLAGS] FILE
                             make an opening book of Connect Four (-h: more)
  trefoil version
  trefoil help
`

// Run runs the subcommand that args begin with, and reports whether there is
// one. Its exit status is 0, 2 after a mistake that err tells, or what the help of
// the subcommand says.
func Run(args []string, in io.Reader, out, err io.Writer) (status int, known bool) {
	std := streams{in, out, err}
	switch args[0] {
	case "solve":
		return solve(args[1:], std), true
	case "book":
		return makeBook(args[1:], std), true
	case "hash":
		return hash(args[1:], std), true
	}
	do, known := map[string]func([]string, func(string)) error{
		"bench":   bench,
		"perft":   perft,
		"version": version,
		"help":    help, "-h": help, "-help": help, "--help": help,
	}[args[0]]
	if !known {
		return 0, false
	}
	if e := do(args[1:], func(line string) { fmt.Fprintln(out, line) }); e != nil {
		fmt.Fprintf(err, "trefoil: %v\n", e)
		return statusMisuse, true
	}
	return 0, true
}

func bench(args []string, print func(string)) error {
	variant, args, err := variantFlag("bench", args)
	if errors.Is(err, flag.ErrHelp) {
		return errors.New("bench: it goes: bench [--variant shogi] [DEPTH]")
	}
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return engine.Bench(context.Background(), variant, args, print)
}

func version(_ []string, print func(string)) error {
	line := "Trefoil " + engine.Version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 8 {
				line += " " + s.Value[:8]
			}
		}
	}
	print(fmt.Sprintf("%s %s %s/%s", line, runtime.Version(), runtime.GOOS, runtime.GOARCH))
	return nil
}

func help(_ []string, print func(string)) error {
	print(strings.TrimSuffix(usage, "\n"))
	return nil
}
