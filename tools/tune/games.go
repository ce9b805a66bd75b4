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
	"trefoil/game/chess"
	"trefoil/tools/internal/selfplay"
)

// plan is how games are played; two files of one plan hold the same games.
type plan struct {
	seed   uint64
	nodes  uint64 // a move
	random int    // plies at random before the game
	frc    bool   // Chess960 start positions
}

// header is the first line of a file of games, which tells its plan.
func (p plan) header() string {
	return fmt.Sprintf("# trefoil self-play: seed %d, nodes %d, random plies %d, chess960 %v", p.seed, p.nodes, p.random, p.frc)
}

// games is the command of that name.
func games(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var p plan
	set.Uint64Var(&p.seed, "seed", 1, "seed of the random moves")
	set.Uint64Var(&p.nodes, "nodes", 5000, "nodes searched for a move")
	set.IntVar(&p.random, "random", 9, "random plies before the game; every other game has one less")
	set.BoolVar(&p.frc, "chess960", false, "start from Chess960 positions")
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
		return fmt.Errorf("games: %q is no flag", set.Arg(0))
	case *workers < 1 || *n < 1 || p.nodes < 1 || p.random < 1:
		return errors.New("games: -workers, -n, -nodes and -random must be at least 1")
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

// When games are given up: a side is that many centipawns ahead for that many
// plies, or the score has been near nothing for that many after move 40.
const (
	wonBy, wonPlies     = 1200, 5
	drawnBy, drawnPlies = 8, 16
	drawnFrom           = 80
	longest             = 400 // plies; a draw
)

// play plays game i of a plan and returns it as text.
func play(ctx context.Context, player *selfplay.Player, p plan, i int) ([]byte, error) {
	rng := rand.New(rand.NewPCG(p.seed, uint64(i)))
	pos, err := opening(rng, p, i)
	if err != nil {
		return nil, err
	}
	var kept []sample
	won, drawn := 0, 0
	for ply := p.random; ; ply++ {
		if v, over := verdict(pos); over || ply >= longest {
			return write(kept, v, i), nil
		}
		lines, err := player.Think(ctx, pos, p.nodes, 1)
		if err != nil {
			return nil, err
		}
		if len(lines) == 0 {
			return nil, fmt.Errorf("no move in %s", pos.FEN())
		}
		m, value := lines[0].Move, lines[0].Value
		white := value * (1 - 2*pos.Side())
		if m.Quiet() && quiet(player, pos, value) {
			kept = append(kept, sample{fen: pos.FEN(), score: white})
		}
		if leaf := follow(pos, lines[0].PV); leaf != nil && quiet(player, leaf, value) {
			kept = append(kept, sample{fen: leaf.FEN(), score: white})
		}
		won = count(won, abs(white) >= wonBy)
		drawn = count(drawn, abs(white) <= drawnBy && ply >= drawnFrom)
		switch {
		case won >= wonPlies && white > 0:
			return write(kept, 2, i), nil
		case won >= wonPlies:
			return write(kept, 0, i), nil
		case drawn >= drawnPlies:
			return write(kept, 1, i), nil
		}
		pos.Make(m)
	}
}

// opening is a position after random moves in which the game goes on.
func opening(rng *rand.Rand, p plan, i int) (*chess.Position, error) {
	for {
		pos, err := selfplay.Start(rng, p.frc)
		if err != nil || selfplay.Wander(rng, pos, p.random-i&1) {
			return pos, err
		}
	}
}

func count(n int, again bool) int {
	if again {
		return n + 1
	}
	return 0
}

// verdict tells whether the game is over, and White's half points.
func verdict(pos *chess.Position) (half int, over bool) {
	var l game.List
	pos.Moves(game.All, &l)
	if l.Len() == 0 {
		if pos.Stuck() == game.Loss {
			return 2 * pos.Side(), true
		}
		return 1, true
	}
	_, drawn := pos.Verdict(0)
	return 1, drawn
}

// follow is the position that the search expects at the end of its line, nil if
// it expects too little.
func follow(pos *chess.Position, line []string) *chess.Position {
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
	if _, over := verdict(pos); over {
		return nil
	}
	return pos
}

// quiet reports whether a static evaluation can be expected to know what pos is
// worth: no check, no capture that wins anything, no mate in sight.
func quiet(player *selfplay.Player, pos *chess.Position, value int) bool {
	if pos.InCheck() || abs(value) > 2*wonBy || pos.Reversible() > 60 {
		return false
	}
	return abs(player.Quiesce(pos)-player.Static(pos)) <= 40
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
