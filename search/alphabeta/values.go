package alphabeta

import (
	_ "embed"
	"strconv"
	"strings"
)

// valuesText has a line for each of the Params: the name, and the values for chess, shogi and Ultimate.
//
//go:embed values.txt
var valuesText string

// The parameters of the games. A game without its own has those of chess.
var Chess, Shogi, Ultimate = column(1), column(2), column(3)

// column returns the parameters in a column of the table.
func column(n int) *Params {
	values := map[string]string{}
	for line := range strings.Lines(valuesText) {
		if f := strings.Fields(line); len(f) == 4 {
			values[f[0]] = f[n]
		}
	}
	p := new(Params)
	list := p.List()
	if len(values) != 1+len(list) { // the head and the parameters
		panic("values.txt has other parameters than Params")
	}
	for _, q := range list {
		value, err := strconv.Atoi(values[q.Name])
		if err != nil {
			panic(q.Name + ": " + err.Error()) // a wrong line
		}
		*q.value = value
	}
	return p
}
