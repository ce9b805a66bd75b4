package command

import (
	"context"
	"fmt"

	"trefoil/cluster"
	"trefoil/internal/cli"
	"trefoil/internal/container"
	"trefoil/window"
)

type hashVerify struct {
	File string `arg:"" help:"The saved hash or table of proofs."`
}

// Help is printed by -h.
func (*hashVerify) Help() string {
	return `Names the first block that is damaged, and its first byte.

Exit status: 0; 1 if the file is not complete; 2 if it cannot be read; 130
after Ctrl-C.`
}

func (v *hashVerify) Run(ctx context.Context, std *cli.Console) error {
	bar := cli.NewProgress(std.Err, 100)
	progress := func(done, total uint64) { bar.Show(int(100 * done / max(total, 1))) }
	if kind, _ := container.KindOf(v.File); kind == container.Proofs {
		h, err := window.Verify(ctx, v.File, progress)
		bar.Clear()
		if err != nil {
			return damaged(err)
		}
		std.Println(fmt.Sprintf("%s is whole: %d blocks, %d entries, %d of them solved", v.File, h.Blocks, h.Entries, h.Solved))
		return nil
	}
	h, err := cluster.Verify(ctx, v.File, progress)
	bar.Clear()
	if err != nil {
		return damaged(err)
	}
	std.Println(fmt.Sprintf("%s is whole: %d blocks, %d entries", v.File, h.Blocks, h.Entries))
	return nil
}
