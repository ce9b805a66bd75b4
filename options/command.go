package options

import "context"

// Command is a command of the engine that no protocol defines, such as d, eval or bench. Like an
// option it is declared once.
type Command struct {
	Name string
	Args string // the arguments, for the help: "DEPTH [FEN]"
	Help string // one line
	// Games are the values of UCI_Variant that have the command; none means all.
	Games []string
	// Long says that the command may take a while. As during a search, isready is answered
	// meanwhile, and stop ends the context.
	Long bool
	// Position reports whether the command needs the current position; nil if it never does. A command that needs it is
	// not run after a position that was refused.
	Position func(args []string) bool
	// Run does the work and prints lines; its error is reported to the user.
	Run func(ctx context.Context, args []string, print func(line string)) error
}

// Always is the Position of a command that needs the position whatever its arguments are.
func Always([]string) bool { return true }
