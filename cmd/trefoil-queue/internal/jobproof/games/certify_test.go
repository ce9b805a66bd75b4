package games_test

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobproof/games"
	"trefoil/game/certificate"
	"trefoil/internal/container"
	"trefoil/search/proof"
)

// certifiedProblems are problems with their values and what their certificates say.
var certifiedProblems = []struct {
	game                  jobproof.Game
	position, value, says string
}{
	{games.Ultimate(), "O;.O..XX...;X.XX.OO../OOX.O..XO/OXXOX..OO/OXXOX...X/XO.X.OX../.X..X.XX./.XOOO..OX/.XO..OOX./..O.OOX.X",
		"draw", "draw"},
	{games.Ultimate(), "X;O.X...O.@;.XO.OXO.X/X.XOO.O.O/X..X..X.X/O.OO.X.OX/.XX....OX/O.OX...../OOOX...X./OXXXX.O../XO...OXOO",
		"loss", "loss"},
	{games.Ultimate(), "X;X.....O@.;X.OXO.X../OX.O...../X.X...XOO/..OX.OXO./OX..X..../...O.X.O./..X...OOO/O.OX.X.X./.O.....XX",
		"win", "win"},
	{games.Chess(), "5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - bm #4;", "mate in 4", "mate 4"},
	{games.Chess(), "7k/8/5K2/8/8/8/8/6R1 b - - 0 1 dm -3", "mated in 3", "mate -3"},
	{games.Chess(), "8/1R4pk/6r1/3K1Q2/8/8/8/2b5 w - - 5 61 dm 7", "mate in 7", "mate "},
	{games.Chess(), "7k/6Q1/6K1/8/8/8/8/8 b - - dm -1", "mated in 1", "mate 0"},
	{games.Shogi(), "1ns3p1l/4+R3p/2kg5/LNppsb2P/1G5p1/4P4/1+bPP1PPP1/1+p2+s1R2/4g1KNL w L4Pgsnp 106",
		"mate", "mate "},
	{games.Shogi(), "1ns3p1l/4+R3p/2kg5/LNppsb2P/1G5p1/4P4/1+bPP1PPP1/1+p2+s1R2/4g1KNL w L4Pgsnp 106 dm 4",
		"mate in 4", "mate 4"},
}

// verified checks the certificate of a tree whose value is known.
func verified(t *testing.T, tree *jobproof.Tree, own *jobproof.Worker, says string) {
	t.Helper()
	p, err := tree.Certificate(t.Context(), own.Solver())
	path := filepath.Join(t.TempDir(), "a")
	if err == nil {
		_, err = certificate.Write(t.Context(), container.Replace(path), p, func(uint64) {})
	}
	if err != nil {
		t.Error(err)
		return
	}
	s, err := certificate.Verify(t.Context(), container.File(path), func(_, _ uint64) {})
	if err != nil || !strings.HasPrefix(s.Value, says) {
		t.Errorf("%+v, %v, want %s", s, err, says)
	}
}

// Values that workers have proved by jobs of a few nodes have certificates.
func TestCertificates(t *testing.T) {
	for _, c := range certifiedProblems {
		for _, nodes := range []uint64{1, 1000} {
			tree, err := jobproof.New(c.game, c.position, jobproof.Options{Nodes: nodes, Known: certificate.NewMoves()})
			if err != nil {
				t.Fatal(err)
			}
			own, others := newWorkers(t, 2)
			if value := prove(t, tree, own, others); value != c.value || tree.Liars() != nil {
				t.Errorf("%s: %s, liars %v", c.position, value, tree.Liars())
			}
			verified(t, tree, own, c.says)
		}
	}
}

// TestClock: the moves of a mate that the fifty-move rule does not prevent are found, although it would prevent
// a mate in as many moves as are left.
func TestClock(t *testing.T) {
	const goal = "white mates within 2: 7k/R7/8/8/8/4p3/4PP2/1R4K1 b - - 97 90" // in 2 after the capture, else in 1
	game, known := games.Chess().(jobproof.Certified), certificate.NewMoves()
	own, _ := newWorkers(t, 0)
	for _, reply := range []string{"h8g8", "e3f2"} {
		shown, err := game.Show(t.Context(), own.Solver(), goal, reply, proof.Proved)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := shown.Entries(t.Context(), math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		claim, err := game.Claim(goal, reply, proof.Proved, shown.Mate())
		if err == nil {
			err = known.Add(t.Context(), claim, entries)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	whole, err := game.Claim(goal, "", proof.Proved, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := whole.From(known).Entries(t.Context(), math.MaxInt); err != nil {
		t.Error(err)
	}
}

// No certificate says that there is no mate.
func TestNoMate(t *testing.T) {
	tree, err := jobproof.New(games.Chess(), "5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - bm #3;",
		jobproof.Options{Known: certificate.NewMoves()})
	if err != nil {
		t.Fatal(err)
	}
	own, others := newWorkers(t, 1)
	if value := prove(t, tree, own, others); value != "no mate in 3" {
		t.Fatal(value)
	}
	if _, err := tree.Certificate(t.Context(), own.Solver()); err == nil ||
		!strings.Contains(err.Error(), "a certificate cannot show that there is no mate") {
		t.Error(err)
	}
}

// Workers that agree on every lie cannot make a certificate of something false, and not prevent a true one,
// whether they show nothing, or something else, or moves of another position.
func TestColluders(t *testing.T) {
	for name, show := range map[string]func(r *jobproof.Result, before []byte){
		"nothing":  func(*jobproof.Result, []byte) {},
		"rubbish":  func(r *jobproof.Result, _ []byte) { r.Certified, r.Entries, r.Mate = true, make([]byte, 64), 3 },
		"no moves": func(r *jobproof.Result, _ []byte) { r.Certified = true },
		"other":    func(r *jobproof.Result, before []byte) { r.Certified, r.Entries = true, before },
	} {
		liars := 0
		for _, c := range certifiedProblems {
			tree, err := jobproof.New(c.game, c.position, jobproof.Options{Nodes: 50, Known: certificate.NewMoves()})
			if err != nil {
				t.Fatal(err)
			}
			own, others := newWorkers(t, 1)
			r, honest := rand.New(rand.NewPCG(1, 1)), others[0]
			value := collude(t, tree, own, honest, r, show)
			if value != c.value {
				t.Errorf("%s, %s: %s", name, c.position, value)
			}
			verified(t, tree, own, c.says)
			liars += len(tree.Liars())
		}
		if liars == 0 {
			t.Errorf("%s: no liars", name)
		}
	}
}

// collude proves a tree with two workers that lie about every second position that they solve, and the
// coordinator, which has to do the jobs that no other may do.
func collude(t *testing.T, tree *jobproof.Tree, own, honest *jobproof.Worker, random *rand.Rand,
	show func(*jobproof.Result, []byte)) string {
	var before []byte
	lies := map[string]bool{} // by position
	for jobs := 0; jobs < 5000; jobs++ {
		if value, ok := tree.Done(); ok {
			return value
		}
		job, ok := tree.Next()
		if !ok {
			t.Fatal("no job")
		}
		names := slices.DeleteFunc([]string{"one", "two"}, func(name string) bool {
			return slices.Contains(tree.Liars(), name) || slices.Contains(job.Not, name)
		})
		by := honest
		if job.Purpose == jobproof.Judge || len(names) == 0 {
			by = own
		}
		result, err := by.Run(context.Background(), job)
		if err != nil {
			t.Fatal(err)
		}
		if by == own {
			err = tree.Apply(result, true)
		} else {
			result.Worker = names[random.IntN(len(names))]
			if lie, told := lies[job.Goal+job.Moves]; result.Outcome() != proof.Unknown && (lie || !told && random.IntN(2) > 0) {
				lies[job.Goal+job.Moves] = true
				result.Phi, result.Delta = result.Delta, result.Phi
				entries := result.Entries
				result.Certified, result.Entries, result.Mate = false, nil, 0
				if job.Certify {
					show(&result, before)
				}
				before = entries
			} else {
				lies[job.Goal+job.Moves] = false
			}
			if err = tree.Apply(result, false); err != nil && slices.Contains(tree.Liars(), result.Worker) {
				err = nil
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("no end")
	return ""
}
