package command

import (
	"trefoil/internal/cli"
	"trefoil/ttanalysis/report"
)

type hashReport struct {
	Dir string `arg:"" help:"The directory."`
}

// Help is printed by -h.
func (*hashReport) Help() string {
	return `Makes an HTML page of audit.tsv, from hash audit --tsv, and replay.tsv, from hash replay
--tsv, in a directory; one of them is enough. The page is report.html beside them. It needs
no other file.`
}

func (r *hashReport) Run(std *cli.Console) error {
	path, err := report.WritePage(r.Dir)
	if err != nil {
		return err
	}
	std.Println(path)
	return nil
}
