package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"trefoil/queue"
	"trefoil/search/jobproof"
)

// proofTask is the proof of one position as a task of a queue.
type proofTask struct {
	tree  *jobproof.Tree
	name  string           // of the coordinator
	hash  uint64           // MiB
	own   *jobproof.Worker // of the coordinator, made at its first use
	warn  func(format string, args ...any)
	liars []string       // workers
	lost  map[string]int // how often a job was, by goal and moves

	began  time.Time
	before jobproof.Stats // known from earlier runs
}

func newProofTask(tree *jobproof.Tree, hash uint64, name string, warn func(format string, args ...any)) *proofTask {
	return &proofTask{tree: tree, name: name, hash: hash, warn: warn, lost: map[string]int{}}
}

// Result takes the result of a job.
func (p *proofTask) Result(r queue.Result) error {
	err := p.apply(r)
	if liars := p.tree.Liars(); len(liars) > len(p.liars) {
		p.warn("found to lie, and all that they have said is dropped: %q", liars)
		p.liars = liars
	}
	if err != nil {
		p.tree.Release(r.ID)
	}
	if errors.Is(err, jobproof.ErrLiar) {
		err = errors.New("it has been found to lie")
	}
	return err
}

func (p *proofTask) apply(r queue.Result) error {
	var result jobproof.Result
	if err := json.Unmarshal(r.Body, &result); err != nil {
		return err
	}
	if result.Job.ID != r.ID || result.Worker != r.Worker {
		return fmt.Errorf("it says that it is of worker %.40q for job %.60q", result.Worker, result.Job.ID)
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
	return queue.Request{ID: job.ID, Not: slices.Concat(job.Not, p.liars), Judge: job.Purpose == jobproof.Judge, Body: job}, ok
}

// Do searches a job in this process.
func (p *proofTask) Do(ctx context.Context, r queue.Request) (any, error) {
	if err := p.makeOwn(); err != nil {
		return nil, err
	}
	return p.own.Run(ctx, r.Body.(jobproof.Job))
}

// makeOwn makes the worker of the coordinator, unless it is there.
func (p *proofTask) makeOwn() (err error) {
	if p.own == nil {
		p.own, err = newWorker(p.name, 1, p.hash)
	}
	return err
}

// lineNodes is the limit for each position of a main line behind the tree.
const lineNodes = 1 << 20

// line returns the main line of the proof.
func (p *proofTask) line(ctx context.Context, g jobproof.Game) ([]string, error) {
	if err := p.makeOwn(); err != nil {
		return nil, err
	}
	return p.own.Continue(ctx, g, p.tree.Line(), lineNodes)
}

// maxLost is how often a job may be lost.
const maxLost = 5

// Lost gives a job back to the tree.
func (p *proofTask) Lost(r queue.Request) error {
	job := r.Body.(jobproof.Job)
	p.tree.Release(job.ID)
	position := job.Goal + ", moves " + job.Moves
	if p.lost[position]++; p.lost[position] == maxLost {
		return fmt.Errorf("workers have refused a job %d times (%s): see their messages", maxLost, position)
	}
	return nil
}

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
	text := fmt.Sprintf("φ %d δ %d, %d positions proved, %d nodes, %.0f nodes/s", d.Phi, d.Delta, d.Solved, d.Nodes, d.Rate)
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

// close frees the worker of the coordinator.
func (p *proofTask) close() error {
	if p.own == nil {
		return nil
	}
	return p.own.Close()
}
