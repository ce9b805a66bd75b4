package command

import (
	"context"
	"fmt"

	"trefoil/game/certificate"
	"trefoil/internal/cli"
)

type verify struct {
	File string `arg:"" help:"The certificate; - is standard input."`
}

// Help is printed by -h.
func (*verify) Help() string {
	return `Checks a certificate of solve ultimate, solve mate or trefoil-queue prove, which proves the value of
a position, by the rules of the game alone. The winner, both sides of a draw, or the side that
mates play the moves of the file against all replies.

Exit status: 0 on success; 1 if the file is damaged or proves nothing; 2 if it cannot be read; 130
after Ctrl-C.`
}

func (c *verify) Run(ctx context.Context, std *cli.Console) error {
	in := std.Input(ctx, c.File)
	progress := cli.NewProgress(std.Err, 100)
	s, err := certificate.Verify(ctx, in, func(done, total uint64) { progress.Show(int(100 * done / max(total, 1))) })
	progress.Clear()
	if err != nil {
		return cli.Damaged(err)
	}
	std.Println(fmt.Sprintf("%s\t%s", s.Value, s.Position))
	std.Println(fmt.Sprintf("# %s is a proof: %s, %d bytes", in.Name, cli.Count(s.Positions, "position"), s.FileBytes))
	return nil
}
