// Package jobproof proves one hard position with many workers by job-level proof-number search (Wu, Lin, Sun,
// Chen, Lin, "Job-level proof number search", 2013). It has no network: the caller carries jobs and results, which
// are text, between a coordinator and its workers.
//
//	coordinator                                           workers
//	  Tree.Next    the most-proving leaf    ── Job ──▶    Worker.Run: df-pn within a budget of nodes,
//	  Tree.Apply   numbers for the leaf   ◀─ Result ──    over the worker's own table
//
// # Search
//
// The tree has proof and disproof numbers, computed as package proof does. A job is one search of a leaf,
// by a budget of nodes. It proves the leaf, disproves it, or returns numbers for it and for the positions
// after each move, which then become leaves. A leaf with a job counts as worse at all positions on the way
// to it (virtual loss), so that the next job is found elsewhere.
//
// # Merging
//
// A position and its goal have one node, by the key of the goal, on however many ways it is reached. Where
// a result may depend on the path (proof.PathGoal) the key is the key of the path. Jobs therefore name the
// position of the problem and the moves from there, and workers play these moves.
//
// # Results
//
// Every result is a statement about one position, kept beside the statements of other workers. The tree is
// a function of the set of all statements: their order does not matter, nor does it when one arrives twice,
// or for a position that is not in the tree yet. So a tree can be made again from a log of results.
//
// # Confirmation
//
// The tree lists moves by the rules; workers only give numbers. When the root is solved, each leaf that its
// proof rests on is searched a second time, by another worker or by the coordinator. If two workers
// contradict each other, the coordinator searches, and all that the liar has said is dropped. A position
// whose second search does not come to an end is searched as if it had not been solved. So one lying worker
// cannot decide a proof, and can delay it. Several that agree on the same lies can decide it.
//
// # Certification
//
// For a certificate (Options.Known) the second search also returns the moves that show the result. The
// coordinator checks them by the rules; if they show nothing, the worker is a liar. Where a worker says
// that there are too many moves, the coordinator searches. So all workers together cannot decide a proof.
package jobproof

import (
	"errors"
	"fmt"
	"strings"

	"trefoil/game"
	"trefoil/search/proof"
)

// Goal is a goal of proof search that can write its moves.
type Goal interface {
	proof.Goal
	Text(game.Move) string
}

// Game gives problems of one kind. Its methods may be called by several goroutines.
type Game interface {
	// Name is the name of the game in jobs, one word.
	Name() string
	// Convention says what the goals and keys of the game mean. Games with equal conventions have the same
	// goals and keys.
	Convention() string
	// Samples returns positions for Problem that, with positions after them, meet every rule of the game.
	Samples() []string
	// Problem returns the goals whose answers give the value of a position, which is text.
	Problem(position string) (Problem, error)
	// Goal returns a function that makes the goal with this text, a new one at each call.
	Goal(text string) (func() Goal, error)
}

// Problem is a list of goals of one position. Each is searched when those before it are disproved.
type Problem struct {
	Goals  []string // as Game.Goal reads them
	Values []string // the value of the position if that goal is proved; the last, if all are disproved
	Stated string   // the value that the text itself states, if it does
}

// Purpose is what a job is for.
type Purpose string

// The purposes. Search is for any worker, Confirm for any worker not in Job.Not, Judge for the coordinator
// itself.
const (
	Search  Purpose = "search"
	Confirm Purpose = "confirm"
	Judge   Purpose = "judge"
)

// Job is a position to search.
type Job struct {
	ID      string   `json:"id"` // the same for the same search
	Version string   `json:"version"`
	Game    string   `json:"game"`
	Goal    string   `json:"goal"`
	Moves   string   `json:"moves,omitempty"` // from the position of the goal, separated by spaces
	Nodes   uint64   `json:"nodes"`           // the budget; 0: none
	Least   uint64   `json:"least,omitempty"` // nodes before Phi and Delta count
	Phi     uint32   `json:"phi,omitempty"`   // the proof number of the goal that ends the search; 0: none
	Delta   uint32   `json:"delta,omitempty"` // the disproof number, likewise
	Purpose Purpose  `json:"purpose"`
	Not     []string `json:"not,omitempty"`     // workers that have solved the position already
	Certify bool     `json:"certify,omitempty"` // the result shall have the moves that show it
}

// Result is the answer to a job. Phi and Delta are the proof and the disproof number of the goal, whichever
// side is to move.
type Result struct {
	Job      Job     `json:"job"`
	Worker   string  `json:"worker"`
	Phi      uint32  `json:"phi"`   // 0: proved
	Delta    uint32  `json:"delta"` // 0: disproved
	Nodes    uint64  `json:"nodes"` // searched for this job
	Seconds  float64 `json:"seconds"`
	Children []Child `json:"children,omitempty"` // if the goal is neither proved nor disproved
	// Certified says that Entries has the moves that show the result (certificate.Proof.Entries), Mate
	// within how many moves somebody mates.
	Certified bool   `json:"certified,omitempty"`
	Mate      int    `json:"mate,omitempty"`
	Entries   []byte `json:"entries,omitempty"`
}

// Child is what a worker knows of the position after a move. Its numbers are also for the goal, whichever
// side is to move.
type Child struct {
	Move  string `json:"move"`
	Phi   uint32 `json:"phi"`
	Delta uint32 `json:"delta"`
	Nodes uint64 `json:"nodes"` // searched below it
}

// Outcome returns whether the goal is proved.
func (r *Result) Outcome() proof.Result { return outcome(r.Phi, r.Delta) }

func outcome(phi, delta uint32) proof.Result {
	switch {
	case phi == 0:
		return proof.Proved
	case delta == 0:
		return proof.Disproved
	}
	return proof.Unknown
}

// Errors of Apply. The tree is as it was, but the job has been released.
var (
	ErrVersion = errors.New("another version")
	ErrLiar    = errors.New("the worker has sent false results")
)

// checkNumbers refuses numbers that no search has.
func checkNumbers(phi, delta uint32) error {
	solved := phi == 0 && delta == proof.Infinity || delta == 0 && phi == proof.Infinity
	if open := phi > 0 && phi < proof.Infinity && delta > 0 && delta < proof.Infinity; !open && !solved {
		return fmt.Errorf("φ %d and δ %d cannot belong to one position", phi, delta)
	}
	return nil
}

// none is a Prefetcher that does nothing.
type none struct{}

func (none) Prefetch(uint64) {}

// play makes the moves of a job.
func play(g Goal, moves string) error {
	var children []proof.Child
	for i, word := range strings.Fields(moves) {
		children = g.Expand(children[:0], none{})
		found := false
		for _, c := range children {
			if found = g.Text(c.Move) == word; !found {
				continue
			}
			if c.Solved() {
				return fmt.Errorf("move %d: %.20q ends the game or decides it", i+1, word)
			}
			g.Make(c.Move)
			break
		}
		if !found {
			return fmt.Errorf("move %d: %.20q is not a move of the position", i+1, word)
		}
	}
	return nil
}

// keyOf returns the key of a goal, or the key of the path if results depend on it.
func keyOf(g proof.Goal) uint64 {
	if p, ok := g.(proof.PathGoal); ok {
		if key := p.PathKey(); key != 0 {
			return key
		}
	}
	return g.Key()
}
