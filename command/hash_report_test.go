package command

import "testing"

// A command line can be pasted into a shell.
func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"hash", "replay", "a/b.trace", "--sizes=0.5,1"}, "trefoil hash replay a/b.trace --sizes=0.5,1"},
		{[]string{"--fen", "8/8 w - - 0 1", "it's", "$HOME", ""}, `trefoil --fen '8/8 w - - 0 1' 'it'\''s' '$HOME' ''`},
	} {
		if got := commandLine(c.args); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
