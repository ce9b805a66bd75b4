package command

import (
	"errors"
	"fmt"

	"trefoil/cluster"
	"trefoil/internal/cli"
	"trefoil/internal/container"
	"trefoil/window"
)

type hashInspect struct {
	File string `arg:"" help:"The saved hash or table of proofs."`
}

// Help is printed by -h.
func (*hashInspect) Help() string {
	return `Checks the header and the length of the file, not its blocks.

Exit status: 0; 1 if the file is not complete; 2 if it cannot be read.`
}

func (i *hashInspect) Run(std *cli.Console) error {
	if kind, _ := container.KindOf(i.File); kind == container.Proofs {
		return i.proofs(std)
	}
	h, err := cluster.Inspect(i.File)
	if err != nil {
		return damaged(err)
	}
	mib := h.Clusters / cluster.ClustersPerMiB
	options := "any Hash, HashIndex " + h.Index.String()
	if h.Index == cluster.Pow2 {
		options = fmt.Sprintf("Hash %d, HashIndex %s", mib, h.Index)
	}
	if h.KeyBits != cluster.MaxKeyBits { // the default of HashKeyBits
		options += fmt.Sprintf(", HashKeyBits %d or fewer", h.KeyBits)
	}
	printFields(std, [][2]string{
		{"file", fmt.Sprintf("%s, %d bytes, format %d", i.File, h.FileBytes, container.Version)},
		{"game", h.Game},
		{"key seed", h.Seed},
		{"evaluation", h.Evaluation},
		{"size", fmt.Sprintf("%s of %d asked: %d clusters of %d bytes", h.Size(), h.MiB, h.Clusters, cluster.BytesPerCluster)},
		{"index", h.Index.String()},
		{"key bits", fmt.Sprint(h.KeyBits)},
		{"generation", fmt.Sprint(h.Generation)},
		{"entries", fmt.Sprintf("%d (%.1f %%)", h.Entries, 100*float64(h.Entries)/float64(3*h.Clusters))},
		{"blocks", fmt.Sprintf("%d of up to %d MiB", h.Blocks, cluster.BlockBytes>>20)},
		{"to load it", options},
	})
	return nil
}

// proofs prints the header of a saved table of proofs.
func (i *hashInspect) proofs(std *cli.Console) error {
	h, err := window.Inspect(i.File)
	if err != nil {
		return damaged(err)
	}
	printFields(std, [][2]string{
		{"file", fmt.Sprintf("%s, %d bytes, format %d", i.File, h.FileBytes, container.Version)},
		{"game", h.Game},
		{"goal", h.Convention},
		{"key seed", h.Seed},
		{"size", fmt.Sprintf("%.1f MiB: %d slots of %d bytes", float64(h.Slots)*window.BytesPerSlot/(1<<20), h.Slots, window.BytesPerSlot)},
		{"generation", fmt.Sprint(h.Generation)},
		{"entries", fmt.Sprintf("%d (%.1f %%)", h.Entries, 100*float64(h.Entries)/float64(max(h.Slots, 1)))},
		{"blocks", fmt.Sprintf("%d of up to %d MiB", h.Blocks, container.MaxBlock>>20)},
		{"to load it", fmt.Sprintf("solve %s --load, any --hash", h.Game)},
	})
	return nil
}

// printFields prints names and values in two columns.
func printFields(std *cli.Console, fields [][2]string) {
	for _, f := range fields {
		std.Println(fmt.Sprintf("%-10s  %s", f[0], f[1]))
	}
}

// damaged gives an error of a file its exit status: StatusWrong if the file was read and is
// not what it should be.
func damaged(err error) error {
	if wrong := (*container.Error)(nil); errors.As(err, &wrong) {
		return &cli.Status{Code: cli.StatusWrong, Err: err}
	}
	return err
}
