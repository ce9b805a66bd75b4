package jobproof

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// simulation is a cluster on a clock that only counts, so that its course does not depend on the machine.
// Coordinator and queue serve one message at a time, in the order of arrival; each job and each result is
// one message.
type simulation struct {
	Workers int
	// Search does a job as worker number 1 to Workers, or as the coordinator's own worker, 0, and returns how
	// long that takes.
	Search      func(worker int, job Job) (Result, time.Duration, error)
	Coordinator time.Duration // for each message
	Queue       time.Duration // for each message
	Latency     time.Duration // of each message, beside that
	Ahead       int           // jobs given beyond the number of workers, to wait in the queue
}

// workerName is the name under which worker number i of a simulation answers.
func workerName(i int) string { return fmt.Sprint("worker ", i) }

// report is what a simulation has measured.
type report struct {
	value string
	time  time.Duration // until the value was known
	jobs  int           // whose results were taken over
	nodes uint64        // of all jobs
}

// run simulates until the value is known, or no job is left.
func (s simulation) run(tree *Tree) (report, error) {
	c := cluster{simulation: s, tree: tree, idle: make([]bool, s.Workers+1)}
	for i := range c.idle {
		c.idle[i] = true
	}
	c.fill()
	for len(c.events) > 0 {
		e := heap.Pop(&c.events).(event)
		c.now = e.at
		if err := c.handle(e); err != nil {
			return c.report, err
		}
		if value, done := tree.Done(); done {
			c.report.value, c.report.time = value, c.now
			return c.report, nil
		}
	}
	c.report.time = c.now
	return c.report, nil
}

// cluster is a simulation that runs.
type cluster struct {
	simulation
	tree        *Tree
	report      report
	now         time.Duration
	events      events
	sequence    int
	given       int           // jobs without a result
	coordinator time.Duration // when it has served its messages
	queue       time.Duration
	idle        []bool
	waiting     []Job // for a worker
}

// event is what happens next to a job or a result.
type event struct {
	at       time.Duration
	sequence int
	step     step
	job      Job
	result   Result
	worker   int
}

type step uint8

const (
	jobSent        step = iota // to the queue
	jobReceived                // by the workers
	resultSent                 // to the queue
	resultReceived             // by the coordinator
	resultTaken                // by the tree
)

// fill lets the coordinator give jobs, as many as may be given.
func (c *cluster) fill() {
	for c.given < c.Workers+c.Ahead {
		job, ok := c.tree.Next()
		if !ok {
			return
		}
		c.given++
		c.add(event{at: c.coordinate(), step: jobSent, job: job})
	}
}

// coordinate returns when the coordinator has served one more message.
func (c *cluster) coordinate() time.Duration {
	c.coordinator = max(c.now, c.coordinator) + c.Coordinator
	return c.coordinator
}

// enqueue returns when one more message leaves the queue and reaches its receiver.
func (c *cluster) enqueue() time.Duration {
	c.queue = max(c.now, c.queue) + c.Queue
	return c.queue + c.Latency
}

func (c *cluster) add(e event) {
	c.sequence++
	e.sequence = c.sequence
	heap.Push(&c.events, e)
}

func (c *cluster) handle(e event) error {
	next := e
	switch e.step {
	case jobSent:
		next.at, next.step = c.enqueue(), jobReceived
		c.add(next)
	case jobReceived:
		c.waiting = append(c.waiting, e.job)
		return c.assign()
	case resultSent:
		c.idle[e.worker] = true
		next.at, next.step = c.enqueue(), resultReceived
		c.add(next)
		return c.assign()
	case resultReceived:
		next.at, next.step = c.coordinate(), resultTaken
		c.add(next)
	case resultTaken:
		c.given--
		c.report.jobs++
		if err := c.tree.Apply(e.result, e.worker == 0); err != nil {
			return err
		}
		c.fill()
	}
	return nil
}

// assign gives waiting jobs to idle workers that may do them.
func (c *cluster) assign() error {
	for i := 0; i < len(c.waiting); i++ {
		job := c.waiting[i]
		w := c.worker(&job)
		if w < 0 {
			continue
		}
		c.waiting = slices.Delete(c.waiting, i, i+1)
		i--
		r, spent, err := c.Search(w, job)
		if err != nil {
			return err
		}
		c.idle[w] = false
		c.report.nodes += r.Nodes
		c.add(event{at: c.now + spent, step: resultSent, result: r, worker: w})
	}
	return nil
}

// worker returns an idle worker that may do a job, -1 if there is none. A job that no worker may do is for the
// coordinator's own.
func (c *cluster) worker(job *Job) int {
	if job.Purpose == Judge || len(job.Not) >= c.Workers {
		if c.idle[0] {
			return 0
		}
		return -1
	}
	for w := 1; w <= c.Workers; w++ {
		if c.idle[w] && !slices.Contains(job.Not, workerName(w)) {
			return w
		}
	}
	return -1
}

// events is a heap by time.
type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	if e[i].at != e[j].at {
		return e[i].at < e[j].at
	}
	return e[i].sequence < e[j].sequence
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// A proof of toy workers gives the same value for any number of them, each time the same.
func TestSimulateTree(t *testing.T) {
	for seed := range 30 {
		want := []string{"loss", "draw", "win"}[newToyGraph(seed).value(0, 0)+1]
		for _, n := range []int{1, 2, 20} {
			var reports [2]report
			for i := range reports {
				tree, err := New(toy{}, fmt.Sprint(seed), Options{})
				if err != nil {
					t.Fatal(err)
				}
				s := simulation{Workers: n, Coordinator: 1, Queue: 2, Latency: 3, Ahead: 1}
				random := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
				s.Search = func(worker int, job Job) (Result, time.Duration, error) {
					w := toyWorker{name: workerName(worker), random: random, solves: 3}
					r := w.run(job)
					return r, time.Duration(r.Nodes), nil
				}
				if reports[i], err = s.run(tree); err != nil {
					t.Fatal(err)
				}
			}
			if reports[0].value != want || reports[0] != reports[1] {
				t.Errorf("seed %d, %d workers: %+v, %+v, want %s", seed, n, reports[0], reports[1], want)
			}
		}
	}
}
