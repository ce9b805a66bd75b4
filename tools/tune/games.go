package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"trefoil/game"
	"trefoil/search/alphabeta"
	"trefoil/tools/internal/selfplay"
)

// plan is how games are played; two files of one plan hold the same games.
type plan struct {
	seed   uint64
	nodes  uint64 // a move
	random int    // plies at random before the game
	frc    bool   // Chess960 start positions
	game   subject
}

// header is the first line of a file of games, which names its plan.
func (p plan) header() string {
	more := fmt.Sprintf("chess960 %v", p.frc)
	if name := p.game.name(); name != "chess" {
		more = name
	}
	return fmt.Sprintf("# trefoil self-play: seed %d, nodes %d, random plies %d, %s", p.seed, p.nodes, p.random, more)
}

// games is the command of that name.
func games(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var p plan
	set.Uint64Var(&p.seed, "seed", 1, "seed of the random moves")
	set.Uint64Var(&p.nodes, "nodes", 5000, "nodes searched for a move")
	set.IntVar(&p.random, "random", 9, "random plies before the game; every other game has one less")
	set.BoolVar(&p.frc, "chess960", false, "start from Chess960 positions")
	variant := set.String("game", "chess", "the game: chess or shogi")
	n := set.Int("n", 20000, "games in the whole file")
	name := set.String("o", "", "file to write; games that it already has are not played again")
	workers := set.Int("workers", 2, "games played at a time")
	limit := set.Duration("time", 0, "stop after that time (0 = never); the next run goes on")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case *name == "":
		return errors.New("games: -o FILE is missing")
	case set.NArg() > 0:
		return fmt.Errorf("games: unexpected argument %q", set.Arg(0))
	case *workers < 1 || *n < 1 || p.nodes < 1 || p.random < 1:
		return errors.New("games: -workers, -n, -nodes and -random must be at least 1")
	}
	var err error
	if p.game, err = selfplay.Subject(subjects, *variant); err != nil {
		return err
	}
	file, done, err := resume(*name, p)
	if err != nil {
		return err
	}
	defer file.Close()
	if *limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *limit)
		defer cancel()
	}
	fmt.Fprintf(out, "%s: %d of %d games are there\n", *name, done, *n)
	if err = playAll(ctx, p, done, *n, *workers, file, out); err == nil {
		err = file.Sync()
	}
	return err
}

// playAll plays games first to last−1 and writes them to file in that order. A
// context that ends is no error: what is whole is kept.
func playAll(ctx context.Context, p plan, first, last, workers int, file io.Writer, out io.Writer) error {
	if first >= last {
		return nil
	}
	start, positions, next := time.Now(), 0, first
	work := func(ctx context.Context, player *selfplay.Player, i int) ([]byte, error) {
		return play(ctx, player, p, i)
	}
	err := selfplay.InOrder(ctx, first, workers, 4, work, func(i int, text []byte) (bool, error) {
		if _, err := file.Write(text); err != nil {
			return false, err
		}
		next = i + 1
		positions += bytes.Count(text, []byte("\n")) - 1
		if (next-first)%500 == 0 || next == last {
			fmt.Fprintf(out, "game %d: %d positions in %v\n", next, positions, time.Since(start).Round(time.Second))
		}
		return next < last, nil
	})
	if ctx.Err() != nil {
		fmt.Fprintf(out, "stopped after %d games\n", next)
		return nil
	}
	return err
}

// play plays game i of a plan and returns it as text.
func play(ctx context.Context, player *selfplay.Player, p plan, i int) ([]byte, error) {
	rng := rand.New(rand.NewPCG(p.seed, uint64(i)))
	pos, err := p.game.opening(rng, p, i)
	if err != nil {
		return nil, err
	}
	ends := p.game.ends()
	var kept []sample
	var l game.List
	half, err := player.Play(ctx, pos, p.random, selfplay.Hard(p.nodes), ends.Ends,
		func(pos selfplay.Board, line selfplay.Line) {
			first := line.Value * (1 - 2*pos.Side())
			if line.Move.Quiet() && quiet(player, pos, line.Value, ends) {
				kept = append(kept, sample{setup: pos.Setup(), score: first})
			}
			if leaf := follow(pos, line.PV, &l); leaf != nil && quiet(player, leaf, line.Value, ends) {
				kept = append(kept, sample{setup: leaf.Setup(), score: first})
			}
		})
	if err != nil {
		return nil, err
	}
	return write(kept, half, i), nil
}

// follow is the position that the search expects at the end of its line, nil if
// it expects too little.
func follow(pos selfplay.Board, line []string, l *game.List) selfplay.Board {
	if len(line) < 2 {
		return nil
	}
	pos = pos.Copy()
	for _, text := range line {
		m, err := pos.ParseMove(text)
		if err != nil {
			return nil
		}
		pos.Make(m)
	}
	if _, over := selfplay.Result(pos, l); over {
		return nil
	}
	return pos
}

// quiet reports whether a static evaluation of pos can be expected to be right: no check, no
// capture that wins anything, no mate in sight.
func quiet(player *selfplay.Player, pos selfplay.Board, value int, ends ends) bool {
	if pos.InCheck() || abs(value) > ends.decided {
		return false
	}
	if r, ok := pos.(alphabeta.Rule50Counter); ok && r.Rule50() > 60 {
		return false
	}
	return abs(player.Quiesce(pos)-pos.Eval()) <= ends.unquiet
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
