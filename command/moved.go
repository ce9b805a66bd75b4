package command

import (
	"fmt"
	"slices"
	"strings"
)

// moved returns an error if a command line is one of earlier versions that trefoil-queue runs now.
func moved(args []string) error {
	if len(args) > 1 && args[0] == "help" {
		args = args[1:]
	}
	if len(args) == 0 {
		return nil
	}
	switch args[0] {
	case "prove", "work", "queue":
		return fmt.Errorf("%s is a subcommand of another program: trefoil-queue %[1]s", args[0])
	case "book":
		if slices.ContainsFunc(args, func(a string) bool { return a == "--queue" || strings.HasPrefix(a, "--queue=") }) {
			return fmt.Errorf("book connect4 --queue is a subcommand of another program: trefoil-queue book connect4 --queue")
		}
	}
	return nil
}
