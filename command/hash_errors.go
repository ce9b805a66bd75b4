package command

import (
	"errors"

	"trefoil/cluster"
	"trefoil/internal/cli"
	"trefoil/ttanalysis/report"
)

type hashErrors struct {
	Hash    cli.MiB       `default:"16" help:"Table size in MiB, for the result by check bits."`
	Nodes   cli.Nodes     `default:"10000000" help:"Probes; each of them misses and stores its position."`
	KeyBits keyBits       `name:"keybits" default:"21" help:"Check bits, for the result by size."`
	Index   cluster.Index `enum:"${indexes}" default:"auto" help:"How keys are mapped to clusters: ${enum}."`
}

// Help is printed by -h.
func (*hashErrors) Help() string {
	return `Computes how often a table is expected to take one position for another (a false hit). A probe
compares the check bits of its key with those of the three entries of its cluster.

The first result is Zobrist's of 1970: 2^n retrievals with keys of n+m bits, each compared with
one stored key. The others are for the table of this program, by check bits (HashKeyBits) and by
size.`
}

func (e *hashErrors) Run(std *cli.Console) error {
	if e.Nodes == 0 {
		return errors.New("--nodes 0: expected at least 1")
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
