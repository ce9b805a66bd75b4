package exact

import (
	"context"
	"fmt"
	"testing"

	"trefoil/internal/golden"
)

const signatureHead = `# What TestSignature finds, with one thread and a table that is kept: solver, position of positions.txt, score
# with its bounds, and nodes; then the column of Move, that of Hint, and the best line.
# At the end two and three workers that take turns of 1,024 nodes: the bound that answers whether the score is at least
# that, and the nodes of each.
# go test ./search/exact -run Signature -update writes this file.
`

// TestSignature: searches take the nodes that they took when the file was written, whether they end by themselves
// or by a limit.
func TestSignature(t *testing.T) {
	var lines []string
	for _, c := range []struct {
		name    string
		options Options
		limits  Limits
		every   int
	}{
		{"best", Options{Hash: 1}, Limits{}, 2},
		{"weak", Options{Hash: 1, Weak: true}, Limits{}, 2},
		{"limited", Options{Hash: 1}, Limits{Nodes: 2000}, 1},
	} {
		s := newSolver(t, c.options)
		for i, q := range readProblems(t, positionsFile) {
			if i%c.every != 0 {
				continue
			}
			ctx := context.Background()
			r := s.Solve(ctx, q.p, c.limits, nil)
			line := fmt.Sprintf("%s %d: %d from %d to %d, %d nodes, hint %d", c.name, i, r.Score, r.Lower,
				r.Upper, r.Nodes, s.Hint(q.p))
			if q.p.Ply() >= 20 {
				line += fmt.Sprintf(", move %d, line %d", s.Move(ctx, q.p, r.Lower, c.limits),
					s.Line(ctx, q.p, c.limits))
			}
			lines = append(lines, line)
		}
	}
	for workers := 2; workers <= 3; workers++ {
		p := manyWorkers(t, workers)
		for i, q := range readProblems(t, positionsFile)[:8] {
			root := newNode(q.p)
			if root.resolve(p.workers[0].board) {
				continue
			}
			root.setKey(p.workers[0].board, false)
			for ask := q.score; ask <= q.score+1; ask++ {
				p.begin(unlimited(t))
				turn := root.question(int32(ask))
				bound := p.inTurns(t.Context(), root, turn)
				if atLeast := (bound >= turn) == root.sameMover; atLeast != (ask == q.score) {
					t.Errorf("%d workers, position %d: bound %d of %d, the score is %d", workers, i,
						bound, turn, q.score)
				}
				var nodes []uint64
				for _, w := range p.workers {
					nodes = append(nodes, w.count)
				}
				lines = append(lines,
					fmt.Sprintf("%d workers, %d, at least %d: bound %d, nodes %d", workers, i, ask, bound, nodes))
			}
		}
	}
	golden.Lines(t, *update, "testdata/signature.txt", signatureHead, lines)
}
