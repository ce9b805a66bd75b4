package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"trefoil/engine"
)

// hashing are the subcommands of hash by name. Each returns its exit status.
var hashing = map[string]func(args []string, std streams) int{
	"plan":    hashPlan,
	"errors":  hashErrors,
	"advise":  hashAdvise,
	"audit":   hashAudit,
	"replay":  hashReplay,
	"trace":   hashTrace,
	"inspect": hashInspect,
	"verify":  hashVerify,
	"report":  hashReport,
}

// hash runs a subcommand of hash and returns its exit status.
func hash(args []string, std streams) int {
	if len(args) > 0 {
		if do, known := hashing[args[0]]; known {
			return do(args[1:], std)
		}
	}
	names := slices.Sorted(maps.Keys(hashing))
	way := "it goes: hash " + strings.Join(names, ", or hash ") + "; each tells more with -h"
	if len(args) > 0 && slices.Contains([]string{"-h", "-help", "--help", "help"}, args[0]) {
		fmt.Fprintln(std.out, way)
		return 0
	}
	return misuse(std, "hash: %s", way)
}

const hashPlanUsage = `trefoil hash plan MIB [INDEX]: what a table of that size would be on this machine.
INDEX is auto (the default), mul32, mul64 or pow2.
`

func hashPlan(args []string, std streams) int {
	flags := newFlags("hash plan")
	if status, ok := parseFlags(flags, args, 2, hashPlanUsage, std); !ok {
		return status
	}
	if flags.NArg() == 0 {
		return misuse(std, "hash plan: it goes: hash plan MIB [INDEX]")
	}
	index := "auto"
	if flags.NArg() == 2 {
		index = flags.Arg(1)
	}
	if err := engine.HashPlan(flags.Arg(0), index, func(line string) { fmt.Fprintln(std.out, line) }); err != nil {
		return misuse(std, "%v", err)
	}
	return 0
}

// misuse tells of a mistake that keeps a subcommand from running.
func misuse(std streams, format string, args ...any) int {
	fmt.Fprintf(std.err, "trefoil: "+format+"\n", args...)
	return statusMisuse
}
