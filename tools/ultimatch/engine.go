package main

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"trefoil/game/ultimate"
	"trefoil/tools/internal/program"
)

// engine is a UCI engine that plays Ultimate Tic-Tac-Toe as Trefoil does.
type engine struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// newEngine starts an engine and sets options, each NAME=VALUE with underscores for the spaces of the name.
func newEngine(path string, options []string) (*engine, error) {
	e := &engine{cmd: exec.Command(path)}
	var err error
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e.out = bufio.NewScanner(out)
	if err := e.cmd.Start(); err != nil {
		return nil, err
	}
	commands := []string{"setoption name UCI_Variant value ultimate"}
	for _, option := range options {
		name, value, ok := strings.Cut(option, "=")
		if !ok {
			return nil, fmt.Errorf("%s: option %q is not NAME=VALUE", path, option)
		}
		commands = append(commands, "setoption name "+strings.ReplaceAll(name, "_", " ")+" value "+value)
	}
	_, err = e.ask("readyok", append(commands, "isready")...)
	return e, err
}

// ask sends commands and returns the first line that begins with a word. A line about an option that was refused
// is an error.
func (e *engine) ask(want string, commands ...string) (string, error) {
	if _, err := io.WriteString(e.in, strings.Join(commands, "\n")+"\n"); err != nil {
		return "", fmt.Errorf("%s: %w", e.cmd.Path, err)
	}
	for e.out.Scan() {
		line := e.out.Text()
		if strings.HasPrefix(line, want) {
			return line, nil
		}
		if strings.HasPrefix(line, "info string option") || strings.HasPrefix(line, "info string unknown option") ||
			strings.HasPrefix(line, "info string position refused") {
			return "", fmt.Errorf("%s: %s", e.cmd.Path, line)
		}
	}
	return "", fmt.Errorf("%s ended: %v", e.cmd.Path, e.out.Err())
}

func (e *engine) newGame() error {
	_, err := e.ask("readyok", "ucinewgame", "isready")
	return err
}

func (e *engine) processor() time.Duration { return program.OfProcess(e.cmd.Process.Pid) }

// move searches that many nodes.
func (e *engine) move(played []string, _ ultimate.Position, nodes int) (string, error) {
	line, err := e.ask("bestmove", "position startpos moves "+strings.Join(played, " "), fmt.Sprintf("go nodes %d", nodes))
	if err != nil {
		return "", err
	}
	if words := strings.Fields(line); len(words) > 1 {
		return words[1], nil
	}
	return "", fmt.Errorf("%s: %q", e.cmd.Path, line)
}

func (e *engine) close() error {
	_, err := io.WriteString(e.in, "quit\n")
	if err != nil {
		return err
	}
	for e.out.Scan() {
	}
	return e.cmd.Wait()
}
