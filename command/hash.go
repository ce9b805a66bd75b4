package command

import "fmt"

// oldHash runs the subcommands of hash that are not declared in root.
func oldHash(args []string, std streams) (status int, known bool) {
	if len(args) < 2 || args[0] != "hash" {
		return 0, false
	}
	do, known := map[string]func(args []string, std streams) int{
		"errors": hashErrors,
		"audit":  hashAudit,
		"replay": hashReplay,
		"trace":  hashTrace,
		"report": hashReport,
	}[args[1]]
	if !known {
		return 0, false
	}
	return do(args[2:], std), true
}

// misuse tells of a mistake that keeps a subcommand from running.
func misuse(std streams, format string, args ...any) int {
	fmt.Fprintf(std.err, "trefoil: "+format+"\n", args...)
	return statusMisuse
}
