package tests

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"trefoil/engine"
	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/internal/filetest"
	"trefoil/search"
	"trefoil/search/mate"
)

var updateMates = flag.Bool("update-mates", false, "write testdata/mates.txt again")

// shortMates has lines of moves of the shortest mate within three, 0 if there is none, positions that
// mateWithin visits to find that, and FEN.
const shortMates = "testdata/mates.txt"

const shortMatesHeader = `# Positions of games that the engine played against itself after random moves, 500 nodes a move:
# moves of the shortest mate within three, 0 if there is none | positions that a plain search visits | FEN.
# The plain search is full-width, by the rules of notnil/chess alone, to 1, 2 and 3 moves.
# go test ./tests -run TestMateSet -update-mates writes this file.
`

// selfPlay plays a game of chess, after ten random moves, and calls visit with its positions until it
// ends or visit returns false.
func selfPlay(t *testing.T, e *engine.Engine, rnd *rand.Rand, visit func(p *chess.Position, ply int) bool) {
	t.Helper()
	e.NewGame()
	p := gametest.Chess(t, chess.StartFEN)
	var moves []string
	for range 200 {
		var l game.List
		p.Moves(game.All, &l)
		if _, over := p.Adjudicate(0); over || l.Len() == 0 {
			return
		}
		best := p.Text(l.At(rnd.IntN(l.Len())))
		if len(moves) >= 10 {
			if !visit(p, len(moves)) {
				return
			}
			if err := e.SetPosition(chess.StartFEN, moves); err != nil {
				t.Fatal(err)
			}
			best = e.Search(context.Background(), search.Limits{Nodes: 500}, func(search.Info) {}).Best
		}
		gametest.Play(t, p, best)
		moves = append(moves, best)
	}
}

// writeMates writes the file. A game gives at most one position of each length.
func writeMates(t *testing.T) {
	t.Helper()
	wanted := [...]int{10, 8, 12, 10} // by length, 0 for none
	left := 40
	var lines [len(wanted)]string
	rnd := rand.New(rand.NewPCG(14, 5))
	e := engine.New()
	defer e.Close()
	m := newMates(t, 16, 1)
	for left > 0 {
		var inGame [len(wanted)]bool
		selfPlay(t, e, rnd, func(p *chess.Position, ply int) bool {
			a := m.find(p, 3, mate.Limits{Nodes: 5000, Thorough: true}, 0)
			if a.Opponent || a.Moves > 0 && !a.Shortest || a.Moves == 0 && a.Failed[0] < 3 {
				return true
			}
			if wanted[a.Moves] == 0 || inGame[a.Moves] || a.Moves == 0 && ply < 30 {
				return true
			}
			moves, visited, ok := shortestMate(oracleBoard(t, p.FEN()), 3, 30_000)
			if !ok {
				return true
			}
			if moves != a.Moves {
				t.Fatalf("%s: mate in %d, by the plain search in %d", p.FEN(), a.Moves, moves)
			}
			inGame[moves] = true
			lines[moves] += fmt.Sprintf("%d | %d | %s\n", moves, visited, p.FEN())
			wanted[moves]--
			left--
			return left > 0
		})
	}
	text := shortMatesHeader + strings.Join(lines[1:], "") + lines[0]
	filetest.Write(t, shortMates, text)
}

// TestMateSet: the shortest mates of the file are found, and verified by all replies, and that
// there is none is proved. mateWithin confirms those that it finds soon, with -long all.
func TestMateSet(t *testing.T) {
	if *updateMates {
		writeMates(t)
	}
	m := newMates(t, 16, 1)
	for _, line := range filetest.Lines(t, shortMates) {
		fields := strings.Split(line, " | ")
		if len(fields) != 3 {
			t.Fatalf("%q has %d fields, want 3", line, len(fields))
		}
		fen := fields[2]
		want, err1 := strconv.Atoi(fields[0])
		visits, err2 := strconv.Atoi(fields[1])
		if err1 != nil || err2 != nil {
			t.Fatalf("%q: %v, %v", line, err1, err2)
		}
		a := m.find(gametest.Chess(t, fen), 3, mate.Limits{Thorough: true}, 0)
		if a.Opponent || a.Moves != want || want > 0 && !a.Shortest || want == 0 && a.Failed[0] < 3 {
			t.Errorf("%s: %+v, want a mate in %d", fen, a, want)
			continue
		}
		if want > 0 {
			m.line(fen, &a)
			clear(m.seen)
			m.forced(oracleBoard(t, fen), true, want)
		}
		if visits <= 3000 || *long {
			if moves, n, ok := shortestMate(oracleBoard(t, fen), 3, visits); !ok || moves != want || n != visits {
				t.Errorf("%s: the plain search finds %d in %d positions, want %d in %d", fen, moves, n, want, visits)
			}
		}
	}
}
