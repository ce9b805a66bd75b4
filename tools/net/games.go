package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"trefoil/game"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
)

// plan is how games are played. Two sets of files of one plan hold the same games.
type plan struct {
	game       *subject
	seed       uint64
	nodes      uint64  // of a move, after which no iteration begins
	random     int     // plies at random before the game
	within     int     // centipawns, the greatest value of an opening
	unbalanced float64 // share of games whose opening may have unbalancedBy times that
	chess960   float64 // share of games from start positions of double Chess960
	shard      int     // games in a file
	playOut    bool    // no adjudication
	evaluation evaluation
	starts     *starts // of whose positions the openings are, instead of random plies
}

// unbalancedBy is the factor of plan.within for unbalanced openings.
const unbalancedBy = 3

// tableMiB is the size of the table of a player.
const tableMiB = 1

// header is the header of file k of the plan.
func (p plan) header(k int) record.Header {
	openings := fmt.Sprintf("random plies %d within %d, unbalanced %g, chess960 %g", p.random, p.within, p.unbalanced,
		p.chess960)
	if p.starts != nil {
		openings = fmt.Sprintf("%v within %d, unbalanced %g", p.starts, p.within, p.unbalanced)
	}
	h := record.Header{
		Game: p.game.name,
		Games: fmt.Sprintf("seed %d, nodes %d, %s, games from %d to %d, evaluation %s",
			p.seed, p.nodes, openings, k*p.shard, (k+1)*p.shard-1, p.evaluation.name),
		Scores: searchScores(p.nodes, p.evaluation.name),
	}
	if p.playOut {
		h.Games += ", played out"
	}
	return h
}

// searchScores names the origin of scores in a header.
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
	set.Uint64Var(&p.nodes, "nodes", 300, "nodes of a move after which no iteration begins")
	set.IntVar(&p.random, "random", 9, "random plies before the game; every other game has one less")
	set.IntVar(&p.within, "within", 0, "greatest value of an opening, in `centipawns` (0 = as the game needs)")
	set.Float64Var(&p.unbalanced, "unbalanced", 0.1, "share of games whose opening may have three times that value")
	set.Float64Var(&p.chess960, "chess960", 0.1, "share of games of chess that start from positions of double Chess960")
	pieces := set.Int("pieces", mostPieces, "with FILEs: greatest `number` of pieces of a first position")
	set.IntVar(&p.shard, "shard", 1000, "games in a file")
	set.BoolVar(&p.playOut, "play-out", false, "play games to their end, whatever the scores are")
	net := set.String("net", "", "evaluate by the net in `FILE`, not by the hand-written evaluation")
	variant := set.String("game", "chess", "the game: chess, shogi or ultimate")
	n := set.Int("n", 10000, "games in all files")
	name := set.String("o", "",
		"write `NAME`-0000.game, NAME-0001.game, …; games that they already have are not played again")
	workers := set.Int("workers", 1, "games played at a time; the files do not depend on it")
	limit := set.Duration("time", 0, "stop after that time (0 = never); the next run goes on")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case *name == "":
		return errors.New("games: -o NAME is missing")
	case *workers < 1 || *n < 1 || p.nodes < 1 || p.random < 1 || p.shard < 1:
		return errors.New("games: -workers, -n, -nodes, -random and -shard must be at least 1")
	case !(p.chess960 >= 0 && p.chess960 <= 1) || !(p.unbalanced >= 0 && p.unbalanced <= 1):
		return errors.New("games: -chess960 and -unbalanced must be from 0 to 1")
	case p.within < 0:
		return errors.New("games: -within must not be negative")
	}
	var err error
	if p.game, err = selfplay.Subject(subjects, *variant); err != nil {
		return err
	}
	given := map[string]bool{}
	set.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case set.NArg() > 0 && (given["random"] || given["chess960"]):
		return errors.New("games: -random and -chess960 are for games that do not start from those of a file")
	case set.NArg() == 0 && given["pieces"]:
		return errors.New("games: -pieces is for games that start from those of a file")
	case !p.game.chess960:
		if given["chess960"] && p.chess960 > 0 {
			return fmt.Errorf("games: -chess960: %s has no such start positions", *variant)
		}
		p.chess960 = 0
	}
	if p.within == 0 {
		p.within = p.game.within
	}
	if p.evaluation, err = evaluationBy(p.game, *net); err != nil {
		return err
	}
	if set.NArg() > 0 {
		if p.starts, err = readStarts(p.game, *pieces, set.Args()); err != nil {
			return err
		}
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

// fill completes file k up to game last−1. A context that ends is no error.
func (p plan) fill(ctx context.Context, name string, k, last, workers int, out io.Writer) (err error) {
	file, err := record.Resume(fmt.Sprintf("%s-%04d.game", name, k), p.header(k))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	first := k*p.shard + file.Games()
	if first >= last {
		return nil
	}
	start, next, size := time.Now(), first, 0
	err = selfplay.InOrder(ctx, first, workers, tableMiB, p.play, func(i int, data []byte) (bool, error) {
		if err := file.Append(i, data); err != nil {
			return false, err
		}
		next, size = i+1, size+len(data)
		return next < last, nil
	})
	if next > first {
		fmt.Fprintf(out, "games %d to %d: %d bytes in %v\n", first, next-1, size, time.Since(start).Round(time.Second))
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// play plays game i and returns it as package record has it.
func (p plan) play(ctx context.Context, player *selfplay.Player, i int) ([]byte, error) {
	rng := rand.New(rand.NewPCG(p.seed, uint64(i)))
	chess960, within := rng.Float64() < p.chess960, p.within
	if rng.Float64() < p.unbalanced {
		within *= unbalancedBy
	}
	evaluate, limits := p.evaluation.function(), selfplay.Soft(p.nodes)
	ply := p.random
	pos, err := player.Balanced(ctx, limits, within, func() (pos selfplay.Board, err error) {
		if p.starts != nil {
			pos, ply, err = p.starts.pick(rng)
		} else {
			pos, err = p.game.opening(rng, chess960, p.random-i&1)
		}
		if err == nil {
			pos.EvaluateBy(evaluate)
		}
		return pos, err
	})
	if err != nil {
		return nil, err
	}
	data := make([]byte, p.game.Bytes)
	p.game.put(data, pos)
	tail := record.TailOf(data)
	side, before := pos.Side(), 0
	ends := p.game.ends
	if p.playOut {
		ends = ends.PlayedOut()
	}
	var l game.List
	half, err := player.Play(ctx, pos, ply, limits, ends, func(pos selfplay.Board, line selfplay.Line) {
		data = record.AppendPly(data, record.Ply{Rank: rank(pos, line.Move, &l), Score: line.Value}, before)
		before = line.Value
	})
	tail.Half, tail.Number = uint8(half), uint16(i)
	if side == 1 {
		tail.Half = 2 - tail.Half
	}
	tail.Put(data[:p.game.Bytes])
	return data, err
}
