package options

import "context"

// Command is a command of an engine's own, beside those of a protocol: d, eval,
// bench. Like an option it is declared once, with what it does.
type Command struct {
	Name string
	Args string // what may follow, for people: "DEPTH [FEN]"
	Help string // one line
	// Long commands take a while: as during a search, a front answers while
	// they run, and ends their context when it is told to stop.
	Long bool
	// Run does the work and prints lines; its error is told to the user.
	Run func(ctx context.Context, args []string, print func(line string)) error
}
