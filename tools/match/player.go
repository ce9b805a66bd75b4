package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"trefoil/tools/internal/selfplay"
)

// A player chooses moves.
type player interface {
	NewGame(ctx context.Context) error
	// move searches a position within a limit, and returns its move and the nodes that it has searched.
	move(ctx context.Context, at *moment, l limit) (line selfplay.Line, nodes uint64, err error)
	// used is the processor time that the player has used so far.
	used() time.Duration
	Close() error
}

// A moment is the position of a game and what led to it.
type moment struct {
	selfplay.Board
	setup string   // the opening
	moves []string // since the opening
}

// A limit ends a search.
type limit struct {
	nodes uint64
	words string        // of go, instead of nodes
	time  time.Duration // after which the move is too late; 0 is none
	each  time.Duration // the processor time that nodes stand for; 0 is none
}

// lostError is the error of a player that loses the game.
type lostError struct{ why string }

func (e lostError) Error() string { return e.why }

// tableMiB is the size of the table of a searcher.
const tableMiB = 4

// searcher is the search of this repository with an evaluation, in this process.
type searcher struct {
	*selfplay.Player
	evaluation func(selfplay.Board) int // nil for the hand-written one
	spent      time.Duration
}

func (s *searcher) used() time.Duration { return s.spent }

func (s *searcher) move(ctx context.Context, at *moment, l limit) (selfplay.Line, uint64, error) {
	at.EvaluateBy(s.evaluation)
	start := time.Now()
	line, err := s.Best(ctx, at.Board, selfplay.Hard(l.nodes))
	s.spent += time.Since(start)
	return line, l.nodes, err
}

// none is the player that searches with the hand-written evaluation.
const none = "none"

// isNet reports whether a player is a searcher. A program may have an option that ends like the file of a net.
func isNet(name string) bool {
	last := name[strings.LastIndexByte(name, ' ')+1:]
	return name == none || strings.HasSuffix(last, ".net") && (last == name || !strings.Contains(last, "="))
}

// isProgram reports whether a player is a program over UCI or USI.
func isProgram(name string) bool { return !isNet(name) && !ofUltimate(name) }

// ofUltimate reports whether a player plays only Ultimate Tic-Tac-Toe.
func ofUltimate(name string) bool { return name == "uct" || strings.HasPrefix(name, "ultimattt:") }

// open starts player number of a match.
func (m *match) open(ctx context.Context, number int) (player, error) {
	switch name := m.names[number]; {
	case name == "uct":
		return &uct{rng: rand.New(rand.NewPCG(m.seed, uint64(number)))}, nil
	case ofUltimate(name):
		return newUltimattt(strings.TrimPrefix(name, "ultimattt:"))
	case isNet(name):
		s := new(searcher)
		var err error
		if name != none {
			if s.evaluation, err = m.evaluation(name); err != nil {
				return nil, err
			}
		}
		s.Player, err = selfplay.New(tableMiB)
		return s, err
	default:
		return newEngine(ctx, name, m.subject)
	}
}

// An account is how much a player has searched.
type account struct {
	moves int
	nodes uint64
	time  time.Duration
}

func (a *account) add(b account) {
	a.moves, a.nodes, a.time = a.moves+b.moves, a.nodes+b.nodes, a.time+b.time
}

func (a account) String() string {
	n, used := float64(max(a.moves, 1)), float64(a.time.Microseconds())
	return fmt.Sprintf("%d moves of %.0f nodes and %.1f ms, %.3f µs a node", a.moves, float64(a.nodes)/n, used/n/1000,
		used/float64(max(a.nodes, 1)))
}

// A side is a player in the games of a worker.
type side struct {
	player
	account
	recent []float64 // nodes a second of the latest moves
}

// search lets a side move.
func (s *side) search(ctx context.Context, at *moment, l limit) (selfplay.Line, error) {
	before := s.used()
	line, nodes, err := s.move(ctx, at, l)
	used := s.used() - before
	s.add(account{1, nodes, used})
	if l.each > 0 && used > l.each/4 { // not an answer that was known
		s.recent = append(s.recent, float64(nodes)/used.Seconds())
		s.recent = s.recent[max(len(s.recent)-100, 0):]
	}
	return line, err
}

// within returns a limit of the nodes that take that much processor time. Time that earlier moves have used in
// excess or saved is made up for, by at most a half.
func (s *side) within(each time.Duration) limit {
	speed := 300_000.0 // before it is known
	if n := len(s.recent); n > 0 {
		speed = 0
		for _, r := range s.recent {
			speed += r / float64(n)
		}
	}
	due := min(max(each*time.Duration(s.moves+1)-s.time, each/2), each*3/2)
	return limit{nodes: max(uint64(due.Seconds()*speed), 1), each: each}
}
