package mate

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
	"trefoil/game/shogi/eval"
	"trefoil/internal/filetest"
	"trefoil/internal/newtable"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

var (
	long   = flag.Bool("long", false, "run the tests that take minutes")
	update = flag.Bool("update", false, "write testdata/tsume.txt again")
)

// tsumeFile has lines of sfen, plies of the shortest mate or nomate, and positions that the plain
// search visits to confirm it.
const tsumeFile = "testdata/tsume.txt"

const tsumeHeader = `# Mates by checks in shogi, from games that the engine played against itself, 300 nodes a move:
# sfen | plies of the shortest mate, or nomate | positions that a plain search visits to confirm that.
# The plain search is a depth-first AND/OR search by the rules alone, over all checks and all replies, with
# 1, 2, 3, … moves; where it finds no mate at all, it has seen the end of every sequence of checks.
# go test ./search/mate -run TestTsumeSet -update writes this file.
`

// plainSearch is a depth-first AND/OR search for mates by checks, with a map of results.
type plainSearch struct {
	seen    map[string]bool // by sfen and moves
	budget  int             // of positions
	horizon bool            // some sequence of checks was longer than the moves
}

// mates reports whether the side to move mates by checks within n moves; false once the budget is
// used up.
func (s *plainSearch) mates(p *shogi.Position, n int) bool {
	if n == 0 {
		s.horizon = s.horizon || anyCheck(p)
		return false
	}
	key := fmt.Sprint(p.SFEN(), n)
	if found, ok := s.seen[key]; ok {
		return found
	}
	if s.budget--; s.budget < 0 {
		return false
	}
	found := false
	var checks game.List
	p.Moves(game.All, &checks)
	for i := 0; i < checks.Len() && !found; i++ {
		p.Make(checks.At(i))
		found = p.InCheck() && s.mated(p, n)
		p.Undo()
	}
	s.seen[key] = found
	return found
}

// mated reports whether every reply to a check leads to a mate within n−1 moves.
func (s *plainSearch) mated(p *shogi.Position, n int) bool {
	var replies game.List
	p.Moves(game.All, &replies)
	for _, m := range replies.All() {
		p.Make(m)
		mates := s.mates(p, n-1)
		p.Undo()
		if !mates {
			return false
		}
	}
	return true
}

// anyCheck reports whether the side to move can give check.
func anyCheck(p *shogi.Position) bool {
	var l game.List
	p.Moves(game.All, &l)
	for _, m := range l.All() {
		p.Make(m)
		check := p.InCheck()
		p.Undo()
		if check {
			return true
		}
	}
	return false
}

// plainMate returns the plies of the shortest mate by checks, 0 if there is none, and the positions
// that the plain search has visited. It fails if that would be more than the budget.
func plainMate(p *shogi.Position, budget int) (plies, visited int, ok bool) {
	s := plainSearch{seen: map[string]bool{}, budget: budget, horizon: true}
	for n := 1; s.horizon; n++ {
		s.horizon = false
		found := s.mates(p.Copy(), n)
		if s.budget < 0 {
			return 0, 0, false
		}
		if found {
			return 2*n - 1, budget - s.budget, true
		}
	}
	return 0, budget - s.budget, true
}

// board is a position that alpha-beta plays on.
type board struct {
	*shogi.Position
	eval *eval.Evaluator
}

func (b *board) Eval() int                 { return b.eval.Evaluate(b.Position) }
func (b *board) MateInOne() game.Move      { return b.eval.MateInOne(b.Position) }
func (b *board) Clone() alphabeta.Position { return &board{b.Position.Copy(), eval.New()} }

// selfPlay plays a game, after some random moves, and calls visit with every position until the game
// ends or visit returns false.
func selfPlay(t *testing.T, rnd *rand.Rand, visit func(p *shogi.Position) bool) {
	t.Helper()
	table := newtable.Cluster(t, 1, cluster.Auto)
	s := alphabeta.New()
	s.SetTable(table)
	p := gametest.Shogi(t, shogi.StartSFEN)
	var l game.List
	for ply := range 250 {
		l.Reset()
		p.Moves(game.All, &l)
		if _, over := p.Adjudicate(0); over || l.Len() == 0 || !visit(p) {
			return
		}
		if ply < 12 {
			p.Make(l.At(rnd.IntN(l.Len())))
			continue
		}
		r := s.Search(context.Background(), &board{p.Copy(), eval.New()}, search.Limits{Nodes: 300},
			alphabeta.Settings{}, func(search.Info) {})
		gametest.Play(t, p, r.Best)
	}
}

// writeTsume writes the file: mates of each length up to nine plies, and positions with checks but no
// mate. A game gives at most one position of each length.
func writeTsume(t *testing.T) {
	t.Helper()
	wanted := map[int]int{0: 6, 1: 4, 3: 7, 5: 7, 7: 5, 9: 3}
	left := 0
	for _, n := range wanted {
		left += n
	}
	lines := map[int]string{}
	rnd := rand.New(rand.NewPCG(14, 4))
	f := finder(t, 16, 1)
	for left > 0 {
		inGame := map[int]bool{}
		selfPlay(t, rnd, func(p *shogi.Position) bool {
			prob, _ := tsume(t, p.SFEN(), Endless)
			a, err := f.Find(context.Background(), prob, Limits{Nodes: 3000, Thorough: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			plies := len(a.Line)
			known := a.Shortest || plies == 0 && a.Failed[0] == Endless
			if !known || wanted[plies] == 0 || inGame[plies] || plies == 0 && a.Nodes < 10 {
				return true
			}
			budget := 60_000
			if plies == 0 {
				budget = 6_000
			}
			found, visited, ok := plainMate(p, budget)
			if !ok || plies == 0 && visited < 50 {
				return true
			}
			if found != plies {
				t.Fatalf("%s: mate of %d plies, by the plain search of %d", p.SFEN(), plies, found)
			}
			text := "nomate"
			if plies > 0 {
				text = strconv.Itoa(plies)
			}
			lines[plies] += fmt.Sprintf("%s | %s | %d\n", p.SFEN(), text, visited)
			inGame[plies] = true
			wanted[plies]--
			left--
			return left > 0
		})
	}
	text := tsumeHeader
	for _, plies := range []int{1, 3, 5, 7, 9, 0} {
		text += lines[plies]
	}
	filetest.Write(t, tsumeFile, text)
}

// TestTsumeSet: the shortest mates of the file are found, and that there is none is proved, over a
// table that keeps the entries of other positions. The plain search confirms the cheap ones, with
// -long all.
func TestTsumeSet(t *testing.T) {
	if *update {
		writeTsume(t)
	}
	finders := []*Finder{finder(t, 4, 1), finder(t, 4, 2)}
	found := map[string]int{}
	for _, line := range filetest.Lines(t, tsumeFile) {
		fields := strings.Split(line, " | ")
		if len(fields) != 3 {
			t.Fatalf("%q has %d fields, want 3", line, len(fields))
		}
		sfen := fields[0]
		want, _ := strconv.Atoi(fields[1]) // 0 for nomate
		found[fields[1]]++
		prob, p := tsume(t, sfen, Endless)
		for _, f := range finders {
			a, err := f.Find(context.Background(), prob, Limits{Thorough: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := checkTsume(t, p, &a)
			if len(a.Line) != want || want > 0 && !a.Shortest || want == 0 && a.Failed[0] != Endless {
				t.Errorf("%s: %d plies, want %s: %s %+v", sfen, len(a.Line), fields[1], got, a)
			}
		}
		visits, err := strconv.Atoi(fields[2])
		if err != nil {
			t.Fatal(err)
		}
		if visits <= 5000 || *long {
			if plies, n, ok := plainMate(p, visits); !ok || plies != want || n != visits {
				t.Errorf("%s: the plain search finds %d plies in %d positions, want %s in %d", sfen, plies, n,
					fields[1], visits)
			}
		}
	}
	t.Log(found)
}
