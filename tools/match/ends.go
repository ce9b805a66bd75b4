package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"

	"trefoil/tools/internal/selfplay"
)

// printEnds is the subcommand ends: the search plays games of chess against itself until a mate, with the hand-written
// evaluation. It prints their last positions, a line each: FEN; plies to the mate.
func printEnds(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	seed := set.Uint64("seed", 1, "seed of the random moves")
	n := set.Int("n", 1000, "games")
	nodes := set.Uint64("nodes", 100, "nodes searched for a move")
	random := set.Int("random", 9, "random plies before a game")
	last := set.Int("last", 24, "positions printed of a game")
	workers := set.Int("workers", 2, "games played at a time; the positions do not depend on it")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case set.NArg() > 0:
		return fmt.Errorf("ends: unexpected argument %q", set.Arg(0))
	case *workers < 1 || *n < 1 || *nodes < 1 || *random < 0 || *last < 1:
		return errors.New("ends: -workers, -n, -nodes and -last must be at least 1, -random at least 0")
	}
	// play returns the lines of a game, none if it does not end with a mate.
	play := func(ctx context.Context, player *selfplay.Player, number int) ([]byte, error) {
		rng := rand.New(rand.NewPCG(*seed, uint64(number)))
		pos, err := selfplay.ChessOpening(rng, false, *random)
		if err != nil {
			return nil, err
		}
		var fens []string
		half, err := player.Play(ctx, pos, *random, selfplay.Hard(*nodes), selfplay.ChessEnds.PlayedOut(),
			func(pos selfplay.Board, _ selfplay.Line) { fens = append(fens, pos.Setup()) })
		if err != nil || half == 1 {
			return nil, err
		}
		var b bytes.Buffer
		for i := max(len(fens)-*last, 0); i < len(fens); i++ {
			fmt.Fprintf(&b, "%s;%d\n", fens[i], len(fens)-i)
		}
		return b.Bytes(), nil
	}
	fmt.Fprintf(out, "# ends of games, seed %d, %d games, %d nodes a move\n", *seed, *n, *nodes)
	return selfplay.InOrder(ctx, 0, *workers, tableMiB, play, func(i int, text []byte) (bool, error) {
		_, err := out.Write(text)
		return i+1 < *n, err
	})
}
