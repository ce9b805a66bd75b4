package ultimate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	rules "trefoil/game/ultimate"
	"trefoil/game/ultimate/ultimatetest"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/internal/container"
	"trefoil/internal/newtable"
	"trefoil/search/proof"
	"trefoil/window"
)

// TestAnalyze has positions of random games with at most nine empty cells. The values of all moves are the
// values of minimax, the best move comes first, and the value of the position is its value.
func TestAnalyze(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 18))
	var in strings.Builder
	var positions []rules.Position
	for len(positions) < 60 {
		p := rules.Start()
		for p.Left() > 9 && len(p.Moves(nil)) > 0 {
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
		if _, _, over := p.Over(); !over {
			positions = append(positions, p)
			in.WriteString(p.String() + "\n")
		}
	}
	var out, errs strings.Builder
	c := &solveCommand{Threads: 1, Hash: 1, Analyze: true}
	if err := c.Run(context.Background(),
		&cli.Console{In: strings.NewReader(in.String()), Out: &out, Err: &errs}); err != nil {
		t.Fatal(err, errs.String())
	}
	names := [...]string{"loss", "draw", "win"}
	lines := strings.Split(out.String(), "\n")
	for i, p := range positions {
		if want := names[ultimatetest.Minimax(p)+1]; !strings.HasPrefix(lines[0], fmt.Sprintf("%d\t%v\t%s\t", i+1, p, want)) {
			t.Fatalf("%v: %q, want %s", p, lines[0], want)
		}
		lines = lines[1:]
		before := 1
		for range p.Moves(nil) {
			fields := strings.Split(lines[0], "\t")
			if len(fields) != 5 || fields[0]+fields[1] != "" {
				t.Fatalf("%q", lines[0])
			}
			m, err := p.ParseMove(fields[2])
			if err != nil {
				t.Fatal(err)
			}
			value := -ultimatetest.Minimax(p.Play(m))
			if fields[3] != names[value+1] || value > before || !strings.HasPrefix(fields[4], fields[2]) {
				t.Fatalf("%v: %q, want %s and at most %d", p, lines[0], names[value+1], before)
			}
			lines, before = lines[1:], value
		}
	}
	if !strings.HasPrefix(lines[0], "# 60 solved, 0 unknown, 0 wrong") {
		t.Error(lines[0])
	}
}

// TestGenerations: each position that takes a search begins a generation of the table, with --analyze, too.
func TestGenerations(t *testing.T) {
	in := strings.Join([]string{benchSetups[1], benchSetups[5], benchSetups[11]}, "\n")
	for _, analyze := range []bool{false, true} {
		file := filepath.Join(t.TempDir(), "table")
		var out, errs strings.Builder
		c := &solveCommand{Threads: 1, Hash: 1, Analyze: analyze, Save: file}
		if err := c.Run(context.Background(),
			&cli.Console{In: strings.NewReader(in), Out: &out, Err: &errs}); err != nil {
			t.Fatal(err, errs.String())
		}
		h, err := window.Inspect(context.Background(), container.File(file))
		if err != nil || h.Generation != 3 {
			t.Errorf("analyze %v: generation %d, %v", analyze, h.Generation, err)
		}
	}
}

// TestNumbers: a move whose loss is disproved shows how far the proof of its win is.
func TestNumbers(t *testing.T) {
	m := rootMove{d: proof.Decision{Wins: proof.Answer{Phi: 1, Delta: 2}, Loses: proof.Answer{Phi: 3, Delta: 4}}}
	if got := m.numbers(); got != "loss? φ 1 δ 2" {
		t.Error(got)
	}
	m.d.Wins.Result = proof.Disproved
	if got := m.numbers(); got != "win? φ 3 δ 4" {
		t.Error(got)
	}
}

// TestNoTime: a move that the time was too short for has the numbers with which its proof begins. None is 0, which
// stands for a result.
func TestNoTime(t *testing.T) {
	table := newtable.Window(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &lineSolver{solveCommand: new(solveCommand), solver: proof.New(table, proof.Options{Threads: 1})}
	found := s.analyze(ctx, rules.Start())
	if len(found.Moves) != 81 {
		t.Errorf("%d moves", len(found.Moves))
	}
	for _, m := range found.Moves {
		var phi, delta uint32
		_, err := fmt.Sscanf(m.Proof, "loss? φ %d δ %d", &phi, &delta)
		if err != nil || phi == 0 || delta == 0 || m.Value != "loss..win" {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

// TestText: an answer has milliseconds.
func TestText(t *testing.T) {
	s := solved{Value: "win", Nodes: 7, Seconds: 2, PV: "ee", position: "startpos"}
	if got := s.Text(batch.Line{Line: 3}); got != "3\tstartpos\twin\t7\t2000\tee" {
		t.Errorf("%q", got)
	}
}
