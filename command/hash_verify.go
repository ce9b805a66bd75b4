package command

import (
	"context"
	"fmt"

	"trefoil/cluster"
	"trefoil/internal/cli"
)

type hashVerify struct {
	File string `arg:"" help:"The saved hash."`
}

// Help is printed by -h.
func (*hashVerify) Help() string {
	return `Names the first block that is damaged, and its first byte.

Exit status: 0; 1 if the file is not a complete saved hash; 2 if it cannot be read; 130
after Ctrl-C.`
}

func (v *hashVerify) Run(ctx context.Context, std *cli.Console) error {
	progress := cli.NewProgress(std.Err, 100)
	h, err := cluster.Verify(ctx, v.File, func(done, total uint64) { progress.Show(int(100 * done / total)) })
	progress.Clear()
	if err != nil {
		return damaged(err)
	}
	std.Println(fmt.Sprintf("%s is whole: %d blocks, %d entries", v.File, h.Blocks, h.Entries))
	return nil
}
