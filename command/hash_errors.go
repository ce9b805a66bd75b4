package command

import (
	"errors"

	"trefoil/cluster"
	"trefoil/internal/cli"
	"trefoil/ttanalysis/report"
)

type hashErrors struct {
	Hash    cli.MiB       `default:"16" help:"Size in MiB, for the table by check bits."`
	Nodes   cli.Nodes     `default:"10000000" help:"Probes that miss, each of which stores its position."`
	KeyBits keyBits       `name:"keybits" default:"21" help:"Check bits, for the table by size."`
	Index   cluster.Index `enum:"${indexes}" default:"auto" help:"From key to cluster: ${enum}."`
}

// Help is printed by -h.
func (*hashErrors) Help() string {
	return `Estimates how often a table takes one position for another (a false hit). A probe compares
check bits of its key with those of the three entries of its cluster.

The first table is Zobrist's of 1970: 2^n retrievals with keys of n+m bits, each compared with
one stored key. The others are for this program's table, by check bits (HashKeyBits) and by size.`
}

func (e *hashErrors) Run(std *cli.Console) error {
	if e.Nodes == 0 {
		return errors.New("--nodes 0: want at least 1")
	}
	return report.WriteEstimate(std.Out, report.Estimate{
		MiB: uint64(e.Hash), Index: e.Index, KeyBits: int(e.KeyBits), Probes: uint64(e.Nodes),
	})
}

// keyBits is a number of check bits.
type keyBits int

// UnmarshalText reads a number of check bits that a table can compare.
func (k *keyBits) UnmarshalText(text []byte) (err error) {
	*k, err = cli.Whole[keyBits](text, cluster.MinKeyBits, cluster.MaxKeyBits)
	return err
}
