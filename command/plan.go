package command

import (
	"strconv"

	"trefoil/engine"
	"trefoil/internal/cli"
)

type hashPlan struct {
	MiB   cli.MiB `arg:"" name:"mib" help:"Size of the table in MiB."`
	Index string  `arg:"" optional:"" default:"auto" enum:"auto,mul32,mul64,pow2" help:"From key to cluster: auto (the default), mul32, mul64 or pow2."`
}

// Help is printed by -h.
func (*hashPlan) Help() string {
	return `Prints the clusters of the table, whether the 32-bit index reaches them, the memory of
the machine, and whether the table fits. Nothing is allocated.`
}

func (p *hashPlan) Run(std *cli.Console) error {
	return engine.HashPlan(strconv.FormatUint(uint64(p.MiB), 10), p.Index, std.Println)
}
