package command

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"trefoil/internal/cli"
	"trefoil/internal/commandline/commandlinetest"
	"trefoil/internal/filetest"
)

// TestProgram tests the engine as a program with subcommands.
func TestProgram(t *testing.T) { commandlinetest.Check(t, program()) }

// misused runs a command line that must end with one line about what is wrong.
func misused(t *testing.T, want string, args ...string) {
	t.Helper()
	commandlinetest.Misused(t, "trefoil", Run, want, args...)
}

// TestMisuse: what is wrong with a command line is named, and nothing runs.
func TestMisuse(t *testing.T) {
	for args, want := range map[string]string{
		"bnech":                         `trefoil: unexpected argument "bnech"; did you mean "bench"?`,
		"hash":                          "trefoil: hash: missing subcommand: one of plan, ",
		"hash vreify x":                 `trefoil: hash: unexpected argument "vreify"; did you mean "verify"?`,
		"game.pgn":                      "trefoil: unexpected argument \"game.pgn\"; trefoil help lists the subcommands\n",
		"solve":                         "trefoil: solve: missing subcommand: one of mate, connect4, ultimate",
		"solve checkers":                `trefoil: solve: unexpected argument "checkers": not one of mate, connect4, ultimate`,
		"solve connect4 --treads 2":     `unknown flag "--treads"; did you mean "--threads"?`,
		"solve connect4 -solver best":   `unknown flag "-solver"; did you mean "--solver"?`,
		"-solver best":                  "unknown flag \"-solver\"\n",
		"solve connect4 -x":             "unknown flag \"-x\"\n",
		"solve connect4 --threads 0":    `--threads: "0" is not a whole number from 1 to 1024`,
		"solve ultimate --hash 0":       `--hash: "0" is not a whole number from 1 to 33554432`,
		"solve mate --moves 0":          `--moves: "0" is not a whole number from 1 to 250`,
		"solve connect4 --solver slow":  `--solver: "slow" is not one of best, tutorial`,
		"solve connect4 --hash":         "--hash: ",
		"solve connect4 --book=":        "--book: FILE is empty",
		"book connect4 --scores= file":  "--scores: FILE is empty",
		"solve mate --time -1s":         `--time: "-1s" is not a duration`,
		"solve ultimate --every 0s":     "--every",
		"hash plan 0":                   `<mib>: "0" is not a whole number from 1 to 33554432`,
		"hash plan -1":                  `unknown flag "-1"`,
		"perft 41":                      `<depth>: "41" is not a whole number from 1 to 40`,
		"bench 0":                       `depth "0" is not a whole number from 1 to 100`,
		"bench --variant go":            `--variant: "go" is not one of chess, mate-chess, `,
		"hash audit --keybits=":         "--keybits: expected at least one number",
		"hash inspect --version=x file": "--version",
	} {
		misused(t, want, strings.Fields(args)...)
	}
}

// TestBenchCurrent: the current position of a program without a dialogue is the first one of the bench.
func TestBenchCurrent(t *testing.T) {
	file := filetest.New(t, "positions", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
	var said [2]string
	for i, word := range []string{"current", file} {
		var out strings.Builder
		if status := Run([]string{"bench", "1", "1", "3", word}, nil, &out, io.Discard); status != 0 {
			t.Errorf("%s: status %d", word, status)
		}
		said[i], _, _ = strings.Cut(out.String(), "\n")
	}
	if said[0] != said[1] || !strings.HasPrefix(said[0], "position  1 of 1: ") {
		t.Errorf("%q", said)
	}
}

// TestInterrupted: what Ctrl-C ends has exit status 130.
func TestInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	for _, args := range []string{"bench", "perft 6", "hash advise", "solve connect4 --hash 1",
		"solve ultimate --hash 1", "solve mate --hash 1", "book connect4 --hash 1 " + file} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if status := program().RunContext(ctx, strings.Fields(args), strings.NewReader("startpos\n"), io.Discard,
			io.Discard); status != cli.StatusInterrupted {
			t.Errorf("%s: status %d", args, status)
		}
	}
}

// TestKnown: what is for Run, and what may be a line of a protocol.
func TestKnown(t *testing.T) {
	for word, want := range map[string]bool{"bench": true, "hash": true, "--help": true, "-v": true, "go": false,
		"bench 5": false, "": false, "bogus": false} {
		if Known(word) != want {
			t.Errorf("%q: %v", word, !want)
		}
	}
}

// TestVersionLine: the line ends with the level of the instructions.
func TestVersionLine(t *testing.T) {
	p := program()
	want := regexp.MustCompile(`^` + p.Title + ` \S+ go\S+ \w+/(amd64|arm64) v[0-9.]+$`)
	if line := p.VersionLine(); (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") && !want.MatchString(line) {
		t.Error(line)
	}
}

// guess is a subcommand as a game adds one.
type guess struct {
	Threads cli.Threads `default:"3" help:"Threads."`
	Loud    bool        `help:"A flag."`
	Word    string      `arg:"" optional:""`
	File    string      `arg:"" optional:"" setting:"-"`
}

func (g *guess) Run(_ context.Context, std *cli.Console) error {
	switch g.Word {
	case "wrong":
		return &cli.Status{Code: cli.StatusWrong}
	case "command it":
		std.Println(std.Command)
		return nil
	case "failed":
		return errors.New("no luck")
	}
	std.Println(strings.Repeat("guess", int(g.Threads)))
	return nil
}

// TestAddedCommands: a command of another package stands below its parent, and its error
// becomes the exit status.
func TestAddedCommands(t *testing.T) {
	p := program()
	p.Added = []cli.Command{{Parent: "solve", Name: "toy", Help: "Solve a toy.", Cmd: &guess{}}}
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
		if status := p.RunContext(t.Context(), strings.Fields(c.args), nil, &out, &errs); status != c.status ||
			out.String() != c.out || errs.String() != c.errs {
			t.Errorf("%s: status %d, %q, %q", c.args, status, out.String(), errs.String())
		}
	}
	var out, errs strings.Builder
	if p.Run([]string{"solve", "toy", "command it", "file", "--loud", "--threads=4"}, nil, &out, &errs); out.String() !=
		"solve toy 'command it' --threads=4 --loud\n" {
		t.Errorf("%q, %q", out.String(), errs.String())
	}
	p.Added[0].Parent = "frobnicate"
	errs.Reset()
	if status := p.Run([]string{"version"}, nil, &out, &errs); status != cli.StatusFailed ||
		errs.String() != "trefoil: command frobnicate toy: no command frobnicate\n" {
		t.Errorf("status %d, %q", status, errs.String())
	}
	if _, err := p.Model(); err == nil {
		t.Error("a command without a parent is taken")
	}
}

// TestCandidates: the completions of a command line.
func TestCandidates(t *testing.T) {
	for line, want := range map[string]string{
		"ha":                        "hash",
		"hash ":                     "plan",
		"hash ver":                  "verify",
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
		var out strings.Builder
		Run(append([]string{"complete", "--"}, strings.Split(line, " ")...), nil, &out, io.Discard)
		if got := strings.Join(strings.Fields(out.String()), " "); got != want &&
			!(line == "hash " && strings.Contains(got, want)) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
