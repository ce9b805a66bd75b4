package command

import _ "embed"

//go:generate go run ../tools/licenses -dir .. -o licenses.txt

// licenses are the licences of the engine and of what is linked into it.
//
//go:embed licenses.txt
var licenses string
