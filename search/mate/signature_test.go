package mate

import (
	"context"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"testing"

	"trefoil/internal/filetest"
	"trefoil/internal/golden"
)

const signatureHead = `# What TestSignature finds, with one thread and one small table for all problems of a game: problem, kind of
# search (crowded: in a table of a few slots, where parts of each proof are missing when it is replayed), moves to the mate (negative: of the opponent), whether that is the shortest, nodes, within how many moves the
# two sides have no mate, number of mates found on the way and a hash of their lines and nodes.
# go test ./search/mate -run Signature -update writes this file.
`

// harder are positions of chess that need longer searches than the list positions. Most of them end by a
// limit.
var harder = []struct {
	name, fen string
	most      int
}{
	{"king and queen", "8/8/8/4k3/8/8/2Q5/K7 w - - 0 1", 10},
	{"king and rook", "8/8/8/8/4k3/8/R7/4K3 w - - 0 1", 40},
	{"at a count of 90", "3B4/1p2KP2/1p4q1/1Pp5/2P1k3/N1Pp4/3P4/1N6 w - - 90 60", 8},
	{"a middle game", "r1bqkb1r/2p1np2/p1n1p2p/1p1p2p1/3PP3/2P2N1P/PPBN1PP1/R1BQ1RK1 w kq - 0 11", 250},
	{"an attack", "r1b2rk1/ppq2ppp/2n1p3/3pP1N1/3P4/3B4/PP3PPP/R2Q1RK1 w - - 0 13", 12},
	{"two bishops", "8/8/8/8/3k4/8/8/K2BB3 w - - 0 1", 20},
}

// TestSignature: searches take the nodes that they took when the file was written.
func TestSignature(t *testing.T) {
	var lines []string
	find := func(f *Finder, name, kind string, p Problem, limits Limits) {
		answers, h := 0, fnv.New32a()
		a, err := f.Find(context.Background(), p, limits, func(a Answer) {
			answers++
			fmt.Fprintln(h, a.signed(), a.Line, a.Nodes)
		})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s, %s: %d, %v, %d nodes, none in %v, %d %08x", name, kind, a.signed(),
			a.Shortest, a.Nodes, a.Failed, answers, h.Sum32()))
	}
	f, crowdedFinder := finder(t, 1, 1), finder(t, 1, 1)
	for _, c := range positions {
		p, _ := problem(t, c.fen, c.most)
		find(f, c.name, "thorough", p, Limits{Thorough: true, Nodes: 20_000})
		find(crowdedFinder, c.name, "crowded", crowd(p), Limits{Thorough: true, Nodes: 5000})
	}
	for _, c := range harder {
		p, _ := problem(t, c.fen, c.most)
		find(f, c.name, "thorough", p, Limits{Thorough: true, Nodes: 30_000})
		find(f, c.name, "quick", p, Limits{Nodes: 10_001})
		p.Alone = true
		find(f, c.name, "alone", p, Limits{Nodes: 30_000})
	}
	f, crowdedFinder = finder(t, 1, 1), finder(t, 1, 1)
	for _, c := range problems {
		p, _ := tsume(t, c.sfen, 30)
		find(f, c.name, "30 moves", p, Limits{Nodes: 5000})
	}
	for i, line := range filetest.Lines(t, tsumeFile) {
		n := i + 1
		sfen, rest, _ := strings.Cut(line, " | ")
		plies, _, _ := strings.Cut(rest, " | ")
		p, _ := tsume(t, sfen, Endless)
		name := fmt.Sprintf("tsume %d, %s", n, plies)
		find(f, name, "quick", p, Limits{Nodes: 10_000})
		find(crowdedFinder, name, "crowded", crowd(p), Limits{Nodes: 5000})
		if n%2 == 0 {
			find(f, name, "thorough", p, Limits{Thorough: true, Nodes: 20_000})
		}
		if length, err := strconv.Atoi(plies); err == nil {
			p.Moves = length/2 + 4
			find(f, name, "moves", p, Limits{Nodes: 10_000})
			find(crowdedFinder, name, "moves, crowded", crowd(p), Limits{Nodes: 5000})
		}
	}
	golden.Lines(t, *update, "testdata/signature.txt", signatureHead, lines)
}
