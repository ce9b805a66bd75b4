package main

import (
	"math/rand/v2"

	"trefoil/tools/internal/selfplay"
)

// sums is how many sums an evaluation has at most that are linear in the weights.
// Each has two halves; the first sum is the score of all terms.
const sums = 4

// pairs are the halves of the sums.
type pairs [sums][2]int

// subject is a game whose evaluation is tuned.
type subject interface {
	// name is the game, file where its weights are, in the project's root.
	name() string
	file() string
	// opening is where game i of a plan begins.
	opening(rng *rand.Rand, p plan, i int) (selfplay.Board, error)
	// ends returns the limits by which games are adjudicated.
	ends() ends

	// weights returns a pointer to a copy of the weights in play, blank to weights
	// that are all zero.
	weights() any
	blank() any
	// evaluator makes an evaluation by weights that w points to.
	evaluator(w any) evaluator
	// limit is how often a weight can be taken for one side more than for the other, at most 127. trace finds
	// errors here.
	limit(weight string) int
	// halfRange is the number of values that a half of a score can have.
	halfRange() int
	// split takes a score apart, join makes one.
	split(score int64) (first, second int)
	join(first, second int) int64
	// settle moves what tables have in common to where it belongs.
	settle(w any)

	// parse reads a position without a check.
	parse(setup string) (any, error)
	// combine is the last steps of the evaluation again, in real numbers: the value
	// for the first player, and how it depends on the halves of the sums. Tests hold
	// the two together.
	combine(p *position, halves *[2][sums]float64) (v float64, d derivative)
}

// evaluator is an evaluation of positions that parse has read.
type evaluator interface {
	// sums are the evaluation as far as it is linear in the weights, for the first
	// player.
	sums(pos any) pairs
	// look returns what the fit needs to know besides the terms; ok is false if there
	// is nothing to fit.
	look(pos any, p *position) (ok bool)
}

// subjects are the games by name.
var subjects = map[string]subject{"chess": chessSubject{}, "shogi": shogiSubject{}}

// ends are the limits by which games are adjudicated and positions are kept.
type ends struct {
	selfplay.Ends
	// decided is the value beyond which positions are not kept, unquiet the
	// centipawns that captures may change.
	decided, unquiet int
}
