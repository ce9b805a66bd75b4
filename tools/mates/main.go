// Command mates fits the initial proof numbers of the searches for mates in chess and shogi, and of
// Ultimate Tic-Tac-Toe.
//
// Gather searches the position at the beginning of each line. If -easy nodes do not decide it, it picks at random
// -most of the positions that a search of -nodes meets, in chess an eighth for each number of moves left, and searches
// each separately, with an empty table and -each nodes; the sample is the result and the number of nodes.
//
// Fit makes two models for each side to move: logistic regression on the decided positions gives z, the logit of the
// probability that the attacker succeeds; least squares give w, the logarithm of the number of nodes. A proof number
// should be the work divided by the probability, damped because both are uncertain:
//
//	ln φ = 3.5 − 0.35 z + 0.3 (w − 4)    ln δ = 3.5 + 0.35 z + 0.3 (w − 4)
//
// for the attacker; for the defender they are exchanged. Ultimate Tic-Tac-Toe has 4.5, 0.42 and 0.38
// (subject.go).
//
// docs/tuning.md gives the commands that made the numbers in use.
package main

import "trefoil/tools/internal/program"

func main() { program.Main("mates", run) }

var run = program.Commands("mates",
	program.Command{Form: "gather -o FILE [flags] POSITIONS...", Help: "solve positions that searches visit", Run: gather},
	program.Command{Form: "fit [flags] FILE...", Help: "fit the initial proof numbers to them", Run: fit},
)
