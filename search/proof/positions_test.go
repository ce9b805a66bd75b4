package proof_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/ultimate/ultimatetest"
	"trefoil/internal/filetest"
	"trefoil/internal/newtable"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

var update = flag.Bool("update", false, "write testdata/positions.txt again")

// positionsFile has lines of value, nodes of minimax and position.
const positionsFile = "testdata/positions.txt"

const positionsHeader = `# Positions of random games: value for the side to move (W, D or L), nodes that minimax visits, position.
# The values are those of minimax, an alpha-beta search by the rules alone, without table or proof search.
# go test ./search/proof -run TestPositions -update writes this file.
`

// minimaxBudget is the most nodes of minimax in a position of the file.
const minimaxBudget = 20_000_000

// writePositions writes the file: 13 wins, 13 losses and 14 draws.
func writePositions(t *testing.T) {
	t.Helper()
	r := rand.New(rand.NewPCG(14, 3))
	wanted := map[string]int{"W": 13, "D": 14, "L": 13}
	var out strings.Builder
	out.WriteString(positionsHeader)
	for wanted["W"]+wanted["D"]+wanted["L"] > 0 {
		p, value := late(r, minimaxBudget)
		if wanted[value] == 0 {
			continue
		}
		wanted[value]--
		_, left := ultimatetest.Within(minimaxBudget, p)
		fmt.Fprintf(&out, "%s %d %s\n", value, minimaxBudget-left, p)
	}
	filetest.Write(t, positionsFile, out.String())
}

// TestPositions: proof search finds the values of the file with any number of workers, over a small
// table that keeps the entries of all positions, and over a large one. minimax confirms the values
// that it finds within 3 million nodes, with -long all.
func TestPositions(t *testing.T) {
	if *update {
		writePositions(t)
	}
	solvers := []*proof.Solver{
		proof.New(newtable.Window(t, 1), proof.Options{Threads: 1}),
		proof.New(newtable.Window(t, 1), proof.Options{Threads: 3}),
		proof.New(newtable.Window(t, 64), proof.Options{Threads: 1}),
	}
	seen := map[string]int{}
	for _, line := range filetest.Lines(t, positionsFile) {
		var want, text string
		var nodes int
		if _, err := fmt.Sscan(line, &want, &nodes, &text); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		seen[want]++
		p := gametest.Ultimate(t, text)
		for i, s := range solvers {
			if got := value(t, s, p); got != want {
				t.Errorf("%s: solver %d finds %s, want %s", text, i, got, want)
			}
		}
		if nodes <= 3_000_000 || *long {
			if v, left := ultimatetest.Within(nodes, p); left != 0 || "LDW"[v+1:v+2] != want {
				t.Errorf("%s: minimax finds %d with %d nodes left of %d, want %s", text, v, left, nodes, want)
			}
		}
	}
	t.Log(seen)
	if len(seen) < 3 {
		t.Errorf("values %v, want wins, draws and losses", seen)
	}
}

// TestLossFirst: the order of the two proofs changes neither the value nor whether the move keeps it. Lost positions
// take fewer nodes with the proof of the loss first.
func TestLossFirst(t *testing.T) {
	var both, loss uint64 // nodes in lost positions
	for _, line := range filetest.Lines(t, positionsFile) {
		words := strings.Fields(line)
		p := gametest.Ultimate(t, words[2])
		wins, loses := goal(p, p.Side()), goal(p, p.Side().Other())
		s := proof.New(newtable.Window(t, 1), proof.Options{Threads: 1})
		d, err := s.DecideLossFirst(context.Background(), wins, loses, proof.Limits{})
		if err != nil || !d.Known || "LDW"[d.Outcome+1:d.Outcome+2] != words[0] {
			t.Errorf("%s: %+v, %v, want %s", p, d, err, words[0])
			continue
		}
		after := p.Play(ultimategoal.Unpack(d.Move()))
		if _, _, over := after.Over(); !over && "WDL"[d.Outcome+1:d.Outcome+2] != value(t, s, after) {
			t.Errorf("%s: %s loses the value %s", p, ultimategoal.Text([]game.Move{d.Move()}), words[0])
		}
		if d.Outcome == game.Loss {
			e, _ := proof.New(newtable.Window(t, 1), proof.Options{Threads: 1}).Decide(context.Background(), wins, loses,
				proof.Limits{})
			both, loss = both+e.Nodes(), loss+d.Nodes()
		}
	}
	if loss == 0 || loss >= both {
		t.Errorf("%d nodes with the loss first, %d with the win first", loss, both)
	}
}
