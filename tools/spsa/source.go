package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// sourceName is the file of the values, in the folder of the search: a table with a line for each parameter and a
// column for each game.
const sourceName = "values.txt"

// withValues returns the text of the table with other values of some parameters of a game; all else stays.
func withValues(text []byte, game string, values map[string]int) ([]byte, error) {
	lines := strings.Split(string(text), "\n")
	column := slices.Index(strings.Fields(lines[0]), game)
	if column < 1 {
		return nil, fmt.Errorf("%s has no column %s", sourceName, game)
	}
	missing := maps.Clone(values)
	for i, line := range lines {
		f := strings.Fields(line)
		if len(f) != 4 {
			continue
		}
		if value, ok := values[f[0]]; ok {
			f[column] = fmt.Sprint(value)
			lines[i] = fmt.Sprintf("%-26s %6s %6s %9s", f[0], f[1], f[2], f[3])
			delete(missing, f[0])
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s has no %s", sourceName, strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	}
	return []byte(strings.Join(lines, "\n")), nil
}
