package command

import (
	"context"
	"strings"

	"trefoil/engine"
	"trefoil/game/chess"
	"trefoil/game/shogi"
	"trefoil/internal/cli"
)

type perft struct {
	Variant  string     `enum:"${variants}" default:"chess" help:"The game: ${enum}."`
	Depth    perftDepth `arg:"" help:"The depth, 1 to 40."`
	Position []string   `arg:"" optional:"" passthrough:"partial" help:"A FEN, for shogi an SFEN, or startpos, the default."`
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
	return `Prints the leaves below every move, the time, and the total.`
}

func (p *perft) Run(ctx context.Context, std *cli.Console) error {
	setup := strings.Join(p.Position, " ")
	if setup == "startpos" {
		setup = ""
	}
	if p.Variant == "shogi" {
		return perftShogi(ctx, setup, int(p.Depth), std.Println)
	}
	return perftChess(ctx, setup, int(p.Depth), std.Println)
}

func perftChess(ctx context.Context, fen string, depth int, print func(string)) error {
	if fen == "" {
		fen = chess.StartFEN
	}
	pos, err := chess.ParseFEN(fen)
	if err != nil {
		return err
	}
	return engine.Perft(ctx, pos, depth, print)
}

// perftShogi also takes positions that cannot arise in a game, as the published counts
// have them.
func perftShogi(ctx context.Context, sfen string, depth int, print func(string)) error {
	if sfen == "" {
		sfen = shogi.StartSFEN
	}
	pos, err := shogi.ParseLoose(sfen)
	if err != nil {
		return err
	}
	return engine.PerftShogi(ctx, pos, depth, print)
}
