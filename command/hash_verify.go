package command

import (
	"context"
	"fmt"

	"trefoil/cluster"
	"trefoil/internal/cli"
	"trefoil/internal/container"
	"trefoil/search/exact"
	"trefoil/window"
)

type hashVerify struct {
	File string `arg:"" help:"The saved hash table, table of proofs or table of scores; - is standard input."`
}

// Help is printed by -h.
func (*hashVerify) Help() string {
	return `Names the first damaged block and its first byte.

Exit status: 0 on success; 1 if the file is damaged, incomplete or no saved table; 2 if it cannot be
read; 130 after Ctrl-C.`
}

func (v *hashVerify) Run(ctx context.Context, std *cli.Console) error {
	in := std.Input(ctx, v.File)
	kind, err := in.Kind()
	if err != nil {
		return err
	}
	bar := cli.NewProgress(std.Err, 100)
	result, err := verifyTable(ctx, kind, in, func(done, total uint64) {
		if total == 0 { // that of a stream is not known
			bar.Total = 0
			bar.Show(int(done))
			return
		}
		bar.Show(int(100 * done / total))
	})
	bar.Clear()
	if err != nil {
		return cli.Damaged(err)
	}
	std.Println(in.Name + " is intact: " + result)
	return nil
}

// verifyTable reads a file of a kind and says what it has.
func verifyTable(ctx context.Context, kind container.Kind, in container.Input,
	progress func(done, total uint64)) (string, error) {
	switch kind {
	case container.Proofs:
		h, err := window.Verify(ctx, in, progress)
		return fmt.Sprintf("%s, %d entries, %d of them solved", cli.Count(h.Blocks, "block"), h.Entries, h.Solved), err
	case container.Scores:
		h, err := exact.VerifyFile(ctx, in, progress)
		return fmt.Sprintf("%s, %d entries, %d of them with a score", cli.Count(h.Blocks, "block"), h.Entries, h.Exact), err
	}
	h, err := cluster.Verify(ctx, in, progress)
	return fmt.Sprintf("%s, %d entries", cli.Count(h.Blocks, "block"), h.Entries), err
}
