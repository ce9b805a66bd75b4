package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobproof/games"
	"trefoil/cmd/trefoil-queue/internal/jobs"
	"trefoil/cmd/trefoil-queue/internal/queue"
	"trefoil/internal/batch"
)

// TestProofStatus: the rate, and the time that is left, count only what has been done since the start.
func TestProofStatus(t *testing.T) {
	position, _ := strings.CutSuffix(hard, " win")
	tree, err := jobproof.New(games.Ultimate(), position, jobproof.Options{Nodes: 500})
	if err != nil {
		t.Fatal(err)
	}
	own := jobs.NewWorker("own", 1, 1)
	defer own.Close()
	p := newProofTask(tree, own, t.Logf)
	result := func(r queue.Request) {
		t.Helper()
		done, err := p.Do(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(done)
		if err == nil {
			err = p.Result(queue.Result{ID: r.ID, Worker: "own", Body: body})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	status := func() (proofStatus, string) {
		detail, text := p.Status()
		return detail.(proofStatus), text
	}
	for range 20 { // by an earlier coordinator
		job, _ := tree.Next()
		result(queue.Request{ID: job.ID, Body: jobs.Body{Proof: &job}})
	}
	if d, text := status(); d.Nodes == 0 || d.Rate != 0 || strings.Contains(text, " left") {
		t.Errorf("before the first job: %s", text)
	}
	r, _ := p.Next()
	if d, text := status(); d.Rate != 0 || strings.Contains(text, " left") {
		t.Errorf("before the first result: %s", text)
	}
	d, text := status()
	for ; d.Solved == p.before.Solved; d, text = status() {
		if result(r); p.Done() {
			t.Fatal("proved without a solved position")
		}
		r, _ = p.Next()
	}
	seconds := float64(d.Nodes-p.before.Nodes) / d.Rate
	left := float64(min(d.Phi, d.Delta)) / float64(d.Solved-p.before.Solved) * seconds
	if d.Phi == d.Delta || math.Abs(d.Left-left) > left/1e6 || !strings.HasSuffix(text, " left") {
		t.Errorf("%+v, %s, want %v s left", d, text, left)
	}
}

// TestProofTotals: the last line of the output adds up.
func TestProofTotals(t *testing.T) {
	s := &proofTotals{certificate: "# file: 3 positions\n"}
	s.Add(proved{Nodes: 20, Seconds: 1.5})
	s.Add(proved{Nodes: 30, Seconds: 2})
	want := "# file: 3 positions\n# 2 proved, 1 wrong, 0 bad lines: 50 nodes, " + (3500 * time.Millisecond).String()
	if got := s.Text(batch.Counts{Wrong: 1}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
