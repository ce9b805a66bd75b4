package main

import (
	"context"
	"errors"

	"trefoil/cmd/trefoil-queue/internal/jobs"
	"trefoil/cmd/trefoil-queue/internal/queue"
	"trefoil/internal/cli"
	"trefoil/internal/version"
)

type work struct {
	Queue   string      `required:"" placeholder:"URL" help:"The queue: a URL such as nats://host:4222, or a file that holds one."`
	Name    string      `placeholder:"NAME" help:"Name of this worker, different from all others; by default the machine and the process."`
	Threads cli.Threads `default:"1" help:"Search threads, which share one table."`
	Hash    cli.MiB     `default:"64" help:"Size of the table in MiB."`
	jobs.Access
}

// Help is printed by -h.
func (*work) Help() string {
	return `Takes jobs from a queue, one at a time, and sends the results back, until Ctrl-C. The jobs are
those of trefoil-queue prove and trefoil-queue book, on this machine or another one. A job that is not
finished at the end goes to another worker.

If the queue does not answer, the worker waits for it. It refuses jobs of coordinators of another
version of Trefoil: start the same build on all machines.

Exit status: 0 on success; 2 on wrong usage or failure.`
}

func (c *work) Run(ctx context.Context, std *cli.Console) error {
	q, err := c.Access.Open(ctx, std, c.Queue, 0)
	if err != nil {
		return err
	}
	defer q.Close()
	name := c.Name
	if name == "" {
		name = jobs.ProcessName()
	}
	std.Warnf("worker %s: %s, %d MiB, version %s", name, cli.Count(c.Threads, "thread"), c.Hash,
		jobs.Version(version.String()))
	return runWorker(ctx, q, name, int(c.Threads), uint64(c.Hash))
}

// runWorker does jobs until ctx ends.
func runWorker(ctx context.Context, q *queue.Queue, name string, threads int, hash uint64) (err error) {
	w := jobs.NewWorker(name, version.String(), threads, hash)
	defer func() { err = errors.Join(err, w.Close()) }()
	return w.Work(ctx, q)
}
