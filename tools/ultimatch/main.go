// Command ultimatch plays a match of Ultimate Tic-Tac-Toe at equal processor time:
//
//	go build -o trefoil . && go run ./tools/ultimatch ./trefoil uct
//
// A player is `uct`, a plain Monte Carlo tree search, or an engine with its options: "./trefoil Hash=64
// Ultimate_EvalFile=my.net". Each searches a number of nodes (playouts) that follows from the speed that it
// has had so far, so that both use the same processor time a move, and other load on the machine does not
// matter. With -playouts that time is what these playouts of uct take.
//
// "ultimattt:PATH" is the player of nelhage/ultimattt (https://github.com/nelhage/ultimattt). It is limited
// by -time, but ends the iteration that it has begun, and the other player gets the processor time that it
// takes. The nodes printed for it are microseconds of that limit.
//
// Every opening of random moves is played twice, with the sides exchanged.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"trefoil/game/ultimate"
	"trefoil/tools/internal/program"
)

func main() { program.Main("ultimatch", run) }

// player is one side of a match.
type player interface {
	newGame() error
	// move returns a move after those played since the start, by that many nodes.
	move(played []string, p ultimate.Position, nodes int) (string, error)
	// processor is the processor time that the player has used so far.
	processor() time.Duration
	close() error
}

// side is a player with its account.
type side struct {
	player
	name   string
	rate   float64 // nodes a second that it is given before its speed is known
	fixed  int     // nodes of every move; 0: as many as the time allows
	nodes  int     // of all moves
	moves  int
	used   time.Duration // by moves
	recent []float64     // speed of the latest moves
}

// match is what the flags say.
type match struct {
	sides    [2]*side
	each     time.Duration // processor time of a move
	playouts int
	plies    int // random, at the start of a game
	games    int
	seed     uint64
	out      io.Writer
	pairs    []float64 // points of the first player in two games
	wins     [3]int    // games that it has lost, drawn and won
}

// mostPlies is the limit of the random moves before a game: many games end soon after it.
const mostPlies = 60

const usage = "ultimatch [flags] PLAYER PLAYER"

func run(ctx context.Context, args []string, out, errs io.Writer) (err error) {
	m := match{out: out}
	set := program.Flags(usage, errs)
	set.DurationVar(&m.each, "time", 30*time.Millisecond, "processor time of a move")
	set.IntVar(&m.playouts, "playouts", 0,
		"playouts of each move of uct, whose processor time the other player gets; 0: by -time")
	set.IntVar(&m.plies, "random", 4, "random moves before a game")
	set.IntVar(&m.games, "games", 200, "games, an even number")
	set.Uint64Var(&m.seed, "seed", 1, "seed of the random moves and of uct")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case set.NArg() != 2:
		return fmt.Errorf("%d players, want 2\nusage: %s", set.NArg(), usage)
	case m.each <= 0 || m.playouts < 0 || m.plies < 0 || m.plies > mostPlies || m.games < 2 || m.games%2 != 0:
		return fmt.Errorf("-time must be more than 0, -playouts at least 0, -random from 0 to %d, -games even", mostPlies)
	}
	for i, name := range set.Args() {
		if m.sides[i], err = m.open(name, uint64(i)); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, m.sides[i].close()) }()
	}
	for i := 0; i < m.games/2 && ctx.Err() == nil; i++ {
		if err := m.pair(ctx, i); err != nil {
			return err
		}
	}
	m.print(true)
	return nil
}

// open starts a player.
func (m *match) open(name string, number uint64) (*side, error) {
	s := &side{name: name, rate: 500_000}
	words := strings.Fields(name)
	switch {
	case len(words) == 0:
		return nil, errors.New("a player without a name")
	case name == "uct":
		s.rate, s.fixed = 200_000, m.playouts
		s.player = &uct{rng: rand.New(rand.NewPCG(m.seed, number))}
		return s, nil
	}
	if path, ok := strings.CutPrefix(name, "ultimattt:"); ok {
		u, err := newUltimattt(path)
		s.player, s.fixed = u, int(m.each.Microseconds())
		return s, err
	}
	e, err := newEngine(words[0], words[1:])
	s.player = e
	return s, err
}

// opening returns the random moves of a pair of games. They end with a game that is not over.
func (m *match) opening(number int) (opening []ultimate.Move) {
	rng := rand.New(rand.NewPCG(m.seed, uint64(number)+2))
	for p := ultimate.Start(); ; {
		moves := p.Moves(nil)
		switch {
		case len(moves) == 0:
			p, opening = ultimate.Start(), opening[:0]
			continue
		case len(opening) == m.plies:
			return opening
		}
		next := moves[rng.IntN(len(moves))]
		p, opening = p.Play(next), append(opening, next)
	}
}

// pair plays two games from one opening. If the context ends before the second, the first does not count.
func (m *match) pair(ctx context.Context, number int) error {
	opening := m.opening(number)
	points, wins := 0.0, [3]int{}
	for first := range 2 {
		half, moves, err := m.game(opening, first)
		if err != nil {
			return err
		}
		points += float64(half) / 2
		wins[half]++
		fmt.Fprintf(m.out, "game %d, %s begins: %s for %s, %s\n", 2*number+first+1, m.sides[first].name,
			[...]string{"0", "1/2", "1"}[half], m.sides[0].name, strings.Join(moves, " "))
		if first == 0 && ctx.Err() != nil {
			return nil
		}
	}
	for half, n := range wins {
		m.wins[half] += n
	}
	m.pairs = append(m.pairs, points)
	if len(m.pairs)%10 == 0 {
		m.print(false)
	}
	return nil
}

// game plays a game in which a side begins, and returns the half points of side 0.
func (m *match) game(opening []ultimate.Move, first int) (half int, played []string, err error) {
	p := ultimate.Start()
	for _, move := range opening {
		p, played = p.Play(move), append(played, move.String())
	}
	for _, s := range m.sides {
		if err := s.newGame(); err != nil {
			return 0, nil, err
		}
	}
	for {
		winner, won, over := p.Over()
		switch {
		case won && int(winner) == first: // X is the side that begins, so X 0 is side 0 if that begins
			return 2, played, nil
		case won:
			return 0, played, nil
		case over:
			return 1, played, nil
		}
		s := m.sides[int(p.Side())^first]
		text, err := s.search(played, p, m.budget(s))
		if err != nil {
			return 0, nil, err
		}
		move, err := p.ParseMove(text)
		if err != nil {
			return 0, nil, fmt.Errorf("%s after %s: %w", s.name, strings.Join(played, " "), err)
		}
		p, played = p.Play(move), append(played, text)
	}
}

// budget is the processor time of the next move of a side.
func (m *match) budget(s *side) time.Duration {
	for _, other := range m.sides {
		if other != s && other.fixed > 0 && other.moves > 0 {
			return other.used / time.Duration(other.moves)
		}
	}
	return m.each
}

// search lets a side move within a processor time. Time that earlier moves have used in excess or saved is
// made up for, by at most a half.
func (s *side) search(played []string, p ultimate.Position, each time.Duration) (string, error) {
	nodes := s.fixed
	if nodes == 0 {
		due := min(max(each*time.Duration(s.moves+1)-s.used, each/2), each*3/2)
		nodes = max(int(due.Seconds()*s.speed()), 1)
	}
	before := s.processor()
	text, err := s.move(played, p, nodes)
	used := s.processor() - before
	s.used, s.moves, s.nodes = s.used+used, s.moves+1, s.nodes+nodes
	if used > each/4 { // not an answer that was known
		s.recent = append(s.recent, float64(nodes)/used.Seconds())
		s.recent = s.recent[max(len(s.recent)-100, 0):]
	}
	return text, err
}

// speed is the mean of the latest nodes a second.
func (s *side) speed() float64 {
	sum, n := s.rate, 1.0
	if len(s.recent) > 0 {
		sum, n = 0, 0
	}
	for _, r := range s.recent {
		sum, n = sum+r, n+1
	}
	return sum / n
}

// print prints the score of the first player, at the end with the time of both.
func (m *match) print(last bool) {
	if len(m.pairs) == 0 {
		return
	}
	sum, squares, n := 0.0, 0.0, float64(len(m.pairs))
	for _, p := range m.pairs {
		sum, squares = sum+p/2, squares+p*p/4
	}
	mean := sum / n
	interval := 1.96 * math.Sqrt(max(squares/n-mean*mean, 0)/n)
	fmt.Fprintf(m.out, "%s: %.1f %% ± %.1f of %d games (+%d =%d -%d)\n", m.sides[0].name, 100*mean, 100*interval,
		2*len(m.pairs), m.wins[2], m.wins[1], m.wins[0])
	if !last {
		return
	}
	for _, s := range m.sides {
		each := s.used.Seconds() / float64(max(s.moves, 1))
		fmt.Fprintf(m.out, "%s: %d moves, %.1f ms of processor time and %d nodes each\n", s.name, s.moves, 1000*each,
			s.nodes/max(s.moves, 1))
	}
}
