package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"trefoil/cmd/trefoil-queue/internal/jobs"
	"trefoil/cmd/trefoil-queue/internal/queue"
	"trefoil/internal/cli"
	"trefoil/internal/version"
)

type work struct {
	Queue   string      `required:"" placeholder:"URL" help:"The queue: a URL such as nats://host:4222, or a file that holds one, such as worker.url."`
	Name    workerName  `placeholder:"NAME" help:"Name of this worker, at most 100 bytes; by default the machine and the process. A hash of the key that it makes at its start is added."`
	Threads cli.Threads `default:"1" help:"Search threads, which share one table."`
	Hash    cli.MiB     `default:"64" help:"Size of the table in MiB."`
	jobs.Access
}

// workerName is the name of a worker.
type workerName string

// UnmarshalText reads a name.
func (n *workerName) UnmarshalText(text []byte) error {
	if len(text) > queue.MaxName || !utf8.Valid(text) {
		return fmt.Errorf("it is not a text of at most %d bytes", queue.MaxName)
	}
	*n = workerName(text)
	return nil
}

// Help is printed by -h.
func (*work) Help() string {
	return `Takes jobs from a queue, one at a time, and sends the results back, until Ctrl-C. The jobs are
those of trefoil-queue prove and trefoil-queue book, on this machine or another one. A job that is not
finished at the end goes to another worker.

The worker signs its results by a key that it makes at its start, and that its name ends with a hash
of. Of trefoil-queue queue serve it needs the file worker.url. If the queue does not answer, or has
no coordinator yet, the worker waits. It takes no jobs whose rules or meaning
are not its own, as another version of Trefoil may have: "jobs" and a number in its first message say
which it takes. The same build on all machines always fits.

Exit status: 0 on success; 2 on wrong usage or failure.`
}

func (c *work) Run(ctx context.Context, std *cli.Console) error {
	as := queue.NewIdentity(cmp.Or(string(c.Name), jobs.ProcessName()))
	std.Warnf("worker %s: %s, %d MiB, version %s, %s", as.Name(), cli.Count(c.Threads, "thread"), c.Hash,
		version.String(), jobs.Version())
	q, err := c.Access.Open(ctx, std, c.Queue, queue.Options{Worker: true})
	if errors.Is(err, context.Canceled) {
		return nil // while it waited
	}
	if err != nil {
		return err
	}
	defer q.Close()
	return runWorker(ctx, q, as, int(c.Threads), uint64(c.Hash))
}

// runWorker does jobs until ctx ends.
func runWorker(ctx context.Context, q *queue.Queue, as *queue.Identity, threads int, hash uint64) (err error) {
	w := jobs.NewWorker(as.Name(), threads, hash)
	defer func() { err = errors.Join(err, w.Close()) }()
	return w.Work(ctx, q, as)
}
