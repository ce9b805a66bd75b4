package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"trefoil/tools/internal/selfplay"
)

// match is what the flags say.
type match struct {
	subject
	names  [2]string
	nodes  [2]uint64 // of a move
	words  string    // of go
	time   time.Duration
	equal  bool
	clock  clock
	random int // plies at random before a game
	seed   uint64

	games, workers int
	verbose        bool          // print each game
	free           chan [2]*side // a pair of players for each worker
}

// A clock is a time control.
type clock struct{ base, inc, byoyomi time.Duration }

// openingNodes are the nodes of the search that values an opening.
const openingNodes = 2000

// mostPlies is the length of a game that is drawn, if it is played to its end.
const mostPlies = 512

// parse reads the command line.
func (m *match) parse(set *flag.FlagSet, args []string) (err error) {
	game := set.String("game", "chess", "the game: chess, shogi or ultimate")
	set.Uint64Var(&m.nodes[0], "nodes", 5000, "nodes searched for a move")
	set.Uint64Var(&m.nodes[1], "nodes2", 0, "nodes searched for a move by the second player (0 = the same)")
	set.DurationVar(&m.time, "time", 0, "processor time of a move, instead of nodes")
	set.BoolVar(&m.equal, "equal", false, "the first player gets the processor time that the second takes for its nodes")
	set.StringVar(&m.words, "go", "", "what programs are told after go, instead of nodes, as 'depth 60'")
	set.DurationVar(&m.clock.base, "clock", 0, "time on the clock of a program")
	set.DurationVar(&m.clock.inc, "inc", 0, "increment of the clock for each move")
	set.DurationVar(&m.clock.byoyomi, "byoyomi", 0, "time of each move after the clock is used up")
	set.IntVar(&m.random, "random", 8, "random plies before a game; each opening is played twice, with sides exchanged")
	within := set.Int("within", 0,
		"greatest value of an opening by a search with the hand-written evaluation, in `centipawns` (0 = as the game needs)")
	set.Uint64Var(&m.seed, "seed", 1, "seed of the random plies")
	set.IntVar(&m.games, "n", 400, "games, an even number")
	set.IntVar(&m.workers, "workers", 1, "games played at a time; the results do not depend on it")
	set.BoolVar(&m.verbose, "v", false, "print each game")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() != 2 {
		return fmt.Errorf("%d players, want 2; `none` is the hand-written evaluation", set.NArg())
	}
	if m.subject, err = selfplay.Subject(subjects, *game); err != nil {
		return err
	}
	if m.nodes[1] == 0 {
		m.nodes[1] = m.nodes[0]
	}
	if *within != 0 {
		m.within = *within
	}
	m.names = [2]string(set.Args())
	switch {
	case m.workers < 1 || m.nodes[0] < 1:
		return errors.New("-workers and -nodes must be at least 1")
	case m.random < 0 || *within < 0 || m.time < 0 || m.clock.base < 0 || m.clock.inc < 0 || m.clock.byoyomi < 0:
		return errors.New("-random, -within, -time, -clock, -inc and -byoyomi must not be negative")
	case m.games < 2 || m.games%2 != 0:
		return errors.New("-n must be even and at least 2")
	}
	return m.check(*game)
}

// playMatch is the command.
func playMatch(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) (err error) {
	var m match
	if err := m.parse(set, args); err != nil {
		return err
	}
	m.free = make(chan [2]*side, m.workers)
	opened := 0
	defer func() {
		for range opened { // a worker that still plays ends soon, and frees its players
			for _, s := range <-m.free {
				err = errors.Join(err, s.Close())
			}
		}
	}()
	for range m.workers {
		pair, err := m.openBoth(ctx)
		if err != nil {
			return err
		}
		opened++
		m.free <- pair
	}
	var all tally
	err = selfplay.InOrder(ctx, 0, m.workers, tableMiB, m.pair, func(i int, r pairResult) (bool, error) {
		all.add(r)
		if m.verbose {
			fmt.Fprintf(out, "game %d: %s\ngame %d: %s\n", 2*i+1, r.games[0], 2*i+2, r.games[1])
		}
		if all.pairs%50 == 0 {
			all.print(out, m.names[0])
		}
		return i+1 < m.games/2, nil
	})
	if all.pairs > 0 {
		all.print(out, m.names[0])
		for i, name := range m.names {
			fmt.Fprintf(out, "%s: %v\n", name, all.accounts[i])
		}
	}
	if ctx.Err() != nil {
		fmt.Fprintln(out, "stopped")
		return nil
	}
	return err
}

// check returns an error if the limits or the game are not for the players.
func (m *match) check(game string) error {
	limits := 0
	for _, given := range []bool{m.time > 0, m.equal, m.words != "", m.clock != clock{}} {
		if given {
			limits++
		}
	}
	if limits > 1 {
		return errors.New("only one of -time, -equal, -go and -clock can be given")
	}
	if !isNet(m.names[0]) || !isNet(m.names[1]) {
		m.ends = m.ends.PlayedOut()
		m.ends.Longest = mostPlies
	}
	for _, name := range m.names {
		switch {
		case ofUltimate(name) && game != "ultimate":
			return fmt.Errorf("%s plays only -game ultimate", name)
		case !isProgram(name) && (m.words != "" || m.clock != clock{}):
			return fmt.Errorf("-go and -clock are for programs, not for %s", name)
		}
	}
	return nil
}

// openBoth starts the players of a worker.
func (m *match) openBoth(ctx context.Context) (pair [2]*side, err error) {
	for i := range pair {
		p, err := m.open(ctx, i)
		if err != nil {
			if i == 1 {
				err = errors.Join(err, pair[0].Close())
			}
			return pair, err
		}
		pair[i] = &side{player: p}
	}
	return pair, nil
}

// pairResult is the outcome of two games from one opening in which each player begins once.
type pairResult struct {
	half     [2]int // half points of the first player
	games    [2]string
	accounts [2]account
}

// pair plays the two games of opening i. The referee values the opening.
func (m *match) pair(ctx context.Context, referee *selfplay.Player, i int) (r pairResult, err error) {
	// The openings are chosen by the hand-written evaluation, so that all matches with a seed have the same.
	rng := rand.New(rand.NewPCG(m.seed, uint64(i)))
	opening, err := referee.Balanced(ctx, selfplay.Hard(openingNodes), m.within, func() (selfplay.Board, error) {
		return m.opening(rng, false, m.random)
	})
	if err != nil {
		return r, err
	}
	sides := <-m.free
	defer func() { m.free <- sides }()
	before := [2]account{sides[0].account, sides[1].account}
	for first := range 2 {
		if r.half[first], r.games[first], err = m.game(ctx, sides, opening.Copy(), first); err != nil {
			return r, err
		}
	}
	for i, s := range sides {
		r.accounts[i] = account{s.moves - before[i].moves, s.nodes - before[i].nodes, s.account.time - before[i].time}
	}
	return r, nil
}

// game plays a game in which a side begins, and returns the half points of side 0 and the game as text.
func (m *match) game(ctx context.Context, sides [2]*side, pos selfplay.Board, first int) (int, string, error) {
	for _, s := range sides {
		if err := s.NewGame(ctx); err != nil {
			return 0, "", err
		}
	}
	at := moment{Board: pos, setup: pos.Setup()}
	left := [2]time.Duration{m.clock.base, m.clock.base}
	half, err := selfplay.Play(pos, m.random, m.ends, func(pos selfplay.Board) (selfplay.Line, error) {
		mover := pos.Side()
		l := m.limit(sides, mover^first, mover, left)
		start := time.Now()
		line, err := sides[mover^first].search(ctx, &at, l)
		left[mover] = max(0, left[mover]+m.clock.inc-time.Since(start))
		if err == nil {
			at.moves = append(at.moves, pos.Text(line.Move))
		}
		return line, err
	})
	played := strings.Join(append([]string{at.setup, "moves"}, at.moves...), " ")
	if lost, ok := errors.AsType[lostError](err); ok {
		half, err = 2*pos.Side(), nil // the side to move loses
		played += " (" + lost.why + ")"
	}
	if first == 1 {
		half = 2 - half
	}
	points := [...]string{"0", "1/2", "1"}[half]
	return half, fmt.Sprintf("%s begins, %s for %s: %s", m.names[first], points, m.names[0], played), err
}

// limit returns the limit of the next move of a player, who is the side to move; left are the clocks.
func (m *match) limit(sides [2]*side, number, mover int, left [2]time.Duration) limit {
	switch s, second := sides[number], sides[1]; {
	case m.clock != clock{}:
		return limit{words: m.clock.words(m.protocol, left), time: left[mover] + m.clock.inc + m.clock.byoyomi}
	case m.words != "":
		return limit{words: m.words}
	case m.time > 0:
		return s.within(m.time)
	case m.equal && number == 0 && second.moves > 0:
		return s.within(second.account.time / time.Duration(second.moves))
	}
	return limit{nodes: m.nodes[number]}
}

// words returns what follows go, for the time left without this move's increment, which the clocks of UCI include.
func (c clock) words(protocol string, left [2]time.Duration) string {
	first, second := "b", "w"
	if protocol == "uci" {
		first, second = "w", "b"
		left[0], left[1] = left[0]+c.inc, left[1]+c.inc
	}
	text := fmt.Sprintf("%stime %d %stime %d", first, left[0].Milliseconds(), second, left[1].Milliseconds())
	if c.inc > 0 {
		text += fmt.Sprintf(" binc %d winc %[1]d", c.inc.Milliseconds())
	}
	if c.byoyomi > 0 {
		text += fmt.Sprintf(" byoyomi %d", c.byoyomi.Milliseconds())
	}
	return text
}

// tally is the outcome of a match so far, for the first player.
type tally struct {
	lost, drawn, won int
	pairs            int
	sum, squares     float64 // of the share of the points in a pair
	accounts         [2]account
}

func (t *tally) add(r pairResult) {
	for _, half := range r.half {
		*[...]*int{&t.lost, &t.drawn, &t.won}[half]++
	}
	share := float64(r.half[0]+r.half[1]) / 4
	t.pairs, t.sum, t.squares = t.pairs+1, t.sum+share, t.squares+share*share
	for i := range t.accounts {
		t.accounts[i].add(r.accounts[i])
	}
}

// print prints the score of the first player with an interval of 95 %, by the variance of the pairs.
func (t *tally) print(out io.Writer, name string) {
	n := float64(t.pairs)
	mean := t.sum / n
	half := 1.96 * math.Sqrt(max(t.squares/n-mean*mean, 0)/n)
	fmt.Fprintf(out, "%s: +%d =%d -%d, %.1f %%, Elo %s [%s, %s]\n", name, t.won, t.drawn, t.lost, 100*mean,
		elo(mean), elo(mean-half), elo(mean+half))
}

// elo is the difference in Elo that a share of the points stands for.
func elo(share float64) string {
	if share <= 0 || share >= 1 {
		return fmt.Sprintf("%+.0f", math.Copysign(math.Inf(1), share-0.5))
	}
	return fmt.Sprintf("%+.0f", 400*math.Log10(share/(1-share)))
}
