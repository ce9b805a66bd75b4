package tests

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/engine"
	"trefoil/options"
)

// settings are lines that set every option that p lists to good and bad values. Files are
// in dir.
func settings(p options.Protocol, dir string) (lines []string) {
	e := engine.New()
	defer e.Close()
	for _, o := range e.Options().List(p) {
		values := []string{"", "x", "-1", "99999999999999999999", "<empty>", "日本", "a  b", "name value"}
		switch o.Kind {
		case options.KindSpin:
			for _, n := range []int{o.Min, o.Min + 1, o.Min - 1, o.Max + 1} {
				values = append(values, fmt.Sprint(n))
			}
			values = append(values, o.Default)
		case options.KindCheck:
			values = append(values, "true", "FALSE")
		case options.KindCombo:
			values = append(values, o.Vars...)
		case options.KindString:
			for i, v := range values {
				values[i] = filepath.Join(dir, v)
			}
		}
		for _, v := range values {
			lines = append(lines, strings.TrimSuffix("setoption name "+o.Name(p)+" value "+v, " value "))
		}
	}
	return lines
}

// TestMonkeyOptions sets the options of both protocols to values of every kind, between
// and during searches of all games.
func TestMonkeyOptions(t *testing.T) {
	n := 30
	if *long {
		n = 1000
	}
	uci, usi := settings(options.UCI, t.TempDir()), settings(options.USI, t.TempDir())
	for stream, c := range []struct {
		first string
		verbs []string
		lines [][]string
	}{
		{"", uciVerbs, [][]string{hostile, uci, slices.Concat(uci, usi)}},
		{"usi\n", usiVerbs, [][]string{hostileUSI, usi, slices.Concat(uci, usi)}},
	} {
		monkeys(t, uint64(3+stream), n, c.first, func(r *rand.Rand) string {
			lines := c.lines[r.IntN(len(c.lines))]
			return lines[r.IntN(len(lines))]
		}, func(line string) string { return answerToAny(line, c.verbs) })
	}
}
