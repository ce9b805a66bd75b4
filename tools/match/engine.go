package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"trefoil/tools/internal/program"
	"trefoil/tools/internal/selfplay"
)

// engine is a program that speaks UCI or USI.
type engine struct {
	subject
	name  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string // closed at the end of its output
}

// The longest that an engine may take to answer, and to end.
const (
	longest = 10 * time.Minute
	ending  = 5 * time.Second
)

// newEngine starts a program for a game. The words of name are the program, its arguments, and options NAME=VALUE.
func newEngine(ctx context.Context, name string, s subject) (_ *engine, err error) {
	words := strings.Fields(name)
	if len(words) == 0 {
		return nil, errors.New("a player without a name")
	}
	n := 1
	for n < len(words) && !strings.Contains(words[n], "=") {
		n++
	}
	e := &engine{subject: s, name: name, cmd: exec.Command(words[0], words[1:n]...), lines: make(chan string, 1000)}
	e.cmd.Stderr = os.Stderr
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := e.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(e.lines)
		in := bufio.NewScanner(out)
		for in.Buffer(nil, 1<<20); in.Scan(); {
			e.lines <- in.Text()
		}
	}()
	if err := e.setUp(ctx, words[n:]); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// setUp begins the protocol, selects the game and sets options.
func (e *engine) setUp(ctx context.Context, options []string) error {
	known, err := e.list(ctx)
	if err != nil {
		return err
	}
	if variant, ok := known["UCI_Variant"]; ok && e.variant != "" {
		if err := e.send("setoption name " + variant + " value " + e.variant); err != nil {
			return err
		}
		// Some engines list the options of a game only when it is selected.
		if known, err = e.list(ctx); err != nil {
			return err
		}
	}
	var commands []string
	for i, option := range slices.Concat(e.options, options) {
		name, value, _ := strings.Cut(option, "=")
		switch {
		case known[name] != "":
			commands = append(commands, "setoption name "+known[name]+" value "+value)
		case i >= len(e.options):
			return fmt.Errorf("%s: no option %s", e.name, name)
		}
	}
	return e.ready(ctx, commands...)
}

// list returns the names of the options, by the names without spaces.
func (e *engine) list(ctx context.Context) (map[string]string, error) {
	known := map[string]string{}
	_, err := e.ask(ctx, e.protocol+"ok", func(line string) {
		if rest, ok := strings.CutPrefix(line, "option name "); ok {
			name, _, _ := strings.Cut(rest, " type ")
			known[strings.ReplaceAll(name, " ", "_")] = name
		}
	}, e.protocol)
	return known, err
}

// ask sends commands and returns the line that begins with a word; it calls visit with the lines before.
func (e *engine) ask(ctx context.Context, word string, visit func(string), commands ...string) (string, error) {
	if err := e.send(commands...); err != nil {
		return "", err
	}
	late := time.NewTimer(longest)
	defer late.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-late.C:
			return "", fmt.Errorf("%s: no %s after %v", e.name, word, longest)
		case line, ok := <-e.lines:
			if !ok {
				return "", fmt.Errorf("%s ended", e.name)
			}
			if first, _, _ := strings.Cut(line, " "); first == word {
				return line, nil
			}
			visit(line)
		}
	}
}

// send sends commands.
func (e *engine) send(commands ...string) error {
	if _, err := io.WriteString(e.in, strings.Join(commands, "\n")+"\n"); err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	return nil
}

// ready sends commands and waits until they are done. A line about a refused option or position is an error.
func (e *engine) ready(ctx context.Context, commands ...string) (err error) {
	_, late := e.ask(ctx, "readyok", func(line string) {
		for _, refused := range []string{"option ", "unknown option", "position refused"} {
			if err == nil && strings.HasPrefix(line, "info string "+refused) {
				err = fmt.Errorf("%s: %s", e.name, line)
			}
		}
	}, append(commands, "isready")...)
	return errors.Join(late, err)
}

// NewGame implements player.
func (e *engine) NewGame(ctx context.Context) error { return e.ready(ctx, e.protocol+"newgame") }

func (e *engine) used() time.Duration { return program.OfProcess(e.cmd.Process.Pid) }

func (e *engine) move(ctx context.Context, at *moment, l limit) (line selfplay.Line, nodes uint64, err error) {
	position := "position " + e.notation + " " + at.setup
	if len(at.moves) > 0 {
		position += " moves " + strings.Join(at.moves, " ")
	}
	words := l.words
	if words == "" {
		words, nodes = fmt.Sprintf("nodes %d", l.nodes), l.nodes
	}
	began := time.Now()
	answer, err := e.ask(ctx, "bestmove", func(line string) {
		if n, ok := number(line, "nodes"); ok {
			nodes = uint64(max(n, 0))
		}
	}, position, "go "+words)
	if err != nil {
		return line, nodes, err
	}
	if took := time.Since(began); l.time > 0 && took > l.time {
		return line, nodes, lostError{fmt.Sprintf("%v of %v used", took.Round(time.Millisecond), l.time)}
	}
	text, _, _ := strings.Cut(strings.TrimPrefix(answer, "bestmove "), " ")
	if text == "resign" {
		return line, nodes, lostError{text}
	}
	if line.Move, err = at.ParseMove(text); err != nil {
		err = fmt.Errorf("%s plays %q at %s: %w", e.name, text, at.Setup(), err)
	}
	return line, nodes, err
}

// number returns the number after some words in an info line, if it has them before the main line.
func number(line, words string) (n int, ok bool) {
	line, _, _ = strings.Cut(line, " pv ")
	_, rest, found := strings.Cut(line, " "+words+" ")
	if !found || !strings.HasPrefix(line, "info ") || strings.HasPrefix(line, "info string") {
		return 0, false
	}
	first, _, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(first)
	return n, err == nil
}

// Close ends the program, by force if it does not end by itself.
func (e *engine) Close() error {
	_ = e.send("quit") // it may have ended
	kill := time.AfterFunc(ending, func() { _ = e.cmd.Process.Kill() })
	for range e.lines {
	}
	_ = e.cmd.Wait() // how it ends does not change the games
	kill.Stop()
	return nil
}
