package command

import (
	_ "embed"

	"trefoil/internal/cli"
)

//go:generate go run ../tools/licenses -dir .. -o licenses.txt

// licenses are the licences of the program and of what is linked into it.
//
//go:embed licenses.txt
var licenses string

type license struct{}

func (*license) Run(std *cli.Console) error {
	_, err := std.Out.Write([]byte(licenses))
	return err
}
