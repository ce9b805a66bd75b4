package protocol

import (
	"slices"
	"strings"

	"trefoil/options"
)

// argumentLines turns the arguments of a command line into lines. One that contains
// a space is a line of its own; of the others each protocol word begins a line.
// So both `"go depth 5" quit` and `go depth 5 quit` are two lines.
func argumentLines(args []string) string {
	var b strings.Builder
	fresh := true
	for _, a := range args {
		word, whole := isWord(a), strings.ContainsAny(a, " \t\n")
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

// IsLine reports whether a line begins with a word of UCI or USI, or with a command of the
// engine.
func IsLine(line string, e Engine) bool {
	word := firstWord(line)
	return isWord(word) || slices.ContainsFunc(e.Commands(), func(c options.Command) bool { return c.Name == word })
}

// isWord reports whether a line of UCI or USI may begin with word.
func isWord(word string) bool {
	_, inUCI := uci.verbs[word]
	_, inUSI := usi.verbs[word]
	return inUCI || inUSI
}
