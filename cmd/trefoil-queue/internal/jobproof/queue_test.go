package jobproof

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// stored is a message among the results of a simulated queue.
type stored struct {
	Result
	own bool // a verdict
}

// simulatedQueue is a coordinator, a queue and workers as package queue has them, whose every step a seed
// chooses: jobs and results come in any order, twice or never, workers and coordinators end and start
// again.
type simulatedQueue struct {
	t       *testing.T
	random  *rand.Rand
	seed    int
	graph   *toyGraph
	tree    *Tree
	own     *toyWorker
	workers []*toyWorker // the first may lie
	started int
	calm    bool // nothing fails any more

	jobs        []Job          // not acknowledged
	held        map[string]Job // by the worker that does it
	log         []stored       // results and verdicts
	read        int            // of these, by the coordinator
	outstanding map[string]Job
}

func newSimulatedQueue(t *testing.T, seed int) *simulatedQueue {
	q := &simulatedQueue{
		t: t, random: rand.New(rand.NewPCG(uint64(seed), 2)), seed: seed, graph: newToyGraph(seed),
		held: map[string]Job{},
	}
	q.own = q.newWorker("own")
	q.own.solves = 1
	for range 1 + q.random.IntN(4) {
		q.workers = append(q.workers, q.newWorker(""))
	}
	q.workers[0].lies = q.random.IntN(2) == 0
	q.restart()
	return q
}

// newWorker returns a worker, by default of a name that no other has.
func (q *simulatedQueue) newWorker(name string) *toyWorker {
	if name == "" {
		q.started++
		name = fmt.Sprint("worker ", q.started)
	}
	return &toyWorker{name: name, random: q.random, solves: 1 + q.random.IntN(4)}
}

// restart is a coordinator that begins: it reads all results again.
func (q *simulatedQueue) restart() {
	tree, err := New(toy{}, fmt.Sprint(q.seed), Options{Nodes: 10})
	if err != nil {
		q.t.Fatal(err)
	}
	q.tree, q.read, q.outstanding, q.jobs = tree, 0, map[string]Job{}, nil
}

// one reports whether something of a chance of one in n happens, which fails.
func (q *simulatedQueue) one(n int) bool { return !q.calm && q.random.IntN(n) == 0 }

// step lets something happen.
func (q *simulatedQueue) step() {
	w := q.workers[q.random.IntN(len(q.workers))]
	job, works := q.held[w.name]
	switch {
	case q.one(100):
		q.restart()
	case q.one(50): // a worker ends; a liar of another name would be a second one
		delete(q.held, w.name)
		if !w.lies {
			q.workers[slices.Index(q.workers, w)] = q.newWorker("")
		}
	case q.random.IntN(4) == 0:
		q.submit()
	case q.random.IntN(3) == 0:
		q.take()
	case works && q.random.IntN(2) == 0:
		q.answer(w, job)
	case !works && len(q.jobs) > 0:
		if job := q.jobs[q.random.IntN(len(q.jobs))]; !slices.Contains(job.Not, w.name) {
			q.held[w.name] = job // another worker may have it too, that is silent
		}
	case len(q.log) > 0 && q.one(4):
		q.log = append(q.log, q.log[q.random.IntN(len(q.log))])
	}
}

// submit lets the coordinator give a job, or do one that is for no worker.
func (q *simulatedQueue) submit() {
	if q.read < len(q.log) && q.calm || len(q.outstanding) > len(q.workers) {
		return
	}
	job, ok := q.tree.Next()
	if !ok {
		return
	}
	q.outstanding[job.ID] = job
	if job.Purpose == Judge || !slices.ContainsFunc(q.workers, func(w *toyWorker) bool {
		return !slices.Contains(job.Not, w.name) && !slices.Contains(q.tree.Liars(), w.name)
	}) {
		q.log = append(q.log, stored{q.own.run(job), true})
		return
	}
	job.Not = slices.Concat(job.Not, q.tree.Liars())
	q.jobs = append(q.jobs, job)
}

// answer is a worker that ends a job. The result or its acknowledgement may be lost.
func (q *simulatedQueue) answer(w *toyWorker, job Job) {
	delete(q.held, w.name)
	if q.one(8) {
		return
	}
	q.log = append(q.log, stored{w.run(job), false})
	if !q.one(8) {
		q.jobs = slices.DeleteFunc(q.jobs, func(j Job) bool { return j.ID == job.ID })
	}
}

// take lets the coordinator read the next result, or find the jobs that will have none.
func (q *simulatedQueue) take() {
	if q.read == len(q.log) {
		for id := range q.outstanding {
			if !slices.ContainsFunc(q.jobs, func(j Job) bool { return j.ID == id }) {
				delete(q.outstanding, id)
				q.tree.Release(id)
			}
		}
		return
	}
	r := q.log[q.read]
	q.read++
	delete(q.outstanding, r.Job.ID)
	if err := q.tree.Apply(r.Result, r.own); err != nil && !errors.Is(err, ErrLiar) {
		q.t.Fatal(err)
	}
	if value, ok := q.tree.Done(); ok {
		if want := []string{"loss", "draw", "win"}[q.graph.value(0, 0)+1]; value != want {
			q.t.Fatalf("%s, want %s", value, want)
		}
	}
	for _, name := range q.tree.Liars() {
		if w := q.workers[0]; name != w.name || !w.lies {
			q.t.Fatalf("%s is no liar", name)
		}
	}
}

// TestSimulatedQueue: whatever the queue loses, repeats and reorders, and whoever starts again, a proof is
// right or goes on; and it ends once nothing fails any more.
func TestSimulatedQueue(t *testing.T) {
	const seeds, steps, most = 300, 1000, 100000
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			q := newSimulatedQueue(t, seed)
			done := false
			for i := 0; i < most && !done; i++ {
				q.calm = i > steps
				q.step()
				_, done = q.tree.Done()
				done = done && q.calm
			}
			if !done {
				t.Errorf("no value: %+v, %d jobs, %d of %d results read", q.tree.Stats(), len(q.jobs), q.read, len(q.log))
			}
		})
	}
}

// TestDeterminism: a proof depends on nothing but the results and their order: made again of the same, it has the same
// jobs.
func TestDeterminism(t *testing.T) {
	for seed := range 30 {
		if a, b := proved(t, seed), proved(t, seed); !reflect.DeepEqual(a.log, b.log) || a.read != b.read {
			t.Errorf("seed %d: %d results, then %d", seed, len(a.log), len(b.log))
		}
	}
}
