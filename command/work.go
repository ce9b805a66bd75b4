package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"

	"trefoil/engine"
	"trefoil/internal/cli"
	"trefoil/queue"
	"trefoil/search/jobproof"
	"trefoil/search/jobproof/games"
)

type work struct {
	Queue   string      `required:"" placeholder:"URL" help:"The queue: a URL such as nats://host:4222, or a file that holds it."`
	Name    string      `placeholder:"NAME" help:"Name of this worker, unlike that of any other; by default machine and process."`
	Threads cli.Threads `default:"1" help:"Threads over one table."`
	Hash    cli.MiB     `default:"64" help:"Size of the table in MiB."`
	queueAccess
}

// Help is printed by -h.
func (*work) Help() string {
	return `Takes jobs from a queue, one at a time, and sends the results back, until Ctrl-C. The jobs are those
of trefoil prove on this machine or another one. The job that is under way at the end goes to another worker.

If the queue does not answer the worker waits for it. It refuses to work for coordinators of another version of
Trefoil; start the same build on all machines.

Exit status: 0; 2 on wrong usage or failure.`
}

func (c *work) Run(ctx context.Context, std *cli.Console) error {
	q, err := c.connect(ctx, std, c.Queue)
	if err != nil {
		return err
	}
	defer q.Close()
	name := c.Name
	if name == "" {
		name = processName()
	}
	std.Warnf("worker %s: %d threads, %d MiB, version %s", name, c.Threads, c.Hash, jobVersion())
	return runWorker(ctx, q, name, int(c.Threads), uint64(c.Hash))
}

// runWorker does jobs until ctx ends.
func runWorker(ctx context.Context, q *queue.Queue, name string, threads int, hash uint64) (err error) {
	w, err := newWorker(name, threads, hash)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return q.Work(ctx, queue.Worker{Name: name, Version: jobVersion()}, func(ctx context.Context, j queue.Job) (any, error) {
		var job jobproof.Job
		if err := json.Unmarshal(j.Body, &job); err != nil {
			return nil, err
		}
		return w.Run(ctx, job)
	})
}

func newWorker(name string, threads int, hash uint64) (*jobproof.Worker, error) {
	return jobproof.NewWorker(jobproof.WorkerOptions{Name: name, Engine: engine.Version(), Hash: hash, Threads: threads}, games.All()...)
}

// jobVersion names the version of all jobs: that of the program, and a hash of what the goals of all games mean.
func jobVersion() string {
	h := fnv.New32a()
	for _, g := range games.All() {
		fmt.Fprintln(h, jobproof.Version(g, engine.Version()))
	}
	return fmt.Sprintf("%s (goals %08x)", engine.Version(), h.Sum32())
}
