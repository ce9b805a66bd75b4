package jobproof

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"trefoil/game"
	"trefoil/search/proof"
	"trefoil/zobrist"
)

// toy is a game on a random graph without cycles. A problem is the seed of the graph. Positions have
// numbers, moves lead to greater ones, and the last ones are won by X or by O, or drawn.
type toy struct{}

// toyGraph is the graph of one seed.
type toyGraph struct {
	seed  int
	moves [][]int // of each position
	final []int   // of a position without moves: 1 if X has won, -1 if O has, 0 if drawn
}

const toySize = 60

func newToyGraph(seed int) *toyGraph {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	g := &toyGraph{seed: seed, moves: make([][]int, toySize), final: make([]int, toySize)}
	for i := range g.moves {
		g.final[i] = r.IntN(3) - 1
		if i > toySize*3/4 {
			continue
		}
		for range 1 + r.IntN(4) {
			if to := i + 1 + r.IntN(min(12, toySize-i-1)); !slices.Contains(g.moves[i], to) {
				g.moves[i] = append(g.moves[i], to)
			}
		}
	}
	return g
}

// value is the value of a position for X, with a side to move, by minimax.
func (g *toyGraph) value(at, side int) int {
	if len(g.moves[at]) == 0 {
		return g.final[at]
	}
	best := -2
	sign := 1 - 2*side
	for _, to := range g.moves[at] {
		best = max(best, sign*g.value(to, 1-side))
	}
	return sign * best
}

func (toy) Name() string { return "toy" }

func (toy) Convention() string { return "a draw fails the attacker" }

func (toy) Samples() []string { return []string{"1", "2", "3"} }

func (toy) Problem(position string) (Problem, error) {
	return Problem{Goals: []string{"X " + position, "O " + position}, Values: []string{"win", "loss", "draw"}}, nil
}

func (toy) Goal(text string) (func() Goal, error) {
	name, digits, _ := strings.Cut(text, " ")
	seed, err := strconv.Atoi(digits)
	if err != nil {
		return nil, err
	}
	graph := newToyGraph(seed)
	return func() Goal {
		return &toyGoal{graph: graph, attacker: strings.Index("XO", name), path: []int{0}}
	}, nil
}

// toyGoal is that a side wins a toy.
type toyGoal struct {
	graph    *toyGraph
	attacker int
	path     []int
}

func (g *toyGoal) at() int         { return g.path[len(g.path)-1] }
func (g *toyGoal) side() int       { return (len(g.path) - 1) % 2 }
func (g *toyGoal) Attacking() bool { return g.side() == g.attacker }
func (g *toyGoal) Key() uint64     { return zobrist.Mix(uint64(g.at()*4 + g.side()*2 + g.attacker + 1)) }

func (g *toyGoal) Evaluate(c *proof.Child) {
	at := g.at()
	c.Key = g.Key()
	switch c.Phi, c.Delta = 1, uint32(1+at%3); {
	case len(g.graph.moves[at]) > 0:
	case (g.graph.final[at] == 1-2*g.attacker) == g.Attacking():
		c.Win()
	default:
		c.Lose()
	}
}

func (g *toyGoal) Expand(to []proof.Child, _ proof.Prefetcher) []proof.Child {
	for _, next := range g.graph.moves[g.at()] {
		c := proof.Child{Move: game.Move(next)}
		g.Make(c.Move)
		g.Evaluate(&c)
		g.Undo()
		to = append(to, c)
	}
	return to
}

func (g *toyGoal) Make(m game.Move)              { g.path = append(g.path, int(m)) }
func (g *toyGoal) Undo()                         { g.path = g.path[:len(g.path)-1] }
func (g *toyGoal) Move16(m game.Move) uint16     { return uint16(m) }
func (g *toyGoal) FromMove16(m uint16) game.Move { return game.Move(m) }
func (g *toyGoal) Text(m game.Move) string       { return fmt.Sprint(uint32(m)) }

// truth returns the final numbers of the goal.
func (g *toyGoal) truth() (phi, delta uint32) {
	if g.graph.value(g.at(), g.side()) == 1-2*g.attacker {
		return 0, proof.Infinity
	}
	return proof.Infinity, 0
}

// toyWorker answers jobs: one in solves of the positions it solves, and for others it knows some of the children.
type toyWorker struct {
	name   string
	random *rand.Rand
	solves int
	lies   bool
}

func (w *toyWorker) run(job Job) Result {
	r := Result{Job: job, Worker: w.name, Nodes: uint64(1 + w.random.IntN(100))}
	newGoal, err := toy{}.Goal(job.Goal)
	if err != nil {
		panic(err)
	}
	g := newGoal()
	if err := play(g, job.Moves); err != nil {
		panic(err)
	}
	r.Phi, r.Delta = w.numbers(g.(*toyGoal))
	if r.Outcome() != proof.Unknown {
		return r
	}
	for _, c := range g.Expand(nil, none{}) {
		g.Make(c.Move)
		child := Child{Move: g.Text(c.Move), Nodes: uint64(w.random.IntN(50))}
		child.Phi, child.Delta = w.numbers(g.(*toyGoal))
		g.Undo()
		if w.random.IntN(4) > 0 {
			r.Children = append(r.Children, child)
		}
	}
	return r
}

// numbers returns the truth of a goal, or with one chance in two of a liar the contrary, or numbers that
// decide nothing.
func (w *toyWorker) numbers(g *toyGoal) (phi, delta uint32) {
	if w.random.IntN(w.solves) > 0 {
		return uint32(1 + w.random.IntN(9)), uint32(1 + w.random.IntN(9))
	}
	phi, delta = g.truth()
	if w.lies && w.random.IntN(2) > 0 {
		return delta, phi
	}
	return phi, delta
}
