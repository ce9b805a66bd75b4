package command

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/engine/analysis"
	"trefoil/internal/cli"
	"trefoil/internal/filetest"
)

// cancelOn cancels a context when a text is written.
type cancelOn struct {
	text   string
	cancel func()
}

func (c cancelOn) Write(b []byte) (int, error) {
	if strings.Contains(string(b), c.text) {
		c.cancel()
	}
	return len(b), nil
}

// TestAnalyseInterrupted: Ctrl-C keeps the games that are finished and says so; without any the old file
// stays.
func TestAnalyseInterrupted(t *testing.T) {
	const games = "[Event \"1\"]\n\n1. e4 *\n\n[Event \"2\"]\n\n1. d4 *\n\n[Event \"3\"]\n\n1. c4 *\n"
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.pgn"), filepath.Join(dir, "out.pgn")
	filetest.Write(t, in, games)
	interrupted := func(in, text, message string) string {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if text == "" {
			cancel()
		}
		args := []string{"analyse", "--nodes", "50", "--hash", "1", "-o", out, in}
		var errs strings.Builder
		if code := program().RunContext(ctx, args, strings.NewReader(""), io.Discard,
			io.MultiWriter(cancelOn{text, cancel}, &errs)); code != cli.StatusInterrupted {
			t.Errorf("after %q: status %d", text, code)
		}
		if !strings.HasSuffix(errs.String(), message) {
			t.Errorf("after %q: %q", text, errs.String())
		}
		return string(filetest.Read(t, out))
	}
	got := interrupted(in, "game 2: ", "trefoil: analyse: interrupted: 2 finished games are written to "+out+"\n")
	if strings.Count(got, "[Event ") != 2 || strings.Count(got, "%eval") != 2 {
		t.Errorf("%q", got)
	}
	bad := filepath.Join(dir, "bad.pgn")
	filetest.Write(t, bad, "1. e5 *\n\n1. e4 *\n")
	if got := interrupted(in, "", ""); strings.Count(got, "[Event ") != 2 {
		t.Errorf("%q", got)
	}
	got = interrupted(bad, "game 1, ", "interrupted before a game was finished: nothing is written to "+out+"\n")
	if strings.Count(got, "[Event ") != 2 {
		t.Errorf("%q", got)
	}
	if code := Run([]string{"analyse", "--hash", "1", "-o", out}, strings.NewReader(""), io.Discard,
		io.Discard); code != cli.StatusFailed {
		t.Errorf("no games: status %d", code)
	}
	if b, err := os.ReadFile(out); err != nil || strings.Count(string(b), "[Event ") != 2 {
		t.Errorf("after no games: %q, %v", b, err)
	}
}

// TestAnalyseNotReplaced: games that cannot be written are not lost silently because another game cannot be read.
func TestAnalyseNotReplaced(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.pgn"), filepath.Join(dir, "out.pgn")
	filetest.Write(t, in, "1. e4 *\n\n1. e5 *\n")
	var errs strings.Builder
	code := Run([]string{"analyse", "--nodes", "50", "--hash", "1", "-o", out, in}, nil, io.Discard,
		// The file appears after it was checked first.
		io.MultiWriter(cancelOn{"game 1: ", func() { filetest.Write(t, out, "hello") }}, &errs))
	if code != cli.StatusFailed || !strings.Contains(errs.String(), "trefoil: analyse: "+out+": not replaced: ") {
		t.Errorf("status %d, %q", code, errs.String())
	}
}

// TestWideGames: games for hash trace and hash audit may be UTF-16 too.
func TestWideGames(t *testing.T) {
	path := filetest.New(t, "wide.pgn", "\xfe\xff\x001\x00.\x00 \x00e\x004")
	if games, err := readRecords(path, analysis.Formats[0], nil); len(games) != 1 || err != nil {
		t.Errorf("%d games, %v", len(games), err)
	}
	if game, err := readRecords(path, analysis.Formats[0], new(uint(1))); game == nil || err != nil {
		t.Error(game, err)
	}
}

// TestAnalyseFormat: a name decides the format, and the beginning of the games where there is none.
func TestAnalyseFormat(t *testing.T) {
	const kif, csa = "手合割：平手\n   1 ７六歩(77)\n   2 投了\n", "V2.2\nPI\n+\n+7776FU\n%TORYO\n"
	for _, c := range []struct {
		name, games, want string
		code              int
	}{
		{"-", "1. e4 *", "{ [%eval ", 0}, {"-", kif, "\n**解析 深さ ", 0}, {"-", csa, "\n'**解析 深さ ", 0},
		{"game.txt", kif, "\n**解析 深さ ", 0}, {"game.pgn", kif, "", cli.StatusWrong},
		{"game.ki2", "手合割：平手\n▲７六歩\n", "   1 ７六歩(77)\n*", 0}, {"-", "▲７六歩 △３四歩\n", "   2 ３四歩(33)\n*", 0},
		{"game.jkf", `{"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}}}]}`, "   1 ７六歩(77)\n*", 0},
		{"game", "position startpos moves 7g7f", "   1 ７六歩(77)\n*", 0},
		{"game.txt", "\xff\xfe1\x00.\x00 \x00e\x004\x00", "\n\n1. e4 { [%eval ", 0}, // UTF-16
		{"game.usi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "*#詰み=先手勝ち:1手\n", 0}, {"game.txt", "hello", "", cli.StatusFailed},
	} {
		path := c.name
		if path != cli.Standard {
			path = filetest.New(t, path, c.games)
		}
		var out strings.Builder
		if code := Run([]string{"analyse", "--nodes", "300", "--hash", "1", path}, strings.NewReader(c.games), &out,
			io.Discard); code != c.code {
			t.Errorf("%s, %q: status %d", c.name, c.games, code)
		}
		if c.want != "" && !strings.Contains(out.String(), c.want) || c.want == "" && out.Len() > 0 {
			t.Errorf("%s, %q: %q", c.name, c.games, out.String())
		}
	}
}

// TestAnalyseNames: names and errors of a file do not control the terminal.
func TestAnalyseNames(t *testing.T) {
	var out, errs strings.Builder
	in := strings.NewReader("[White \"\x1b[2J\x9b2J\"]\n\n*\n\n[Event \"\"]\n[\"\x1b\"]\n\n*\n")
	if code := Run([]string{"analyse", "--nodes", "50", "--hash", "1"}, in, &out, &errs); code != cli.StatusWrong {
		t.Errorf("status %d", code)
	}
	if got := errs.String(); strings.Contains(got, "\x1b") || !strings.Contains(got, "game 1:  [2J\ufffd2J - ? *") ||
		!strings.Contains(got, `game 2, line 6: [" "]`) {
		t.Errorf("%q", got)
	}
	if !strings.Contains(out.String(), "\x1b[2J\x9b2J") {
		t.Errorf("%q", out.String())
	}
}
