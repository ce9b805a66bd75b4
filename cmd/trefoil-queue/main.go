// Trefoil-queue divides hard proofs and opening books among workers on many machines: it is the
// coordinator, a worker, or the queue between them. docs/scale.md describes it.
package main

import (
	_ "embed"
	"os"

	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/internal/commandline"
	"trefoil/internal/version"
)

//go:generate go run ../../tools/licenses -dir ../.. -o licenses.txt ./cmd/trefoil-queue

// licenses are the licences of the program and of what is linked into it.
//
//go:embed licenses.txt
var licenses string

// root is the command line.
type root struct {
	Prove prove  `cmd:"" help:"Prove hard positions with many workers, on one or more machines."`
	Book  books  `cmd:"" help:"Make an opening book with many workers."`
	Work  work   `cmd:"" help:"Run a worker for prove and book."`
	Queue queues `cmd:"" help:"The queue of prove and book."`
	commandline.Shared
}

const description = `Trefoil-queue divides hard proofs and opening books among workers on many machines.
One process coordinates (prove or book), the others work, and a queue is between them.`

func main() { os.Exit(program().Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func program() *commandline.Program {
	return &commandline.Program{
		Name: "trefoil-queue", Title: "Trefoil-queue", Version: version.String(),
		About: "proofs and opening books by many machines",
		Help:  description, Licenses: licenses, Root: func() any { return new(root) },
		Vars: proofVars(), MaxThreads: config.MaxThreads, MaxMiB: cluster.MaxMiB,
	}
}
