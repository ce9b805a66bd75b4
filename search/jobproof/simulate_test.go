package jobproof

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

const ms = time.Millisecond

// What a simulation reports for jobs of known lengths.
func TestSimulateRecorded(t *testing.T) {
	for _, c := range []struct {
		name string
		s    Simulation
		want Report
	}{
		{"one worker", Simulation{Workers: 1}, Report{Time: 40 * ms, WorkersBusy: 40 * ms}},
		{"two workers", Simulation{Workers: 2}, Report{Time: 22 * ms, WorkersBusy: 40 * ms}},
		{"more workers than jobs", Simulation{Workers: 100}, Report{Time: 6 * ms, WorkersBusy: 40 * ms}},
		{"latency", Simulation{Workers: 1, Latency: ms}, Report{Time: 60 * ms, WorkersBusy: 40 * ms}},
		{"latency behind jobs that wait", Simulation{Workers: 1, Latency: ms, Ahead: 1}, Report{Time: 42 * ms, WorkersBusy: 40 * ms}},
		{"the coordinator limits", Simulation{Workers: 10, Coordinator: 3 * ms}, Report{Time: 60 * ms, WorkersBusy: 40 * ms, CoordinatorBusy: 60 * ms}},
		{"the queue limits", Simulation{Workers: 10, Queue: 5 * ms}, Report{Time: 100 * ms, WorkersBusy: 40 * ms, QueueBusy: 100 * ms}},
	} {
		source := &Recorded{Lengths: []time.Duration{2 * ms, 6 * ms}, Jobs: 10}
		c.s.Search = source.Search
		r, err := c.s.Run(source)
		if c.want.Jobs = 10; err != nil || r != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.name, r, err, c.want)
		}
	}
}

// A proof of toy workers gives the same value for any number of them, each time the same.
func TestSimulateTree(t *testing.T) {
	for seed := range 30 {
		want := []string{"loss", "draw", "win"}[newToyGraph(seed).value(0, 0)+1]
		for _, n := range []int{1, 2, 20} {
			var reports [2]Report
			for i := range reports {
				tree, err := New(toy{}, fmt.Sprint(seed), Options{})
				if err != nil {
					t.Fatal(err)
				}
				s := Simulation{Workers: n, Coordinator: 1, Queue: 2, Latency: 3, Ahead: 1}
				random := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
				s.Search = func(worker int, job Job) (Result, time.Duration, error) {
					w := toyWorker{name: WorkerName(worker), random: random, solves: 3}
					r := w.run(job)
					return r, time.Duration(r.Nodes), nil
				}
				if reports[i], err = s.Run(tree); err != nil {
					t.Fatal(err)
				}
			}
			if reports[0].Value != want || reports[0] != reports[1] {
				t.Errorf("seed %d, %d workers: %+v, %+v, want %s", seed, n, reports[0], reports[1], want)
			}
		}
	}
}
