package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"trefoil/cmd/trefoil-queue/internal/jobs"
	"trefoil/cmd/trefoil-queue/internal/queue"
	"trefoil/internal/cli"
)

type queues struct {
	Serve  queueServe  `cmd:"" help:"Run the server of the queue."`
	Status queueStatus `cmd:"" help:"Show the tasks and the workers of a queue."`
}

// queueFolder says where a queue has its state.
type queueFolder struct {
	Dir string `setting:"-" placeholder:"DIR" xor:"dir" help:"Folder of the queue, with all jobs and results; by default trefoil/queue in the folder that the system has for the state of programs."`
}

// path is the folder.
func (f *queueFolder) path() (string, error) {
	if f.Dir != "" {
		return f.Dir, nil
	}
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "trefoil", "queue"), nil
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		dir, err := os.UserConfigDir()
		return filepath.Join(dir, "trefoil", "queue"), err
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "trefoil", "queue"), err
}

// serve starts the server of the folder.
func (f *queueFolder) serve(std *cli.Console, listen, cert, key string) (*queue.Server, error) {
	dir, err := f.path()
	if err != nil {
		return nil, err
	}
	return queue.Serve(queue.ServerOptions{Dir: dir, Listen: listen, TLSCert: cert, TLSKey: key, Warn: std.Warnf})
}

type queueServe struct {
	queueFolder
	Listen  string `default:"127.0.0.1:4222" placeholder:"HOST:PORT" help:"Address to listen at (default 127.0.0.1:4222); port 0 chooses a free one."`
	TLSCert string `name:"tlscert" placeholder:"FILE" help:"Certificate for TLS; without it connections are not encrypted."`
	TLSKey  string `name:"tlskey" placeholder:"FILE" help:"Private key of the certificate."`
}

// Help is printed by -h.
func (*queueServe) Help() string {
	return `Runs a NATS server with JetStream; any nats-server can take its place. It has two users with random
passwords. The files coordinator.url and worker.url in the folder have the address and the
passwords; only their owner can read them. Copy one of them to each of the other machines, where

    trefoil-queue prove --queue coordinator.url ultimate FILE
    trefoil-queue work --queue worker.url

find the queue. The worker file does not let anyone speak for the coordinator. Without --listen,
only this machine can reach the queue.

All jobs and results are in the folder. They are kept when the server ends, even if it is killed.
To delete them all, remove the folder. Ctrl-C ends the server.

Exit status: 0 on success; 2 on wrong usage or failure.`
}

func (c *queueServe) Run(ctx context.Context, std *cli.Console) error {
	s, err := c.serve(std, c.Listen, c.TLSCert, c.TLSKey)
	if err != nil {
		return err
	}
	defer s.Close()
	std.Println("serving at " + s.Address() + "; address and passwords for other machines: " + s.CoordinatorFile() + ", " +
		s.WorkerFile())
	select {
	case <-s.Failed():
		return s.Err()
	case <-ctx.Done():
		return nil
	}
}

type queueStatus struct {
	queueFolder
	Queue string `placeholder:"URL" xor:"dir" help:"The queue: a URL such as nats://host:4222, or a file that holds one, such as coordinator.url; by default that of --dir."`
	jobs.Access
	JSON    bool        `name:"json" help:"Print a JSON object instead of each line."`
	Timeout cli.Timeout `default:"10s" help:"Give up if the queue does not answer within this time; 0: never."`
}

// Help is printed by -h.
func (*queueStatus) Help() string {
	return `Prints a line for each task that has a coordinator, trefoil-queue prove or trefoil-queue book: jobs done,
waiting and in work, workers and progress; then a line for each worker. It has to be a coordinator
at the queue: worker.url is not enough.

docs/formats.md describes the JSON. Programs that follow a task find the same object in the queue,
in the bucket TREFOIL_RUNS under the key of the task.`
}

func (c *queueStatus) Run(ctx context.Context, std *cli.Console) error {
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(c.Timeout),
			fmt.Errorf("the queue has not answered within %v", c.Timeout))
		defer cancel()
	}
	where := c.Queue
	if where == "" {
		dir, err := c.path()
		if err != nil {
			return err
		}
		where = filepath.Join(dir, "coordinator.url")
		if _, err := os.Stat(where); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: no queue has been served from this folder", dir)
		}
	}
	q, err := c.Access.Open(ctx, std, where, queue.Options{})
	if err != nil {
		return err
	}
	defer q.Close()
	all, err := q.Statuses(ctx)
	if err != nil {
		return err
	}
	workers, err := q.Workers(ctx)
	if err != nil {
		return err
	}
	for _, s := range all {
		c.print(std, s, s.Line())
	}
	for _, w := range workers {
		c.print(std, w, fmt.Sprintf("worker %s: %s done, version %s", w.Worker, cli.Count(w.Done, "job"), w.Version))
	}
	if len(all) == 0 {
		std.Warn("this queue has no coordinator")
	}
	return nil
}

// print prints an object, or the line that says the same.
func (c *queueStatus) print(std *cli.Console, object any, line string) {
	if c.JSON {
		data, _ := json.Marshal(object)
		line = string(data)
	}
	std.Println(line)
}
