package jobs

import (
	"context"
	"fmt"
	"os"
	"time"

	"trefoil/cmd/trefoil-queue/internal/queue"
	"trefoil/internal/cli"
)

// Access is how a subcommand is known to a queue. NATS's own commands read the same variables.
type Access struct {
	User     string `setting:"-" env:"NATS_USER" placeholder:"NAME" group:"access" help:"User of the queue."`
	Password string `setting:"-" env:"NATS_PASSWORD" placeholder:"WORD" group:"access" help:"Password of the user. NATS_PASSWORD and the file of --queue are safer, as lists of processes do not show them."`
	Creds    string `setting:"-" env:"NATS_CREDS" placeholder:"FILE" group:"access" help:"File with credentials, a JWT and a seed, as written by nsc."`
	NKey     string `name:"nkey" setting:"-" env:"NATS_NKEY" placeholder:"FILE" group:"access" help:"File with the seed of an NKey."`
	TLSCert  string `name:"tlscert" setting:"-" env:"NATS_CERT" placeholder:"FILE" group:"access" help:"Client certificate for TLS."`
	TLSKey   string `name:"tlskey" setting:"-" env:"NATS_KEY" placeholder:"FILE" group:"access" help:"Private key of the certificate."`
	TLSCA    string `name:"tlsca" setting:"-" env:"NATS_CA" placeholder:"FILE" group:"access" help:"Certificate authority that signed the certificate of the queue; by default those of the system."`
}

// Open connects a coordinator to the queue at a URL, or in a file that holds it. A worker that is silent
// for ackWait then loses its job; 0 leaves that as it is.
func (a *Access) Open(ctx context.Context, std *cli.Console, where string, ackWait cli.Timeout) (*queue.Queue, error) {
	return a.open(ctx, std, where, queue.Options{AckWait: time.Duration(ackWait)})
}

// OpenWorker is Open for a worker.
func (a *Access) OpenWorker(ctx context.Context, std *cli.Console, where string) (*queue.Queue, error) {
	return a.open(ctx, std, where, queue.Options{Worker: true})
}

func (a *Access) open(ctx context.Context, std *cli.Console, where string, o queue.Options) (*queue.Queue, error) {
	url, err := queue.ReadURL(where)
	if err != nil {
		return nil, err
	}
	return queue.Connect(ctx, queue.Options{
		URL: url, User: a.User, Password: a.Password, Creds: a.Creds, NKey: a.NKey, TLSCert: a.TLSCert, TLSKey: a.TLSKey,
		TLSCA: a.TLSCA,
		Name:  ProcessName(), Worker: o.Worker, AckWait: o.AckWait, Warn: std.Warnf,
	})
}

// ProcessName tells this process from processes of other machines.
func ProcessName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}
