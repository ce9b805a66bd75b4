package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"trefoil/tools/internal/selfplay"
)

// match is a match between two evaluations.
type match struct {
	game   subject
	sides  [2]evaluation
	names  [2]string
	nodes  [2]uint64 // a move
	random int       // plies at random before a game
	within int       // centipawns, the greatest value of an opening
	seed   uint64
}

// openingNodes are the nodes of the search that values an opening.
const openingNodes = 2000

// pairResult is the outcome of two games from one opening in which each side begins once.
type pairResult struct {
	half  [2]int // half points of the first side
	moves [2]int // of each side
	nodes [2]uint64
	time  [2]time.Duration
}

// playMatch is the command match.
func playMatch(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var m match
	variant := set.String("game", "chess", "the game: chess, shogi or ultimate")
	set.Uint64Var(&m.nodes[0], "nodes", 5000, "nodes searched for a move")
	set.Uint64Var(&m.nodes[1], "nodes2", 0, "nodes searched for a move by the second side (0 = the same)")
	set.IntVar(&m.random, "random", 8, "random plies before a game; each opening is played twice, with sides exchanged")
	set.IntVar(&m.within, "within", 0,
		"greatest value of an opening by a search with the hand-written evaluation, in `centipawns` (0 = as the game needs)")
	set.Uint64Var(&m.seed, "seed", 1, "seed of the random plies")
	n := set.Int("n", 400, "games, an even number")
	workers := set.Int("workers", 1, "games played at a time; the results do not depend on it")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case set.NArg() != 2:
		return fmt.Errorf("match: %d nets, want 2; `none` is the hand-written evaluation", set.NArg())
	case *workers < 1 || m.nodes[0] < 1 || m.random < 1:
		return errors.New("match: -workers, -nodes and -random must be at least 1")
	case m.within < 0:
		return errors.New("match: -within must not be negative")
	case *n < 2 || *n%2 != 0:
		return errors.New("match: -n must be even and at least 2")
	}
	if m.nodes[1] == 0 {
		m.nodes[1] = m.nodes[0]
	}
	var err error
	if m.game, err = subjectOf(*variant); err != nil {
		return err
	}
	if m.within == 0 {
		m.within = m.game.within()
	}
	for i, file := range set.Args() {
		m.names[i] = file
		if file == "none" {
			file = ""
		}
		if m.sides[i], err = evaluationBy(m.game, file); err != nil {
			return err
		}
	}
	var all tally
	err = selfplay.InOrder(ctx, 0, *workers, tableMiB, m.pair, func(i int, r pairResult) (bool, error) {
		all.add(r)
		if all.pairs%50 == 0 {
			all.print(out, m.names[0])
		}
		return i+1 < *n/2, nil
	})
	if all.pairs > 0 {
		all.print(out, m.names[0])
		all.printSearches(out, m.names)
	}
	if ctx.Err() != nil {
		fmt.Fprintln(out, "stopped")
		return nil
	}
	return err
}

// pair plays the two games of opening i.
func (m match) pair(ctx context.Context, first *selfplay.Player, i int) (r pairResult, err error) {
	second, err := selfplay.New(tableMiB)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, second.Close()) }()
	players := [2]*selfplay.Player{first, second}
	evaluate := [2]func(selfplay.Board) int{m.sides[0].function(), m.sides[1].function()}
	// The openings are chosen by the hand-written evaluation, so that all matches with a seed have the same.
	rng := rand.New(rand.NewPCG(m.seed, uint64(i)))
	opening, err := first.Balanced(ctx, selfplay.Hard(openingNodes), m.within, func() (selfplay.Board, error) {
		return m.game.opening(rng, false, m.random)
	})
	if err != nil {
		return r, err
	}
	for begins := range 2 {
		for _, p := range players {
			if err := p.NewGame(ctx); err != nil {
				return r, err
			}
		}
		pos := opening.Copy()
		half, err := selfplay.Play(pos, m.random, m.game.ends(), func(pos selfplay.Board) (selfplay.Line, error) {
			side := pos.Side() ^ begins
			pos.EvaluateBy(evaluate[side])
			start := time.Now()
			line, err := players[side].Best(ctx, pos, selfplay.Hard(m.nodes[side]))
			r.time[side] += time.Since(start)
			r.nodes[side] += m.nodes[side]
			r.moves[side]++
			return line, err
		})
		if err != nil {
			return r, err
		}
		if begins == 1 {
			half = 2 - half
		}
		r.half[begins] = half
	}
	return r, nil
}

// tally is the outcome of a match so far, for the first side.
type tally struct {
	lost, drawn, won int
	pairs            int
	sum, squares     float64 // of the share of the points in a pair
	searches         pairResult
}

func (t *tally) add(r pairResult) {
	for _, half := range r.half {
		*[...]*int{&t.lost, &t.drawn, &t.won}[half]++
	}
	share := float64(r.half[0]+r.half[1]) / 4
	t.pairs, t.sum, t.squares = t.pairs+1, t.sum+share, t.squares+share*share
	for side := range 2 {
		t.searches.moves[side] += r.moves[side]
		t.searches.nodes[side] += r.nodes[side]
		t.searches.time[side] += r.time[side]
	}
}

// print prints the score of the first side with an interval of 95 %, by the variance of the pairs.
func (t *tally) print(out io.Writer, name string) {
	n := float64(t.pairs)
	mean := t.sum / n
	half := 1.96 * math.Sqrt(max(t.squares/n-mean*mean, 0)/n)
	fmt.Fprintf(out, "%s: +%d =%d -%d, %.1f %%, Elo %s [%s, %s]\n", name, t.won, t.drawn, t.lost, 100*mean,
		elo(mean), elo(mean-half), elo(mean+half))
}

// printSearches prints how long both sides have searched.
func (t *tally) printSearches(out io.Writer, names [2]string) {
	for side, name := range names {
		s := t.searches
		fmt.Fprintf(out, "%s: %d moves, %.3f µs a node\n", name, s.moves[side],
			float64(s.time[side].Microseconds())/float64(max(s.nodes[side], 1)))
	}
}

// elo is the difference in Elo that a share of the points stands for.
func elo(share float64) string {
	if share <= 0 || share >= 1 {
		return fmt.Sprintf("%+.0f", math.Copysign(math.Inf(1), share-0.5))
	}
	return fmt.Sprintf("%+.0f", 400*math.Log10(share/(1-share)))
}
