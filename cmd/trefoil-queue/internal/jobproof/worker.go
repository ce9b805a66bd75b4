package jobproof

import (
	"context"
	"fmt"
	"time"

	"trefoil/search/proof"
	"trefoil/window"
)

// WorkerOptions say how a worker searches.
type WorkerOptions struct {
	Name    string // by which results are told apart
	Hash    uint64 // MiB
	Threads int    // over one table; 0 is one for every processor
}

// A Worker searches jobs, one at a time, over a table of its own, which keeps what earlier jobs have found.
type Worker struct {
	options WorkerOptions
	games   map[string]Game
	table   *window.Table
	solver  *proof.Solver
	problem string // game and goal of the last job
}

// NewWorker returns a worker for some games. The caller closes it.
func NewWorker(o WorkerOptions, games ...Game) (*Worker, error) {
	table, err := window.New(o.Hash, window.Growing())
	if err != nil {
		return nil, err
	}
	w := &Worker{options: o, games: map[string]Game{}, table: table,
		solver: proof.New(table, proof.Options{Threads: o.Threads})}
	for _, g := range games {
		w.games[g.Name()] = g
	}
	return w, nil
}

// Close frees the table.
func (w *Worker) Close() error { return w.table.Close() }

// Run searches a job. It ends early, with an error, when the context is done.
func (w *Worker) Run(ctx context.Context, job Job) (Result, error) {
	g, ok := w.games[job.Game]
	if !ok {
		return Result{}, fmt.Errorf("job %s: %w: unknown game %.20q", job.ID, ErrVersion, job.Game)
	}
	if want := Version(g); job.Version != want {
		return Result{}, fmt.Errorf("job %s: %w: %q, expected %q", job.ID, ErrVersion, job.Version, want)
	}
	newGoal, err := goalAt(g, job.Goal, job.Moves)
	if err != nil {
		return Result{}, fmt.Errorf("job %s: %w", job.ID, err)
	}
	if problem := job.Game + " " + job.Goal; problem != w.problem {
		w.problem = problem
		w.table.NewSearch()
	}
	began := time.Now()
	a, err := w.search(ctx, newGoal, &job)
	if err != nil {
		return Result{}, err
	}
	if a.Result == proof.Unknown && ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	r := Result{Job: job, Worker: w.options.Name, Phi: a.Phi, Delta: a.Delta, Nodes: a.Nodes}
	if a.Result == proof.Unknown {
		r.Phi, r.Delta = min(r.Phi, proof.Infinity-1), min(r.Delta, proof.Infinity-1)
		r.Children = w.children(newGoal)
	}
	if job.Certify {
		if err := w.certify(ctx, g, &r); err != nil {
			return Result{}, err
		}
	}
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// search searches a job, and returns an answer with the nodes of all its parts.
func (w *Worker) search(ctx context.Context, newGoal func() proof.Goal, job *Job) (proof.Answer, error) {
	if job.Phi == 0 && job.Delta == 0 {
		return w.solver.Prove(ctx, newGoal, proof.Limits{Nodes: job.Nodes})
	}
	a, err := w.solver.Prove(ctx, newGoal, proof.Limits{Nodes: job.Least})
	if err != nil || a.Result != proof.Unknown || ctx.Err() != nil || job.Nodes <= a.Nodes {
		return a, err
	}
	nodes := a.Nodes
	a, err = w.solver.Prove(ctx, newGoal, proof.Limits{Nodes: job.Nodes - nodes, Phi: job.Phi, Delta: job.Delta})
	a.Nodes += nodes
	return a, err
}

// children returns what the table knows of the moves of a position.
func (w *Worker) children(newGoal func() proof.Goal) (list []Child) {
	g := newGoal().(Goal)
	attacking := g.Attacking()
	for _, c := range w.solver.Children(newGoal) {
		if c.Key == 0 {
			continue
		}
		phi, delta := c.Phi, c.Delta
		if attacking { // then the defender is to move after c
			phi, delta = delta, phi
		}
		list = append(list, Child{Move: g.Text(c.Move), Phi: phi, Delta: delta, Nodes: c.Work})
	}
	return list
}

// goalAt returns a function that makes a goal after some moves, which have been checked.
func goalAt(game Game, text, moves string) (func() proof.Goal, error) {
	newGoal, err := game.Goal(text)
	if err != nil {
		return nil, err
	}
	if err := play(newGoal(), moves); err != nil {
		return nil, err
	}
	return func() proof.Goal {
		g := newGoal()
		_ = play(g, moves)
		if p, ok := g.(proof.PathGoal); ok {
			p.SetRoot()
		}
		return g
	}, nil
}
