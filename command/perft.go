package command

import (
	"context"
	"fmt"
	"strings"

	"trefoil/engine"
	"trefoil/internal/cli"
)

type perft struct {
	Variant  string     `enum:"${games}" default:"${game}" help:"The game: ${enum}."`
	Depth    perftDepth `arg:"" help:"The depth, 1 to 40."`
	Position []string   `arg:"" optional:"" passthrough:"partial" help:"A position in the notation of the game, or startpos, the default."`
}

// perftDepth is deeper than any count that ends.
type perftDepth int

// UnmarshalText reads a depth.
func (d *perftDepth) UnmarshalText(text []byte) (err error) {
	*d, err = cli.Whole[perftDepth](text, 1, 40)
	return err
}

// Help is printed by -h.
func (*perft) Help() string {
	var b strings.Builder
	b.WriteString("Prints the leaves below every move, the time, and the total.\n\nNotation of a position:\n")
	for _, g := range engine.Games().Games() {
		fmt.Fprintf(&b, "\n  %-10s %s", g.Name, g.Notation)
	}
	return b.String()
}

func (p *perft) Run(ctx context.Context, std *cli.Console) error {
	g, err := engine.Games().Find(p.Variant)
	if err != nil {
		return err
	}
	setup := strings.Join(p.Position, " ")
	if setup == "" {
		setup = "startpos"
	}
	return g.Perft(ctx, setup, int(p.Depth), std.Println)
}
