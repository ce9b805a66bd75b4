package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"trefoil/tools/internal/program"
)

// engine is a UCI engine in a process of its own.
type engine struct {
	name  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string // closed at the end of its output
}

// newEngine starts a program, the first word, and sets options, each NAME=VALUE with underscores for the
// spaces of the name.
func newEngine(words []string) (*engine, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("an engine without a name")
	}
	e := &engine{name: words[0], cmd: exec.Command(words[0]), lines: make(chan string, 1000)}
	var err error
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
		for in := bufio.NewScanner(out); in.Scan(); {
			e.lines <- in.Text()
		}
	}()
	commands := []string{"uci"}
	for _, option := range words[1:] {
		name, value, ok := strings.Cut(option, "=")
		if !ok {
			return nil, fmt.Errorf("%s: option %q is not NAME=VALUE", e.name, option)
		}
		commands = append(commands, "setoption name "+strings.ReplaceAll(name, "_", " ")+" value "+value)
	}
	return e, e.ready(commands...)
}

// send sends commands.
func (e *engine) send(commands ...string) error {
	if _, err := io.WriteString(e.in, strings.Join(commands, "\n")+"\n"); err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	return nil
}

// ready sends commands and waits until they are done.
func (e *engine) ready(commands ...string) error {
	if err := e.send(append(commands, "isready")...); err != nil {
		return err
	}
	for line := range e.lines {
		if line == "readyok" {
			return nil
		}
	}
	return fmt.Errorf("%s ended", e.name)
}

// result is what a search has found.
type result struct {
	mate int // the shortest of the right side, negative if the side to move is mated; 0: none
	used time.Duration
}

// within reports whether the mate is as short as stated.
func (r result) within(p problem) bool { return r.mate != 0 && abs(r.mate) <= abs(p.moves) }

// poll is how often the processor time is read.
const poll = 2 * time.Millisecond

// search searches a problem until it is solved or the processor time is used up.
func (e *engine) search(ctx context.Context, p problem, each time.Duration, untold bool) (r result, err error) {
	if err := e.ready("ucinewgame", "position fen "+p.fen); err != nil {
		return r, err
	}
	began := program.OfProcess(e.cmd.Process.Pid)
	command := fmt.Sprintf("go mate %d movetime %d", abs(p.moves), 100*each.Milliseconds())
	if untold {
		command = "go mate infinite"
	}
	if err := e.send(command); err != nil {
		return r, err
	}
	stopped := false
	end := func() {
		if !stopped {
			r.used = program.OfProcess(e.cmd.Process.Pid) - began
			stopped, err = true, e.send("stop")
		}
	}
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			end()
			ctx = context.Background()
		case <-ticker.C:
			if program.OfProcess(e.cmd.Process.Pid)-began >= each {
				end()
			}
		case line, ok := <-e.lines:
			switch {
			case !ok:
				return r, fmt.Errorf("%s ended", e.name)
			case strings.HasPrefix(line, "bestmove"):
				end()
				return r, err
			case stopped:
				continue
			}
			if mate := reported(line); mate != 0 && (mate < 0) == (p.moves < 0) && (r.mate == 0 || abs(mate) < abs(r.mate)) {
				if r.mate = mate; r.within(p) {
					end()
				}
			}
		}
	}
}

// reported returns the mate of a line, 0 if it has none or only a bound.
func reported(line string) int {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" || strings.Contains(line, "bound") {
		return 0
	}
	for i := 1; i+2 < len(words); i++ {
		switch {
		case words[i] == "string" || words[i] == "pv":
			return 0
		case words[i] == "score" && words[i+1] == "mate":
			mate, _ := strconv.Atoi(words[i+2])
			return mate
		}
	}
	return 0
}

func (e *engine) close() error {
	if err := e.send("quit"); err != nil {
		return err
	}
	for range e.lines {
	}
	return e.cmd.Wait()
}
