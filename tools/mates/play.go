package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"

	"trefoil/internal/atomicfile"
	"trefoil/tools/internal/selfplay"
)

// games says which games the subcommand play plays.
type games struct {
	seed   uint64
	n      int
	nodes  uint64
	random int
	last   int
}

// playGames is the subcommand play: it plays games of chess of the engine against itself until a mate, and
// writes their last positions, a line each: FEN; plies to the mate.
func playGames(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var g games
	set.Uint64Var(&g.seed, "seed", 1, "seed of the random moves")
	set.IntVar(&g.n, "n", 1000, "games")
	set.Uint64Var(&g.nodes, "nodes", 100, "nodes searched for a move")
	set.IntVar(&g.random, "random", 9, "random plies before a game")
	set.IntVar(&g.last, "last", 24, "positions written of a game")
	workers := set.Int("workers", 2, "games played at a time; the file does not depend on it")
	name := set.String("o", "", "file to write")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case *name == "":
		return errors.New("play: -o FILE is missing")
	case *workers < 1 || g.n < 1 || g.nodes < 1 || g.random < 0 || g.last < 1:
		return errors.New("play: -workers, -n, -nodes and -last must be at least 1, -random at least 0")
	}
	if err := vacant(*name); err != nil {
		return err
	}
	var all bytes.Buffer
	fmt.Fprintf(&all, "%s: ends of games, seed %d, %d games, %d nodes a move\n", magic, g.seed, g.n, g.nodes)
	err := selfplay.InOrder(ctx, 0, *workers, 4, g.play, func(i int, text []byte) (bool, error) {
		all.Write(text)
		return i+1 < g.n, nil
	})
	if err != nil {
		return err
	}
	return atomicfile.Write(*name, atomicfile.Prefix(magic), func(w io.Writer) error {
		_, err := w.Write(all.Bytes())
		return err
	})
}

// play plays a game and returns its lines, none if it does not end with a mate.
func (g *games) play(ctx context.Context, player *selfplay.Player, number int) ([]byte, error) {
	rng := rand.New(rand.NewPCG(g.seed, uint64(number)))
	pos, err := selfplay.ChessOpening(rng, false, g.random)
	if err != nil {
		return nil, err
	}
	var fens []string
	half, err := player.Play(ctx, pos, g.random, selfplay.Hard(g.nodes), selfplay.ChessEnds.PlayedOut(),
		func(pos selfplay.Board, _ selfplay.Line) {
			fens = append(fens, pos.Setup())
		})
	if err != nil || half == 1 {
		return nil, err
	}
	var b bytes.Buffer
	for i := max(len(fens)-g.last, 0); i < len(fens); i++ {
		fmt.Fprintf(&b, "%s;%d\n", fens[i], len(fens)-i)
	}
	return b.Bytes(), nil
}
