package games_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobproof/games"
	"trefoil/game/ultimate"
	"trefoil/game/ultimate/ultimatetest"
)

// newWorkers returns the coordinator's worker and others.
func newWorkers(t testing.TB, others int) (own *jobproof.Worker, workers []*jobproof.Worker) {
	t.Helper()
	for i := range others + 1 {
		w, err := jobproof.NewWorker(jobproof.WorkerOptions{Name: workerName(i), Hash: 1, Threads: 1},
			games.All()...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close() })
		workers = append(workers, w)
	}
	return workers[0], workers[1:]
}

// workerName is the name of a worker; the coordinator's is number 0.
func workerName(number int) string { return fmt.Sprint("worker ", number) }

// prove proves the position of a tree with workers that have a job each at a time, and returns its value.
func prove(t testing.TB, tree *jobproof.Tree, own *jobproof.Worker, workers []*jobproof.Worker) string {
	t.Helper()
	for {
		value, done := tree.Done()
		if done {
			return value
		}
		var jobs []jobproof.Job
		for range workers {
			if job, ok := tree.Next(); ok {
				jobs = append(jobs, job)
			}
		}
		if len(jobs) == 0 {
			t.Fatal("no job, and no value")
		}
		for first, job := range jobs {
			by := own // unless another one may do it
			for k := range workers {
				n := (first + k) % len(workers)
				if job.Purpose != jobproof.Judge && !slices.Contains(job.Not, workerName(n+1)) {
					by = workers[n]
					break
				}
			}
			r, err := by.Run(t.Context(), job)
			if err == nil && r.Seconds <= 0 {
				t.Error("a job in no time")
			}
			if err == nil {
				err = tree.Apply(r, by == own)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// late returns a position of a random game with its value by minimax.
func late(r *rand.Rand) (ultimate.Position, string) {
	for {
		var played []ultimate.Position
		p := ultimate.Start()
		for moves := p.Moves(nil); len(moves) > 0; moves = p.Moves(moves[:0]) {
			played = append(played, p)
			p = p.Play(moves[r.IntN(len(moves))])
		}
		var found ultimate.Position
		value := ""
		for i := len(played) - 1; i >= 0; i-- {
			v, left := ultimatetest.Within(200_000, played[i])
			if left < 0 {
				break
			}
			found, value = played[i], []string{"loss", "draw", "win"}[v+1]
		}
		if value != "" {
			return found, value
		}
	}
}

// Jobs of the least budget, for one to four workers, find the values of minimax.
func TestUltimateMinimax(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		p, want := late(r)
		tree, err := jobproof.New(games.Ultimate(), p.String(), jobproof.Options{Nodes: 1})
		if err != nil {
			t.Fatal(err)
		}
		own, workers := newWorkers(t, 1+i%4)
		if value := prove(t, tree, own, workers); value != want || tree.Liars() != nil {
			t.Errorf("%v: %s, want %s; liars %v", p, value, want, tree.Liars())
		}
	}
}

// A harder proof takes several jobs, and its solution is confirmed by two workers at every leaf.
func TestUltimateSolution(t *testing.T) {
	tree, err := jobproof.New(games.Ultimate(),
		"X;......O@.;X.O.O.X../OX.O...../X.X...XOO/..OX.OX../OX..X..../...O.X.O./..X...OOO/..OX.X.../.O.....XX",
		jobproof.Options{Nodes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	own, workers := newWorkers(t, 3)
	if value := prove(t, tree, own, workers); value != "win" {
		t.Fatal(value)
	}
	if s := tree.Stats(); s.Open > 0 || s.Confirmed < 2 {
		t.Errorf("%+v", s)
	}
}
