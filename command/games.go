package command

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"trefoil/cluster"
	"trefoil/engine"
	"trefoil/engine/analysis"
	"trefoil/engine/registry"
	"trefoil/internal/cli"
)

// vars are the variables of the tags in this package.
func vars() kong.Vars {
	games := engine.Games()
	return kong.Vars{
		"game":      games.Names()[0], // by default
		"games":     strings.Join(games.Names(), ", "),
		"alphabeta": strings.Join(games.Names(registry.PlayedByAlphaBeta), ", "),
		"benches":   strings.Join(games.BenchNames(), ", "),
		"formats":   strings.Join(formats(), ", "),
		"indexes":   fmt.Sprintf("%v, %v, %v, %v", cluster.Auto, cluster.Mul32, cluster.Mul64, cluster.Pow2),
	}
}

// formats are the values of --format.
func formats() []string {
	names := []string{"auto"}
	for _, f := range analysis.Formats {
		names = append(names, f.Name)
	}
	for _, l := range analysis.Lists {
		names = append(names, l.Name)
	}
	return names
}

// gameCommands are the subcommands that games add.
func gameCommands() (commands []cli.Command) {
	for _, g := range engine.Games().Games() {
		commands = append(commands, g.Commands...)
	}
	return commands
}
