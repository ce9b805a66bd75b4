package command

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"trefoil/internal/cli"
)

// leaves are the subcommands that run something.
func leaves(t *testing.T) []*kong.Node {
	t.Helper()
	p, err := newParser(gameCommands(), io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return p.Model.Leaves(true)
}

// TestHelp: -h, --help and help print the usage and the exit statuses of every subcommand.
func TestHelp(t *testing.T) {
	for _, c := range leaves(t) {
		path := strings.Fields(c.Path())
		for _, args := range [][]string{append(path, "-h"), append(path, "--help"), append([]string{"help"}, path...)} {
			var out, errs strings.Builder
			status := Run(args, nil, &out, &errs)
			if status != 0 || errs.Len() > 0 || !strings.HasPrefix(out.String(), "usage: trefoil "+c.Path()) || !strings.Contains(out.String(), "\nExit status: 0 on success; ") {
				t.Errorf("%v: status %d, %q, %q", args, status, out.String(), errs.String())
			}
		}
	}
	for _, args := range []string{"-h", "--help", "help", "hash -h", "help hash", "help help", "-v", "--version", "version"} {
		var out, errs strings.Builder
		help := !strings.Contains(args, "v")
		if status := Run(strings.Fields(args), nil, &out, &errs); status != 0 || errs.Len() > 0 || help != strings.Contains(out.String(), "\nExit status: 0 on success; ") {
			t.Errorf("%v: status %d, %q, %q", args, status, out.String(), errs.String())
		}
	}
}

// misused runs a command line that must end with one line about what is wrong.
func misused(t *testing.T, want string, args ...string) {
	t.Helper()
	var out, errs strings.Builder
	status := Run(args, strings.NewReader(""), &out, &errs)
	if text := errs.String(); status != cli.StatusFailed || out.Len() > 0 || strings.Count(text, "\n") != 1 ||
		!strings.HasPrefix(text, "trefoil: ") || !strings.Contains(text, want) {
		t.Errorf("%q: status %d, %q, %q; want %q", args, status, out.String(), text, want)
	}
}

// values are an acceptable value of every argument.
func values(c *kong.Node) (args []string) {
	for _, a := range c.Positional {
		switch {
		case a.Enum != "":
			args = append(args, a.EnumSlice()[0])
		case a.Target.Kind() == reflect.String:
			args = append(args, "nowhere")
		case !a.IsCumulative():
			args = append(args, "1")
		}
	}
	return args
}

// TestMisuse: an unknown flag, a missing or superfluous argument, and a number that is none
// or out of bounds are named, and nothing runs.
func TestMisuse(t *testing.T) {
	for _, c := range leaves(t) {
		path := strings.Fields(c.Path())
		misused(t, `unknown flag "--bogus"`, append(path, "--bogus")...)
		if p := c.Positional; len(p) == 0 || !p[len(p)-1].IsCumulative() {
			misused(t, `unexpected argument "bogus"`, slices.Concat(path, values(c), []string{"bogus"})...)
		}
		if len(c.Positional) > 0 && c.Positional[0].Required {
			misused(t, "missing argument "+c.Positional[0].Summary(), path...)
		}
		for _, f := range c.Flags {
			if k := f.Target.Kind(); f.IsBool() || k == reflect.String || k == reflect.Slice {
				continue
			}
			for _, bad := range []string{"-1", "99999999999999999999", "abc", ""} {
				misused(t, "--"+f.Name, append(path, "--"+f.Name, bad)...)
			}
		}
	}
	for args, want := range map[string]string{
		"bnech":                         `trefoil: unexpected argument "bnech"; did you mean "bench"?`,
		"hash":                          "trefoil: hash: missing subcommand: one of plan, ",
		"hash vreify x":                 `trefoil: hash: unexpected argument "vreify"; did you mean "verify"?`,
		"game.pgn":                      "trefoil: unexpected argument \"game.pgn\"; trefoil help lists the subcommands\n",
		"help vreify":                   `unexpected argument "vreify"`,
		"solve":                         "trefoil: solve: missing subcommand: one of mate, connect4, ultimate",
		"solve checkers":                `trefoil: solve: unexpected argument "checkers": not one of mate, connect4, ultimate`,
		"solve connect4 --treads 2":     `unknown flag "--treads"; did you mean "--threads"?`,
		"solve connect4 -solver best":   `unknown flag "-solver"; did you mean "--solver"?`,
		"solve connect4 -x":             "unknown flag \"-x\"\n",
		"solve connect4 --threads 0":    `--threads: "0" is not a whole number from 1 to 256`,
		"solve ultimate --hash 0":       `--hash: "0" is not a whole number from 1 to 33554432`,
		"solve mate --moves 0":          `--moves: "0" is not a whole number from 1 to 250`,
		"solve connect4 --solver slow":  `--solver: "slow" is not one of best, tutorial`,
		"solve connect4 --hash":         "--hash: ",
		"solve ultimate --every 0s":     "--every",
		"hash plan 0":                   `<mib>: "0" is not a whole number from 1 to 33554432`,
		"hash plan -1":                  `unknown flag "-1"`,
		"perft 41":                      `<depth>: "41" is not a whole number from 1 to 40`,
		"bench 0":                       `depth "0" is not a whole number from 1 to 100`,
		"bench --variant go":            `--variant: "go" is not one of chess, mate-chess, `,
		"completion tcsh":               `<shell>: "tcsh" is not one of bash, zsh, fish`,
		"hash audit --keybits=":         "--keybits: expected at least one number",
		"hash inspect --version=x file": "--version",
	} {
		misused(t, want, strings.Fields(args)...)
	}
	misused(t, "trefoil: unexpected argument \"\"; trefoil help lists the subcommands\n", "")
}

// TestInterrupted: what Ctrl-C ends has exit status 130.
func TestInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	for _, args := range []string{"bench", "perft 6", "hash advise", "solve connect4 --hash 1", "solve ultimate --hash 1", "solve mate --hash 1", "book connect4 --hash 1 " + file} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		std := &cli.Console{Prefix: "trefoil", In: strings.NewReader("startpos\n"), Out: io.Discard, Err: io.Discard}
		if status := run(ctx, strings.Fields(args), std, gameCommands()); status != cli.StatusInterrupted {
			t.Errorf("%s: status %d", args, status)
		}
	}
}

// TestKnown: what is for Run, and what may be a line of a protocol.
func TestKnown(t *testing.T) {
	for word, want := range map[string]bool{"bench": true, "hash": true, "--help": true, "-v": true, "go": false, "bench 5": false, "": false, "bogus": false} {
		if Known(word) != want {
			t.Errorf("%q: %v", word, !want)
		}
	}
}

// guess is a subcommand as a game adds one.
type guess struct {
	Threads cli.Threads `default:"3" help:"Threads."`
	Word    string      `arg:"" optional:""`
}

func (g *guess) Run(_ context.Context, std *cli.Console) error {
	switch g.Word {
	case "wrong":
		return &cli.Status{Code: cli.StatusWrong}
	case "failed":
		return errors.New("no luck")
	}
	std.Println(strings.Repeat("guess", int(g.Threads)))
	return nil
}

// TestAddedCommands: a command of another package stands below its parent, and its error
// becomes the exit status.
func TestAddedCommands(t *testing.T) {
	added := []cli.Command{{Parent: "solve", Name: "toy", Help: "Solve a toy.", New: func() any { return &guess{} }}}
	for _, c := range []struct {
		args, out, errs string
		status          int
	}{
		{"solve toy", "guessguessguess\n", "", 0},
		{"solve toy --threads 1", "guess\n", "", 0},
		{"solve toy wrong", "", "", 1},
		{"solve toy failed", "", "trefoil: solve toy: no luck\n", 2},
		{"toy", "", "trefoil: unexpected argument \"toy\"; trefoil help lists the subcommands\n", 2},
	} {
		var out, errs strings.Builder
		std := &cli.Console{Prefix: "trefoil", Out: &out, Err: &errs}
		if status := run(t.Context(), strings.Fields(c.args), std, added); status != c.status || out.String() != c.out || errs.String() != c.errs {
			t.Errorf("%s: status %d, %q, %q", c.args, status, out.String(), errs.String())
		}
	}
	added[0].Parent = "frobnicate"
	if _, err := newParser(added, io.Discard, io.Discard); err == nil {
		t.Error("a command without a parent is taken")
	}
}

// TestCandidates: the completions of a command line.
func TestCandidates(t *testing.T) {
	p, err := newParser(gameCommands(), io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"ha":                        "hash",
		"hash ":                     "plan",
		"hash v":                    "verify",
		"solve connect4 --so":       "--solver",
		"solve connect4 --solver ":  "best tutorial",
		"solve connect4 --solver t": "tutorial",
		"solve connect4 --solver=t": "--solver=tutorial",
		"solve connect4 --solver =": "best tutorial", // as bash splits it
		"perft --variant = sh":      "shogi",
		"solve connect4 --book ":    "",
		"hash plan 16 m":            "mul32 mul64",
		"hash plan m":               "",
		"completion bash ":          "",
		"solve connect4 ":           "",
		"completion ":               "bash zsh fish",
	} {
		words := strings.Split(line, " ")
		if got := strings.Join(candidates(p.Model.Node, words), " "); got != want && !(line == "hash " && strings.Contains(got, want)) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
