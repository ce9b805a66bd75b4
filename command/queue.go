package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"trefoil/internal/cli"
	"trefoil/queue"
)

type queues struct {
	Serve  queueServe  `cmd:"" help:"Serve the queue of trefoil prove and trefoil work to other machines."`
	Status queueStatus `cmd:"" help:"Show what is under way at a queue."`
}

// queueAccess is how a subcommand is known to a queue. The variables are those of NATS's own commands.
type queueAccess struct {
	User     string `setting:"-" env:"NATS_USER" placeholder:"NAME" group:"access" help:"User of the queue."`
	Password string `setting:"-" env:"NATS_PASSWORD" placeholder:"WORD" group:"access" help:"Password of the user; better in NATS_PASSWORD or in the file of --queue, where no list of processes shows it."`
	Creds    string `setting:"-" env:"NATS_CREDS" placeholder:"FILE" group:"access" help:"Credentials: a file with a JWT and a seed, as nsc writes it."`
	NKey     string `name:"nkey" setting:"-" env:"NATS_NKEY" placeholder:"FILE" group:"access" help:"A file with the seed of an NKey."`
	TLSCert  string `name:"tlscert" setting:"-" env:"NATS_CERT" placeholder:"FILE" group:"access" help:"Our certificate for TLS."`
	TLSKey   string `name:"tlskey" setting:"-" env:"NATS_KEY" placeholder:"FILE" group:"access" help:"The key of the certificate."`
	TLSCA    string `name:"tlsca" setting:"-" env:"NATS_CA" placeholder:"FILE" group:"access" help:"The certificate authority that vouches for the queue; that of the system if not given."`
}

// connect connects to the queue at a URL, or in a file that holds it.
func (a *queueAccess) connect(ctx context.Context, std *cli.Console, where string) (*queue.Queue, error) {
	url, err := queue.ReadURL(where)
	if err != nil {
		return nil, err
	}
	o := a.options(std)
	o.URL = url
	return queue.Connect(ctx, o)
}

func (a *queueAccess) options(std *cli.Console) queue.Options {
	return queue.Options{
		User: a.User, Password: a.Password, Creds: a.Creds, NKey: a.NKey, TLSCert: a.TLSCert, TLSKey: a.TLSKey, TLSCA: a.TLSCA,
		Name: processName(), Warn: std.Warnf,
	}
}

// processName tells this process from those of other machines.
func processName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}

// queueFolder says where a queue has its state.
type queueFolder struct {
	Dir string `setting:"-" placeholder:"DIR" help:"Folder of the queue, with all jobs and results; by default trefoil/queue where the system keeps the state of programs."`
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
	Listen  string `default:"127.0.0.1:4222" placeholder:"HOST:PORT" help:"Where to listen; port 0 is one that is free."`
	TLSCert string `name:"tlscert" placeholder:"FILE" help:"Certificate for TLS; without it connections are not encrypted."`
	TLSKey  string `name:"tlskey" placeholder:"FILE" help:"The key of the certificate."`
}

// Help is printed by -h.
func (*queueServe) Help() string {
	return `Runs a NATS server with JetStream, which any nats-server can replace. Its user, trefoil, has a random
password. The file url in the folder has address and password; copy it to the other machines, where

    trefoil prove --queue url ultimate FILE
    trefoil work --queue url

find the queue. Only its owner can read the file. Without --listen only this machine reaches the queue.

All jobs and results are in the folder. They survive the end of the server, at any moment. To
forget all of them, remove the folder. Ctrl-C ends the server.

Exit status: 0; 2 on wrong usage or failure.`
}

func (c *queueServe) Run(ctx context.Context, std *cli.Console) error {
	s, err := c.serve(std, c.Listen, c.TLSCert, c.TLSKey)
	if err != nil {
		return err
	}
	defer s.Close()
	std.Println("serving at " + s.Address() + "; address and password for other machines: " + s.URLFile())
	select {
	case <-s.Failed():
		return s.Err()
	case <-ctx.Done():
		return nil
	}
}

type queueStatus struct {
	queueFolder
	Queue string `placeholder:"URL" help:"The queue: a URL such as nats://host:4222, or a file that holds it; by default that of --dir."`
	queueAccess
	JSON bool `name:"json" help:"Print an object of JSON in place of each line."`
}

// Help is printed by -h.
func (*queueStatus) Help() string {
	return `Prints a line for each task at the queue that has a coordinator, such as trefoil prove: jobs that are done,
that wait and that are in work, workers, and how far it is; then a line for each worker.

docs/formats.md describes the JSON. The same object stands at the queue under the key of the task in the
bucket TREFOIL_RUNS, for programs that follow it.`
}

func (c *queueStatus) Run(ctx context.Context, std *cli.Console) error {
	where := c.Queue
	if where == "" {
		dir, err := c.path()
		if err != nil {
			return err
		}
		where = filepath.Join(dir, "url")
	}
	q, err := c.connect(ctx, std, where)
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
		c.print(std, w, fmt.Sprintf("worker %s: %d jobs done, version %s", w.Worker, w.Done, w.Version))
	}
	if len(all) == 0 {
		std.Warn("no coordinator is at this queue")
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
