package proof_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"trefoil/game/gametest"
	"trefoil/game/ultimate"
	"trefoil/internal/filetest"
	"trefoil/internal/golden"
	"trefoil/internal/newtable"
	"trefoil/search/proof"
)

const signatureHead = `# What TestSignature finds, with one thread and an empty table: position of positions.txt, nodes, and for each
# of the two goals, that the side to move wins and that its opponent does: result, proof and disproof number, move and nodes;
# the first goal by two and three workers, that take turns of 50 positions.
# go test ./search/proof -run Signature -update writes this file.
`

// TestSignature: searches take the nodes that they took when the file was written, whether they end by a proof or
// by a limit.
func TestSignature(t *testing.T) {
	var lines []string
	for i, line := range filetest.Lines(t, positionsFile) {
		n := i + 1
		if n%2 != 0 {
			continue
		}
		p := gametest.Ultimate(t, strings.Fields(line)[2])
		for _, limit := range []uint64{500, 20_000} {
			tt := newtable.Window(t, 1)
			s := proof.New(tt, proof.Options{Threads: 1})
			d, err := s.Decide(context.Background(), goal(p, p.Side()), goal(p, p.Side().Other()),
				proof.Limits{Nodes: limit})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, fmt.Sprintf("%d, at most %d: %d nodes, known %v; %s; %s", n, limit,
				d.Nodes(), d.Known, describe(d.Wins), describe(d.Loses)))
			_ = tt.Close()
		}
		lines = append(lines, inTurns(t, fmt.Sprint(n), p)...)
	}
	lines = append(lines, inTurns(t, "hard", gametest.Ultimate(t, hard))...)
	golden.Lines(t, *update, "testdata/signature.txt", signatureHead, lines)
}

// inTurns describes searches by two and three workers.
func inTurns(t *testing.T, name string, p ultimate.Position) (lines []string) {
	for workers := 2; workers <= 3; workers++ {
		tt := newtable.Window(t, 1)
		s := proof.New(tt, proof.Options{Threads: workers})
		lines = append(lines,
			fmt.Sprintf("%s, %d workers: %s", name, workers, describe(s.ProveInTurns(goal(p, p.Side()), 50))))
		_ = tt.Close()
	}
	return lines
}

func describe(a proof.Answer) string {
	return fmt.Sprintf("%v %d %d %d %d", a.Result, a.Phi, a.Delta, a.Move, a.Nodes)
}
