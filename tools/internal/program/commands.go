package program

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
)

// A Command is a command of a tool with several: Form is its command line, which begins with its name. Run gets the
// flags of the command, whose -h prints the form, and the arguments after its name.
type Command struct {
	Form, Help string
	Run        func(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error
}

// Commands returns the function for Main that runs one of the commands of a tool.
func Commands(tool string, list ...Command) func(ctx context.Context, args []string, out, errs io.Writer) error {
	var usage strings.Builder
	usage.WriteString("usage:\n")
	for _, c := range list {
		fmt.Fprintf(&usage, "  %-40s  %s\n", tool+" "+c.Form, c.Help)
	}
	fmt.Fprintf(&usage, "  %-40s  list its flags\n", tool+" COMMAND -h")
	return func(ctx context.Context, args []string, out, errs io.Writer) error {
		if len(args) == 0 {
			return fmt.Errorf("missing command\n%s", &usage)
		}
		switch args[0] {
		case "help", "-h", "-help", "--help":
			_, err := io.WriteString(out, usage.String())
			return err
		}
		for _, c := range list {
			if name, _, _ := strings.Cut(c.Form, " "); name == args[0] {
				return c.Run(ctx, Flags(tool+" "+c.Form, errs), args[1:], out)
			}
		}
		return fmt.Errorf("unknown command %q\n%s", args[0], &usage)
	}
}
