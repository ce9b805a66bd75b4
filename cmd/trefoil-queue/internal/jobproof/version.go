package jobproof

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"sync"
)

// meaning is the number of what Job and Result mean. It is raised when they mean something else, and when
// results of earlier builds are no longer to be trusted.
const meaning = 1

// versions are the versions of games, by Name and Convention.
var versions sync.Map

// Version returns the version of the jobs of a game, which their results must have too. It follows from
// the meaning of jobs and from the rules and keys of the game, so that all builds that agree on these have
// the same version.
func Version(g Game) string {
	name := fmt.Sprintf("proof jobs %d; %s; %s", meaning, g.Name(), g.Convention())
	if version, ok := versions.Load(name); ok {
		return version.(string)
	}
	version := fmt.Sprintf("%s; rules %016x", name, rules(g))
	versions.Store(name, version)
	return version
}

const (
	sampleGames = 4 // for each goal of Game.Samples
	samplePlies = 80
)

// rules returns a hash of what a game says about its samples and about positions after them: the moves, the
// keys, and what the rules decide. The order of moves and numbers of open positions do not count.
func rules(g Game) uint64 {
	h := fnv.New64a()
	for _, sample := range g.Samples() {
		problem, err := g.Problem(sample)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(h, problem)
		for _, text := range problem.Goals {
			newGoal, err := g.Goal(text)
			if err != nil {
				panic(err)
			}
			for i := range sampleGames {
				fmt.Fprintln(h, i)
				playSample(newGoal(), h)
			}
		}
	}
	return h.Sum64()
}

// playSample hashes a game, whose moves follow from the hash.
func playSample(g Goal, h interface {
	io.Writer
	Sum64() uint64
}) {
	for range samplePlies {
		var moves, open []string
		children := g.Expand(nil, none{})
		for _, c := range children {
			text := g.Text(c.Move)
			if c.Solved() {
				moves = append(moves, fmt.Sprint(text, " ", outcome(c.Phi, c.Delta)))
				continue
			}
			moves, open = append(moves, text), append(open, text)
		}
		slices.Sort(moves)
		slices.Sort(open)
		fmt.Fprintf(h, "%016x %v %s\n", keyOf(g), g.Attacking(), strings.Join(moves, ", "))
		if len(open) == 0 {
			return
		}
		text := open[h.Sum64()%uint64(len(open))]
		for _, c := range children {
			if !c.Solved() && g.Text(c.Move) == text {
				g.Make(c.Move)
				break
			}
		}
	}
}
