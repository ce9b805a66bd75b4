package command

import (
	"context"
	"fmt"

	"trefoil/cluster"
	"trefoil/game/connect4"
	"trefoil/internal/cli"
	"trefoil/internal/container"
	"trefoil/search/exact"
	"trefoil/window"
)

type hashInspect struct {
	File string `arg:"" help:"The saved hash table, table of proofs or table of scores; - is standard input."`
}

// Help is printed by -h.
func (*hashInspect) Help() string {
	return `Checks the header and the length of the file, but not its blocks. A pipe or standard input is read
to the end and checked as by hash verify.

Exit status: 0 on success; 1 if the file is damaged, incomplete or no saved table; 2 if it cannot be
read; 130 after Ctrl-C.`
}

func (i *hashInspect) Run(ctx context.Context, std *cli.Console) error {
	in := std.Input(ctx, i.File)
	kind, err := in.Kind()
	if err != nil {
		return err
	}
	var fields [][2]string
	switch kind {
	case container.Proofs:
		fields, err = proofsFields(ctx, in)
	case container.Scores:
		fields, err = scoresFields(ctx, in)
	default:
		fields, err = hashFields(ctx, in)
	}
	if err != nil {
		return cli.Damaged(err)
	}
	for _, f := range fields {
		std.Println(fmt.Sprintf("%-10s  %s", f[0], f[1]))
	}
	return nil
}

// fileText describes a file, which format knows.
func fileText(in container.Input, bytes uint64) string {
	return fmt.Sprintf("%s, %d bytes, format %d", in.Name, bytes, container.Version)
}

// hashFields returns names and values of the header of a saved hash.
func hashFields(ctx context.Context, in container.Input) ([][2]string, error) {
	h, err := cluster.Inspect(ctx, in)
	if err != nil {
		return nil, err
	}
	options := "any Hash, HashIndex " + h.Index.String()
	if h.Index == cluster.Pow2 {
		options = fmt.Sprintf("a Hash of %s, HashIndex %s", h.Size(), h.Index)
	}
	if h.KeyBits != cluster.MaxKeyBits { // the default of HashKeyBits
		options += fmt.Sprintf(", HashKeyBits %d or fewer", h.KeyBits)
	}
	return [][2]string{
		{"file", fileText(in, h.FileBytes)},
		{"game", h.Game},
		{"key seed", h.Seed},
		{"evaluation", h.Evaluation},
		{"size", fmt.Sprintf("%s of %d requested: %d clusters of %d bytes", h.Size(), h.MiB, h.Clusters,
			cluster.BytesPerCluster)},
		{"index", h.Index.String()},
		{"key bits", fmt.Sprint(h.KeyBits)},
		{"generation", fmt.Sprint(h.Generation)},
		{"entries", fmt.Sprintf("%d (%.1f %%)", h.Entries, 100*float64(h.Entries)/float64(3*h.Clusters))},
		{"blocks", fmt.Sprintf("%d of up to %d MiB", h.Blocks, cluster.BlockBytes>>20)},
		{"to load it", options},
	}, nil
}

// proofsFields returns names and values of the header of a saved table of proofs.
func proofsFields(ctx context.Context, in container.Input) ([][2]string, error) {
	h, err := window.Inspect(ctx, in)
	if err != nil {
		return nil, err
	}
	return [][2]string{
		{"file", fileText(in, h.FileBytes)},
		{"game", h.Game},
		{"goal", h.Convention},
		{"key seed", h.Seed},
		{"size", fmt.Sprintf("%.1f MiB: %d slots of %d bytes", float64(h.Slots)*window.BytesPerSlot/(1<<20), h.Slots,
			window.BytesPerSlot)},
		{"generation", fmt.Sprint(h.Generation)},
		{"entries", fmt.Sprintf("%d (%.1f %%)", h.Entries, 100*float64(h.Entries)/float64(max(h.Slots, 1)))},
		{"blocks", fmt.Sprintf("%d of up to %d MiB", h.Blocks, container.MaxBlock>>20)},
		{"to load it", fmt.Sprintf("solve %s --load, any --hash", h.Game)},
	}, nil
}

// scoresFields returns names and values of the header of a saved table of scores.
func scoresFields(ctx context.Context, in container.Input) ([][2]string, error) {
	h, err := exact.InspectFile(ctx, in)
	if err != nil {
		return nil, err
	}
	flags := ""
	if h.Board != connect4.Standard {
		flags = fmt.Sprintf(" --size %dx%d --connect %d", h.Board.Width, h.Board.Height, h.Board.Connect)
	}
	return [][2]string{
		{"file", fileText(in, h.FileBytes)},
		{"game", "connect4"},
		{"board", h.Board.String()},
		{"entries", fmt.Sprint(h.Entries)},
		{"blocks", fmt.Sprintf("%d of up to %d MiB", h.Blocks, container.MaxBlock>>20)},
		{"to load it", "solve connect4" + flags + " --load, any --hash"},
	}, nil
}
