package jobs

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"trefoil/cmd/trefoil-queue/internal/queue"
	"trefoil/internal/cli"
)

// Access is how a subcommand is known to a queue. NATS's own commands read the same variables. It is Open that
// reads them, because they say nothing about a queue that a subcommand serves itself.
type Access struct {
	User     string `setting:"-" placeholder:"NAME" group:"access" help:"User of the queue ($NATS_USER)."`
	Password string `setting:"-" placeholder:"WORD" group:"access" help:"Password of the user. $NATS_PASSWORD and the file of --queue are safer, as lists of processes do not show them."`
	Creds    string `setting:"-" placeholder:"FILE" group:"access" help:"File with credentials, a JWT and a seed, as written by nsc ($NATS_CREDS)."`
	NKey     string `name:"nkey" setting:"-" placeholder:"FILE" group:"access" help:"File with the seed of an NKey ($NATS_NKEY)."`
	TLSCert  string `name:"tlscert" setting:"-" placeholder:"FILE" group:"access" help:"Certificate of this process for TLS ($NATS_CERT)."`
	TLSKey   string `name:"tlskey" setting:"-" placeholder:"FILE" group:"access" help:"Private key of the certificate ($NATS_KEY)."`
	TLSCA    string `name:"tlsca" setting:"-" placeholder:"FILE" group:"access" help:"Certificate authority that signed the certificate of the queue; by default those of the system ($NATS_CA)."`
}

// Open connects to the queue at a URL, or in a file that holds it, with these options and those of the access.
func (a *Access) Open(ctx context.Context, std *cli.Console, where string,
	o queue.Options) (_ *queue.Queue, err error) {
	if o.URL, err = queue.ReadURL(where); err != nil {
		return nil, err
	}
	for _, f := range []struct {
		to             *string
		flag, variable string
	}{
		{&o.User, a.User, "NATS_USER"}, {&o.Password, a.Password, "NATS_PASSWORD"}, {&o.Creds, a.Creds, "NATS_CREDS"},
		{&o.NKey, a.NKey, "NATS_NKEY"}, {&o.TLSCert, a.TLSCert, "NATS_CERT"}, {&o.TLSKey, a.TLSKey, "NATS_KEY"},
		{&o.TLSCA, a.TLSCA, "NATS_CA"},
	} {
		*f.to = cmp.Or(f.flag, os.Getenv(f.variable))
	}
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
