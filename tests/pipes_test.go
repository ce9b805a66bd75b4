//go:build unix

package tests

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNamedPipes: a subcommand whose input is a named pipe says so before anything is written to it, and
// reads what is written then.
func TestNamedPipes(t *testing.T) {
	const fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
	for _, c := range []struct{ command, input, output string }{
		{"solve mate", fen + "\n", "mate 1\t"},
		{"solve connect4 --hash 1", "112233\n", "112233 18 "},
		{"analyse --nodes 10", "[FEN \"" + fen + "\"]\n\n1. Ra8# 1-0\n", "Ra8"},
		{"analyse --nodes 3000 --hash 1", fen + " bm Ra8;\n", "\tRa8#\t"},
		{"hash audit --nodes 10 --hash 1 --keybits 8", fen + "\n", "8"},
		{"merge", `{"line":1,"input":"x","number":1,"of":1,"command":"perft 2","error":"y"}` + "\n", `,"error":"y"}`},
		{"bench 1 1 1", fen + "\n", " nodes "},
	} {
		pipe := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip(err)
		}
		args := append(strings.Fields(c.command), pipe)
		cmd := exec.Command(trefoil, args...)
		errs, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		messages := bufio.NewReader(errs)
		if line, err := messages.ReadString('\n'); !strings.HasSuffix(line, ": reading from the pipe "+pipe+"\n") {
			cmd.Process.Kill()
			t.Fatalf("%s: %q, %v", c.command, line, err)
		}
		if err := os.WriteFile(pipe, []byte(c.input), 0); err != nil {
			t.Fatal(err)
		}
		answer, _ := io.ReadAll(out)
		rest, _ := io.ReadAll(messages)
		if err := cmd.Wait(); err != nil || !strings.Contains(string(answer), c.output) {
			t.Errorf("%s: %v, %q, %q, want %q", c.command, err, answer, rest, c.output)
		}
	}
	// An option whose file is read at any time refuses a pipe.
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	out, err := exec.Command(trefoil, "setoption name BookFile value "+pipe).Output()
	if err != nil || !strings.Contains(string(out), pipe+": it is not a regular file; it stays <empty>") {
		t.Errorf("BookFile: %v, %s", err, out)
	}
}

// TestNamedPipesInDialogue: so do the commands of a dialogue.
func TestNamedPipesInDialogue(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for command, want := range map[string]string{"bench 1 1 1 ": " nodes ",
		"genfens 1 seed 1 book ": "info string genfens r"} {
		command += pipe
		cmd := exec.Command(trefoil)
		cmd.Stdin = strings.NewReader(command + "\nquit\n")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		if line, err := lines.ReadString('\n'); line != "info string reading from the pipe "+pipe+"\n" {
			cmd.Process.Kill()
			t.Fatalf("%s: %q, %v", command, line, err)
		}
		if err := os.WriteFile(pipe, []byte("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"),
			0); err != nil {
			t.Fatal(err)
		}
		answer, _ := io.ReadAll(lines)
		if err := cmd.Wait(); err != nil || !strings.Contains(string(answer), want) {
			t.Errorf("%s: %v, %q", command, err, answer)
		}
	}
}
