package commandline

import (
	"context"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"trefoil/internal/batch"
	"trefoil/internal/cli"
)

type merge struct {
	Files []string `arg:"" name:"file" help:"Files of records; - is standard input."`
}

// Help is printed by -h.
func (*merge) Help() string {
	return `Prints the records of all files, written by subcommands with --json or --resume, in the order of
the lines of their input, and on standard error the summary that one run over this input would
print.

A record that occurs twice is printed once. Two records of a line contradict each other if they
differ in more than nodes, seconds, pv, moves and jobs; the first is printed. A line that is cut
off at the end of a file, as a killed run leaves it, is left out. Contradictions and positions
without a record are reported, and all other records are printed.

A file that has anything but records, or records of another subcommand, other flags or another
number of positions, is refused before anything is printed.

Exit status: 0 on success; 1 if records are missing or contradict each other; 2 on wrong usage or
failure; 130 after Ctrl-C.`
}

func (m *merge) Run(ctx context.Context, k *kong.Kong, std *cli.Console) error {
	return batch.Merge(ctx, m.Files, std, func(command string) (*batch.Summary, error) {
		n := k.Model.Node
		for word := range strings.FieldsSeq(command) {
			c := child(n, word)
			if c == nil {
				break
			}
			n = c
		}
		if s, ok := n.Target.Addr().Interface().(interface{ Summary() *batch.Summary }); ok {
			return s.Summary(), nil
		}
		return nil, fmt.Errorf("%.80q is not a subcommand with records", command)
	})
}
