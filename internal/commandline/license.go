package commandline

import "trefoil/internal/cli"

type license struct{}

func (*license) Run(p *Program, std *cli.Console) error {
	_, err := std.Out.Write([]byte(p.Licenses))
	return err
}
