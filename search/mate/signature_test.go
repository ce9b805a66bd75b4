package mate

import (
	"context"
	"fmt"
	"testing"

	"trefoil/internal/golden"
)

const signatureHead = `# What TestSignature finds, with one thread and an empty table: problem, kind of search, moves to the mate
# (negative: of the opponent; shortest if that is known), nodes, within how many moves the two sides have none.
# go test ./search/mate -run Signature -update writes this file.
`

// TestSignature: searches take the nodes that they took when the file was written.
func TestSignature(t *testing.T) {
	var lines []string
	find := func(name, kind string, p Problem, limits Limits) {
		answers := 0
		a, err := finder(t, 1, 1).Find(context.Background(), p, limits, func(Answer) { answers++ })
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s, %s: %d, shortest %v, %d plies, %d nodes, none in %v, %d answers",
			name, kind, a.signed(), a.Shortest, len(a.Line), a.Nodes, a.Failed, answers))
	}
	for _, c := range positions {
		p, _ := problem(t, c.fen, c.most)
		find(c.name, "thorough", p, Limits{Thorough: true, Nodes: 20_000})
		find(c.name, "quick", p, Limits{Nodes: 3000})
		p.Alone = true
		find(c.name, "alone", p, Limits{Nodes: 20_000})
	}
	for _, c := range problems {
		p, _ := tsume(t, c.sfen, Endless)
		find(c.name, "endless", p, Limits{Nodes: 20_000})
		p.Moves = 30
		find(c.name, "30 moves", p, Limits{Nodes: 5000})
	}
	golden.Lines(t, *update, "testdata/signature.txt", signatureHead, lines)
}
