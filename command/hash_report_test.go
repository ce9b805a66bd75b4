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

// A size may have a fraction, and be as large as a TiB.
func TestFraction(t *testing.T) {
	for text, want := range map[string]fraction{"0.125": 0.125, "1048576": 1 << 20, "1048577": 0, "0.0009": 0, "x": 0} {
		var f fraction
		if err := f.UnmarshalText([]byte(text)); f != want || (err == nil) != (want > 0) {
			t.Errorf("%s: %v, %v", text, f, err)
		}
	}
}
