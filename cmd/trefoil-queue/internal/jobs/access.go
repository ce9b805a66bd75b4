package jobs

import (
	"context"
	"fmt"
	"os"

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

// Open connects to the queue at a URL, or in a file that holds it, with these options and those of the access.
func (a *Access) Open(ctx context.Context, std *cli.Console, where string,
	o queue.Options) (_ *queue.Queue, err error) {
	if o.URL, err = queue.ReadURL(where); err != nil {
		return nil, err
	}
	o.User, o.Password, o.Creds, o.NKey = a.User, a.Password, a.Creds, a.NKey
	o.TLSCert, o.TLSKey, o.TLSCA = a.TLSCert, a.TLSKey, a.TLSCA
	o.Name, o.Warn = ProcessName(), std.Warnf
	return queue.Connect(ctx, o)
}

// ProcessName tells this process from processes of other machines.
func ProcessName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}
