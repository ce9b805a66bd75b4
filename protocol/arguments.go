package protocol

import "strings"

// Arguments turns the arguments of a command line into lines: one with a space
// in it is a line of its own; of the others each protocol word begins a line.
// So `"go depth 5" quit` and `go depth 5 quit` are two lines either way.
func Arguments(args []string) string {
	var b strings.Builder
	fresh := true
	for _, a := range args {
		_, word := uciWords[a]
		if _, also := usiWords[a]; also {
			word = true
		}
		whole := strings.ContainsAny(a, " \t\n")
		if !fresh {
			if word || whole {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteString(a)
		if fresh = whole; whole {
			b.WriteByte('\n')
		}
	}
	return b.String() + "\n"
}
