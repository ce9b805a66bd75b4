package protocol

import "testing"

// TestArgumentLines: the arguments of a command line become the lines that were meant, quoted or not.
func TestArgumentLines(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "\n"},
		{[]string{"go", "depth", "5", "quit"}, "go depth 5\nquit\n"},
		{[]string{"go depth 5", "quit"}, "go depth 5\n\nquit\n"},
		{[]string{"uci", "position startpos", "go nodes 4"}, "uci\nposition startpos\n\ngo nodes 4\n\n"},
		{[]string{"position", "startpos", "moves", "e2e4", "go", "movetime", "9"}, "position startpos moves e2e4\ngo movetime 9\n"},
		{[]string{"usi", "setoption name\tHash", "x", "y"}, "usi\nsetoption name\tHash\nx y\n"},
	} {
		got := argumentLines(c.args)
		// Empty lines mean nothing.
		if squeeze(got) != squeeze(c.want) {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
}

// squeeze takes empty lines away.
func squeeze(s string) (lines string) {
	last := '\n'
	for _, r := range s {
		if r != '\n' || last != '\n' {
			lines += string(r)
		}
		last = r
	}
	return lines
}

func TestIsLine(t *testing.T) {
	f := newFake()
	for line, want := range map[string]bool{
		"uci": true, "go depth 5": true, "usi": true, "usinewgame": true, "ucinewgame": true,
		"d": true, "perft 3": true, "perf": false, "bench": false, "": false, "Go": false, "5": false,
	} {
		if got := IsLine(line, f); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}
