package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
)

// plan is how games are played and which of their positions are kept. Two sets of files of one plan
// hold the same games.
type plan struct {
	game       subject
	seed       uint64
	nodes      uint64  // a move
	random     int     // plies at random before the game
	chess960   float64 // share of games from start positions of Chess960
	tree       int     // keep one in that many of the positions that searches evaluate, none if 0
	shard      int     // games in a file
	playOut    bool    // no adjudication
	evaluation evaluation
}

// tableMiB is the size of the table of a player.
const tableMiB = 4

// header is the header of file k of the plan.
func (p plan) header(kind string, k int) record.Header {
	h := record.Header{
		Game: p.game.name(), Kind: kind, Bytes: p.game.bytes(),
		Games: fmt.Sprintf("seed %d, nodes %d, random plies %d, chess960 %g, tree %d, games from %d to %d, evaluation %s",
			p.seed, p.nodes, p.random, p.chess960, p.tree, k*p.shard, (k+1)*p.shard-1, p.evaluation.name),
		Scores: staticScores(p.evaluation.name),
	}
	if p.playOut {
		h.Games += ", played out"
	}
	if kind == record.Played {
		h.Scores = searchScores(p.nodes, p.evaluation.name)
	}
	return h
}

// staticScores and searchScores name the origin of scores in a header.
func staticScores(evaluation string) string { return "evaluation " + evaluation }

func searchScores(nodes uint64, evaluation string) string {
	return fmt.Sprintf("search of %d nodes, evaluation %s", nodes, evaluation)
}

// nodesOf returns the nodes of searchScores.
func nodesOf(scores string) (nodes uint64, ok bool) {
	_, err := fmt.Sscanf(scores, "search of %d nodes", &nodes)
	return nodes, err == nil && nodes > 0
}

// games is the command of that name.
func games(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var p plan
	set.Uint64Var(&p.seed, "seed", 1, "seed of the random moves and choices")
	set.Uint64Var(&p.nodes, "nodes", 1000, "nodes searched for a move")
	set.IntVar(&p.random, "random", 9, "random plies before the game; every other game has one less")
	set.Float64Var(&p.chess960, "chess960", 0.1, "share of games of chess that start from Chess960 positions")
	set.IntVar(&p.tree, "tree", 0, "also keep one in `N` of the positions that searches evaluate, in files of their own (0 = none)")
	set.IntVar(&p.shard, "shard", 1000, "games in a file")
	set.BoolVar(&p.playOut, "play-out", false, "play games to their end, whatever the scores are")
	net := set.String("net", "", "evaluate by the net in `FILE`, not by the hand-written evaluation")
	variant := set.String("game", "chess", "the game: chess, shogi or ultimate")
	n := set.Int("n", 10000, "games in all files")
	name := set.String("o", "", "write `NAME`-0000.game, NAME-0001.game, … and with -tree NAME-0000.tree, …; games that they already have are not played again")
	workers := set.Int("workers", 1, "games played at a time; the files do not depend on it")
	limit := set.Duration("time", 0, "stop after that time (0 = never); the next run goes on")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case *name == "":
		return errors.New("games: -o NAME is missing")
	case set.NArg() > 0:
		return fmt.Errorf("games: unexpected argument %q", set.Arg(0))
	case *workers < 1 || *n < 1 || p.nodes < 1 || p.random < 1 || p.shard < 1:
		return errors.New("games: -workers, -n, -nodes, -random and -shard must be at least 1")
	case !(p.chess960 >= 0 && p.chess960 <= 1):
		return errors.New("games: -chess960 must be from 0 to 1")
	case p.tree < 0:
		return errors.New("games: -tree must not be negative")
	}
	var err error
	if p.game, err = subjectOf(*variant); err != nil {
		return err
	}
	if !p.game.chess960() {
		given := false
		set.Visit(func(f *flag.Flag) { given = given || f.Name == "chess960" })
		if given && p.chess960 > 0 {
			return fmt.Errorf("games: -chess960: %s has no such start positions", *variant)
		}
		p.chess960 = 0
	}
	if p.evaluation, err = evaluationBy(p.game, *net); err != nil {
		return err
	}
	if *limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *limit)
		defer cancel()
	}
	for k := 0; k*p.shard < *n && ctx.Err() == nil; k++ {
		if err := p.fill(ctx, *name, k, min((k+1)*p.shard, *n), *workers, out); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		fmt.Fprintln(out, "stopped")
	}
	return nil
}

// fill completes file k up to game last−1, and its file of the tree. A context that ends is no error.
func (p plan) fill(ctx context.Context, name string, k, last, workers int, out io.Writer) (err error) {
	var files [2]*record.Writer // the second nil without a tree
	for i, kind := range p.kinds() {
		full := fmt.Sprintf("%s-%04d.%s", name, k, kind)
		if files[i], err = record.Resume(full, p.header(kind, k)); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, files[i].Close()) }()
	}
	done := files[0].Games()
	if files[1] != nil {
		done = min(done, files[1].Games())
	}
	first := k*p.shard + done
	if first >= last {
		return nil
	}
	for _, f := range files {
		if f == nil {
			continue
		}
		if err := f.Truncate(done); err != nil {
			return err
		}
	}
	start, next := time.Now(), first
	var positions [2]int
	report := func() {
		fmt.Fprintf(out, "games %d to %d: %d positions of the games, %d of the tree in %v\n",
			first, next-1, positions[0], positions[1], time.Since(start).Round(time.Second))
	}
	work := func(ctx context.Context, player *selfplay.Player, i int) ([2][]byte, error) {
		return p.play(ctx, player, i)
	}
	err = selfplay.InOrder(ctx, first, workers, tableMiB, work, func(i int, records [2][]byte) (bool, error) {
		for k, f := range files {
			if f == nil {
				continue
			}
			if err := f.Append(i, records[k]); err != nil {
				return false, err
			}
			positions[k] += len(records[k]) / p.game.bytes()
		}
		next = i + 1
		return next < last, nil
	})
	report()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// kinds are the files that a plan makes.
func (p plan) kinds() []string {
	if p.tree > 0 {
		return []string{record.Played, record.Visited}
	}
	return []string{record.Played}
}

// play plays game i and returns the records of its positions and of those of its searches.
func (p plan) play(ctx context.Context, player *selfplay.Player, i int) (records [2][]byte, err error) {
	rng := rand.New(rand.NewPCG(p.seed, uint64(i)))
	pos, err := p.game.opening(rng, rng.Float64() < p.chess960, p.random-i&1)
	if err != nil {
		return records, err
	}
	pos.EvaluateBy(p.evaluation.function())
	if p.tree > 0 {
		choice := rand.New(rand.NewPCG(^p.seed, uint64(i)))
		pos.Watch(func(pos selfplay.Board, value int) {
			if choice.IntN(p.tree) == 0 && p.game.keeps(pos, value) {
				records[1] = p.add(records[1], pos, value, i)
			}
		})
	}
	ends := p.game.ends()
	if p.playOut {
		ends = ends.PlayedOut()
	}
	half, err := player.Play(ctx, pos, p.random, p.nodes, ends, func(pos selfplay.Board, line selfplay.Line) {
		if line.Move.Quiet() && !pos.InCheck() && p.game.keeps(pos, line.Value) {
			records[0] = p.add(records[0], pos, line.Value, i)
		}
	})
	for _, of := range records {
		p.finish(of, half)
	}
	return records, err
}

// add appends the record of a position of game i. Its half points are those of a game that the second
// player wins, until finish.
func (p plan) add(records []byte, pos selfplay.Board, value, i int) []byte {
	n := p.game.bytes()
	records = append(records, make([]byte, n)...)
	rec := records[len(records)-n:]
	p.game.put(rec, pos)
	tail := record.TailOf(rec)
	tail.Score, tail.Half, tail.Number = int16(value), uint8(2*pos.Side()), uint16(i)
	tail.Put(rec)
	return records
}

// finish corrects the half points of records for a game with that result for the first player.
func (p plan) finish(records []byte, half int) {
	for n := p.game.bytes(); len(records) > 0; records = records[n:] {
		tail := record.TailOf(records[:n])
		if tail.Half == 0 {
			tail.Half = uint8(half)
		} else {
			tail.Half = uint8(2 - half)
		}
		tail.Put(records[:n])
	}
}
