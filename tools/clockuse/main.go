// Command clockuse plays games of chess or shogi of the engine against itself on a clock, and prints which
// share of the time that was left its moves took:
//
//	go run ./tools/clockuse -variant shogi -time 10m -byoyomi 5s -worst 1120ms -nodes 1
//
// The clock counts nodes, -nodes for a millisecond, so that the same flags give the same games on every
// machine.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"trefoil/cluster"
	"trefoil/engine"
	"trefoil/engine/openings"
	"trefoil/engine/registry"
	"trefoil/game"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/search/clock"
	"trefoil/tools/internal/program"
)

// control is what is played.
type control struct {
	game     *registry.AlphaBeta
	time     time.Duration // for the game, or for each period
	inc      time.Duration
	byoyomi  time.Duration
	moves    int // of a period; 0 = none
	games    int
	longest  int // plies
	seed     uint64
	settings clock.Settings
}

// firstMoves is the number of moves of each side in each game that have a row of their own.
const firstMoves = 20

func main() { program.Main("clockuse", run) }

// run is the command with its arguments and outputs.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	var c control
	set := program.Flags("clockuse [flags]", errs)
	variant := set.String("variant", "chess", "chess or shogi")
	set.DurationVar(&c.time, "time", time.Minute, "time on the clock")
	set.DurationVar(&c.inc, "inc", 0, "increment of each move")
	set.DurationVar(&c.byoyomi, "byoyomi", 0, "time for each move after that on the clock")
	set.IntVar(&c.moves, "moves", 0, "moves after which the time is added again; 0 = never")
	set.IntVar(&c.settings.NodesPerMS, "nodes", 1, "nodes of a millisecond")
	set.DurationVar(&c.settings.MoveOverhead, "overhead", clock.DefaultMoveOverhead, "Move Overhead, in USI NetworkDelay")
	set.DurationVar(&c.settings.WorstOverhead, "worst", 0, "NetworkDelay2 of USI")
	set.IntVar(&c.games, "games", 20, "games")
	set.IntVar(&c.longest, "plies", 300, "games end after that number of plies")
	set.Uint64Var(&c.seed, "seed", 1, "of the openings, which are random")
	if err := set.Parse(args); err != nil {
		return err
	}
	g, err := engine.Games().FindAlphaBeta(*variant)
	switch {
	case set.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", set.Arg(0))
	case err != nil:
		return fmt.Errorf("-variant: %w", err)
	case c.settings.NodesPerMS < 1 || c.games < 1 || c.longest < 1:
		return errors.New("-nodes, -games and -plies must be at least 1")
	case min(c.time, c.inc, c.byoyomi, c.settings.MoveOverhead, c.settings.WorstOverhead, time.Duration(c.moves)) < 0:
		return errors.New("-time, -inc, -byoyomi, -moves, -overhead and -worst must not be negative")
	case c.time+c.inc+c.byoyomi == 0:
		return errors.New("no time to move")
	}
	c.game = g.AlphaBeta
	var moves []move
	if err := c.play(ctx, func(m move) { moves = append(moves, m) }); err != nil {
		return err
	}
	if len(moves) == 0 {
		return errors.New("no move was played")
	}
	print(out, moves)
	return nil
}

// move is what one move took.
type move struct {
	number int // of its side, from 1
	used   time.Duration
	left   time.Duration // on the clock, and the byoyomi
	budget clock.Budget
}

// play plays the games.
func (c *control) play(ctx context.Context, visit func(move)) error {
	table, err := cluster.New(16, cluster.Auto)
	if err != nil {
		return err
	}
	defer table.Close()
	searcher := alphabeta.New()
	searcher.SetTable(table)
	newRoot := c.game.NewRoots()
	var setups []string
	o := openings.Options{Count: c.games, Seed: c.seed}
	if err := openings.Generate(ctx, c.game, o, func(setup string) { setups = append(setups, setup) }); err != nil {
		return err
	}
	for _, setup := range setups {
		searcher.NewGame()
		if err := table.Clear(ctx); err != nil {
			return err
		}
		pos, err := newRoot(setup)
		if err != nil {
			return err
		}
		if err := c.playGame(ctx, searcher, pos, visit); err != nil {
			return err
		}
	}
	return nil
}

// playGame plays one game. Both sides use one searcher, which keeps a clock for each.
func (c *control) playGame(ctx context.Context, s *alphabeta.Searcher, pos alphabeta.Position, visit func(move)) error {
	left := [2]time.Duration{c.time + c.inc, c.time + c.inc}
	for ply := range c.longest {
		moves := legal(pos)
		if _, over := pos.Adjudicate(0); over || len(moves) == 0 {
			return nil
		}
		side, n := pos.Side(), ply/2
		shown := search.Clock{Given: true, Time: left, Inc: [2]time.Duration{c.inc, c.inc}, Byoyomi: c.byoyomi}
		if c.moves > 0 {
			shown.MovesToGo = c.moves - n%c.moves
		}
		limits := search.Limits{Clock: shown}
		budget, _ := clock.AlphaBeta(side, c.settings).Budget(&limits, shown)
		r := s.Search(ctx, pos, limits, alphabeta.Settings{Clock: c.settings}, nil)
		if err := ctx.Err(); err != nil {
			return err
		}
		used := time.Duration(r.Nodes) * time.Millisecond / time.Duration(c.settings.NodesPerMS)
		visit(move{n + 1, used, left[side] + c.byoyomi, budget})
		left[side] = max(left[side]-used, 0) + c.inc
		if shown.MovesToGo == 1 {
			left[side] += c.time
		}
		at := slices.IndexFunc(moves, func(m game.Move) bool { return pos.Text(m) == r.Best })
		if at < 0 {
			return fmt.Errorf("the search plays %q, which is no legal move", r.Best)
		}
		pos.Make(moves[at])
	}
	return nil
}

// legal returns the legal moves.
func legal(pos alphabeta.Position) []game.Move {
	var l game.List
	pos.Moves(game.All, &l)
	return l.All()
}

// print prints a row for the first moves of each game and one for all moves: the shares of what was left, in
// percent, and how many of the moves took more than 4 %, more than the limit of their budget because the value
// fell, and more than there was.
func print(out io.Writer, all []move) {
	fmt.Fprintf(out, "%-12s %6s %7s %6s %6s %6s %10s %12s %5s\n", "", "moves", "median", "95 %", "99 %", "most",
		"above 4 %", "above limit", "late")
	first := slices.DeleteFunc(slices.Clone(all), func(m move) bool { return m.number > firstMoves })
	row(out, fmt.Sprintf("1st to %dth", firstMoves), first)
	row(out, "all", all)
}

// row prints what moves took.
func row(out io.Writer, name string, moves []move) {
	var shares []float64
	above, aboveLimit, late := 0, 0, 0
	for _, m := range moves {
		share := 100 * float64(m.used) / float64(max(m.left, time.Millisecond))
		shares = append(shares, share)
		above += count(share > 4)
		aboveLimit += count(m.used > m.budget.Limit+time.Millisecond) // a search ends with a whole node
		late += count(m.used > m.left)
	}
	slices.Sort(shares)
	n := len(shares)
	at := func(percent int) float64 { return shares[(n-1)*percent/100] }
	ofAll := func(k int) float64 { return 100 * float64(k) / float64(n) }
	fmt.Fprintf(out, "%-12s %6d %7.1f %6.1f %6.1f %6.1f %8.1f %% %10.1f %% %5d\n",
		name, n, at(50), at(95), at(99), at(100), ofAll(above), ofAll(aboveLimit), late)
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
