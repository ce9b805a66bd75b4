package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobs"
	"trefoil/cmd/trefoil-queue/internal/queue"
	"trefoil/game/certificate"
)

// proofTask is the proof of one position as a task of a queue.
type proofTask struct {
	tree  *jobproof.Tree
	own   *jobs.Worker // of the coordinator
	warn  func(format string, args ...any)
	liars []string // workers

	began  time.Time
	before jobproof.Stats // known from earlier runs
}

func newProofTask(tree *jobproof.Tree, own *jobs.Worker, warn func(format string, args ...any)) *proofTask {
	return &proofTask{tree: tree, own: own, warn: warn}
}

// Result takes the result of a job.
func (p *proofTask) Result(r queue.Result) error {
	err := p.apply(r)
	if liars := p.tree.Liars(); len(liars) > len(p.liars) {
		jobs.WarnOfLiars(p.warn, liars)
		p.liars = liars
	}
	if err != nil {
		p.tree.Release(r.ID)
	}
	if errors.Is(err, jobproof.ErrLiar) {
		err = errors.New("it has sent false results")
	}
	return err
}

func (p *proofTask) apply(r queue.Result) error {
	var result jobproof.Result
	if err := json.Unmarshal(r.Body, &result); err != nil {
		return err
	}
	if result.Job.ID != r.ID || result.Worker != r.Worker {
		return fmt.Errorf("it names worker %.40q and job %.60q", result.Worker, result.Job.ID)
	}
	if r.Verdict {
		return p.tree.ApplyOwn(result)
	}
	return p.tree.Apply(result)
}

// Next returns the next job.
func (p *proofTask) Next() (queue.Request, bool) {
	if p.began.IsZero() {
		p.began, p.before = time.Now(), p.tree.Stats()
	}
	job, ok := p.tree.Next()
	return queue.Request{
		ID: job.ID, About: job.Goal + ", moves " + job.Moves,
		Not: slices.Concat(job.Not, p.liars), Judge: job.Purpose == jobproof.Judge, Body: jobs.Body{Proof: &job},
	}, ok
}

// Do searches a job in this process.
func (p *proofTask) Do(ctx context.Context, r queue.Request) (any, error) {
	return p.own.Do(ctx, r.Body.(jobs.Body))
}

// lineNodes is the limit for each position of a main line behind the tree.
const lineNodes = 1 << 20

// line returns the main line of the proof.
func (p *proofTask) line(ctx context.Context, g jobproof.Game) ([]string, error) {
	return p.own.Continue(ctx, g, p.tree.Line(), lineNodes)
}

// certificate returns a proof of the value.
func (p *proofTask) certificate(ctx context.Context) (certificate.Proof, error) {
	s, err := p.own.Solver()
	if err != nil {
		return certificate.Proof{}, err
	}
	return p.tree.Certificate(ctx, s)
}

// Lost gives a job back to the tree.
func (p *proofTask) Lost(r queue.Request) { p.tree.Release(r.ID) }

// Done reports whether the value is known.
func (p *proofTask) Done() bool {
	_, ok := p.tree.Done()
	return ok
}

// proofStatus is the detail of the status of a proof.
type proofStatus struct {
	Goal      string   `json:"goal"` // that is searched
	Phi       uint32   `json:"phi"`
	Delta     uint32   `json:"delta"`
	Positions int      `json:"positions"` // in the tree
	Solved    int      `json:"solved"`    // of these, by a search
	Nodes     uint64   `json:"nodes"`
	Rate      float64  `json:"nodes_per_second"`
	Left      float64  `json:"seconds_left,omitempty"` // a rough estimate
	Confirmed int      `json:"confirmed"`              // leaves of the solution
	Open      int      `json:"unconfirmed"`            // likewise
	Liars     []string `json:"liars,omitempty"`
}

// Status returns the state of the proof.
func (p *proofTask) Status() (any, string) {
	s := p.tree.Stats()
	d := proofStatus{
		Goal: s.Goal, Phi: s.Phi, Delta: s.Delta, Positions: s.Positions, Solved: s.Solved, Nodes: s.Nodes,
		Confirmed: s.Confirmed, Open: s.Open, Liars: s.Liars,
	}
	var seconds float64
	if !p.began.IsZero() {
		seconds = time.Since(p.began).Seconds()
	}
	if seconds > 0 {
		d.Rate = float64(s.Nodes-p.before.Nodes) / seconds
	}
	text := fmt.Sprintf("φ %d δ %d, %d positions proved, %d nodes, %.0f nodes/s", d.Phi, d.Delta, d.Solved,
		d.Nodes, d.Rate)
	if solved := s.Solved - p.before.Solved; solved > 0 && d.Phi > 0 && d.Delta > 0 {
		// The lesser of φ and δ is the number of positions that are left if no further ones turn up.
		d.Left = float64(min(d.Phi, d.Delta)) / float64(solved) * seconds
		text += fmt.Sprintf(", at least %v left", time.Duration(d.Left*float64(time.Second)).Round(time.Second))
	}
	if s.Open > 0 {
		text += fmt.Sprintf(", %d to confirm", s.Open)
	}
	return d, text
}
