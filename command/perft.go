package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"trefoil/engine"
	"trefoil/game/chess"
	"trefoil/game/shogi"
)

// perft counts the leaves below every move of a position of chess or shogi.
func perft(args []string, print func(string)) error {
	variant, args, err := variantFlag("perft", args)
	if errors.Is(err, flag.ErrHelp) || err == nil && len(args) == 0 {
		return errors.New("perft: it goes: perft DEPTH [FEN], or perft --variant shogi DEPTH [SFEN]")
	}
	if err != nil {
		return fmt.Errorf("perft: %w", err)
	}
	depth, err := strconv.Atoi(args[0])
	if err != nil || depth < 1 || depth > 40 {
		return fmt.Errorf("perft: depth %q is not a whole number from 1 to 40", args[0])
	}
	setup := strings.Join(args[1:], " ")
	if setup == "startpos" {
		setup = ""
	}
	switch variant {
	case "chess":
		return perftChess(setup, depth, print)
	case "shogi":
		return perftShogi(setup, depth, print)
	}
	return fmt.Errorf("perft: variant %q is neither chess nor shogi", variant)
}

func perftChess(fen string, depth int, print func(string)) error {
	if fen == "" {
		fen = chess.StartFEN
	}
	pos, err := chess.ParseFEN(fen)
	if err != nil {
		return fmt.Errorf("perft: %w", err)
	}
	return engine.Perft(context.Background(), pos, depth, print)
}

// perftShogi also takes positions that could not be in a game, as the published
// counts have them.
func perftShogi(sfen string, depth int, print func(string)) error {
	if sfen == "" {
		sfen = shogi.StartSFEN
	}
	pos, err := shogi.ParseLoose(sfen)
	if err != nil {
		return fmt.Errorf("perft: %w", err)
	}
	return engine.PerftShogi(context.Background(), pos, depth, print)
}
