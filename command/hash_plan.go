package command

import (
	"trefoil/cluster"
	"trefoil/engine/table"
	"trefoil/internal/cli"
	"trefoil/internal/mem"
)

type hashPlan struct {
	MiB   cli.MiB       `arg:"" name:"mib" help:"Size of the table in MiB."`
	Index cluster.Index `arg:"" optional:"" default:"auto" enum:"${indexes}" help:"How keys are mapped to clusters: ${enum}; auto by default."`
}

// Help is printed by -h.
func (*hashPlan) Help() string {
	return `Prints the number of clusters, whether the 32-bit index reaches all of them, the memory of the
machine, and whether the table fits. Nothing is allocated.`
}

func (p *hashPlan) Run(std *cli.Console) error {
	return table.PlanCluster(uint64(p.MiB), p.Index, mem.AutoPages, std.Println)
}
