package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/metrics"
	"slices"
	"time"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobs"
	"trefoil/cmd/trefoil-queue/internal/queue"
	"trefoil/game/certificate"
	"trefoil/internal/mem"
)

// proofTask is the proof of one position as a task of a queue.
type proofTask struct {
	tree  *jobproof.Tree
	own   *jobs.Worker // of the coordinator
	warn  func(format string, args ...any)
	liars []string // workers

	began  time.Time
	before jobproof.Stats // known from earlier runs

	fits   func(bytes uint64) error // mem.Fits
	warned bool                     // of the memory
}

func newProofTask(tree *jobproof.Tree, own *jobs.Worker, warn func(format string, args ...any)) *proofTask {
	return &proofTask{tree: tree, own: own, warn: warn, fits: mem.Fits}
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
	return p.tree.Apply(result, r.Verdict)
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
	own, err := p.own.Prover()
	if err != nil {
		return nil, err
	}
	return own.Continue(ctx, g, p.tree.Line(), lineNodes)
}

// certificate returns a proof of the value.
func (p *proofTask) certificate(ctx context.Context) (certificate.Proof, error) {
	own, err := p.own.Prover()
	if err != nil {
		return certificate.Proof{}, err
	}
	return p.tree.Certificate(ctx, own.Solver())
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
	Memory    uint64   `json:"memory"`                 // of the process in bytes, without tables: mostly of the tree
	Liars     []string `json:"liars,omitempty"`
}

// heap returns how many bytes are on the heap.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Status returns the state of the proof.
func (p *proofTask) Status() (any, string) {
	s := p.tree.Stats()
	d := proofStatus{
		Goal: s.Goal, Phi: s.Phi, Delta: s.Delta, Positions: s.Positions, Solved: s.Solved, Nodes: s.Nodes,
		Confirmed: s.Confirmed, Open: s.Open, Liars: s.Liars, Memory: heap(),
	}
	if !p.warned && p.fits(d.Memory) != nil {
		p.warned = true
		p.warn("the tree of this proof takes %s of memory, and less is free; if this process ends for lack of it, "+
			"the same command continues on a machine with more", mem.Size(d.Memory))
	}
	var seconds float64
	if !p.began.IsZero() {
		seconds = time.Since(p.began).Seconds()
	}
	if seconds > 0 {
		d.Rate = float64(s.Nodes-p.before.Nodes) / seconds
	}
	text := fmt.Sprintf("φ %d δ %d, %d of %d positions proved, %d nodes, %.0f nodes/s, memory %s", d.Phi, d.Delta,
		d.Solved, d.Positions, d.Nodes, d.Rate, mem.Size(d.Memory))
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
