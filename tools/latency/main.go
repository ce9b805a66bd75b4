// Command latency measures how long an engine takes to answer while its hash table is allocated,
// touched or cleared.
//
//	go build -o trefoil . && go run ./tools/latency -engine ./trefoil -hash 8192
//
// It prints a line for every case, with the slowest of several rounds:
//
//	isready, stop → bestmove                in a search, one and two threads
//	setoption Hash N, then isready          from sending both to readyok
//	isready, stop while N MiB are touched   the background work of a new table
//	go movetime 1000 right after            from sending to bestmove
//	isready, stop while N MiB are cleared   ucinewgame of a table that was used
//	quit while N MiB are touched            to the end of the process
//
// With -variant it plays another game, and prints only the first line.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"trefoil/tools/internal/program"
)

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "latency:", err)
		os.Exit(1)
	}
}

// run is the command with its arguments.
func run(args []string) error {
	set := program.Flags("latency [flags]", os.Stderr)
	path := set.String("engine", "./trefoil", "the engine")
	hash := set.Int("hash", 8192, "MiB of the large table")
	rounds := set.Int("rounds", 5, "rounds of each case")
	variant := set.String("variant", "chess", "the game, a value of UCI_Variant")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	return measure(*path, *variant, *hash, *rounds)
}

// engine is a running engine. Its first error is kept; later calls then do nothing.
type engine struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
	err error

	deep int // depth that a search has to reach before it is measured
}

func start(path string) *engine {
	e := &engine{cmd: exec.Command(path)}
	var out io.ReadCloser
	if e.in, e.err = e.cmd.StdinPipe(); e.err != nil {
		return e
	}
	if out, e.err = e.cmd.StdoutPipe(); e.err != nil {
		return e
	}
	e.out = bufio.NewScanner(out)
	e.err = e.cmd.Start()
	return e
}

func (e *engine) send(lines ...string) {
	if e.err == nil {
		_, e.err = io.WriteString(e.in, strings.Join(lines, "\n")+"\n")
	}
}

// until reads up to a line with that beginning and returns it.
func (e *engine) until(prefix string) string {
	for e.err == nil {
		if !e.out.Scan() {
			e.err = fmt.Errorf("the engine ended before it said %q", prefix)
			break
		}
		if line := e.out.Text(); strings.HasPrefix(line, prefix) {
			return line
		}
	}
	return ""
}

// reach reads until a depth of at least depth is reported; with several workers depths may be
// skipped.
func (e *engine) reach(depth int) {
	for d := 0; d < depth && e.err == nil; {
		if _, err := fmt.Sscanf(e.until("info depth "), "info depth %d", &d); err != nil && e.err == nil {
			e.err = err
		}
	}
}

// ask sends lines and returns how long the answer took.
func (e *engine) ask(answer string, lines ...string) time.Duration {
	begin := time.Now()
	e.send(lines...)
	e.until(answer)
	return time.Since(begin)
}

// quit returns how long the process took to end.
func (e *engine) quit() time.Duration {
	begin := time.Now()
	e.send("quit")
	for e.err == nil && e.out.Scan() {
	}
	if e.err == nil {
		e.err = e.cmd.Wait()
	}
	return time.Since(begin)
}

// table collects the slowest time of every case, in the order of their first round.
type table struct {
	names []string
	worst map[string]time.Duration
}

func (t *table) add(name string, d time.Duration) {
	if _, known := t.worst[name]; !known {
		t.names = append(t.names, name)
	}
	t.worst[name] = max(t.worst[name], d)
}

func measure(path, variant string, hash, rounds int) error {
	t := &table{worst: make(map[string]time.Duration)}
	parts, deep := []func(*table, *engine, int){search, touching, clearing, quitting}, 8
	if variant != "chess" {
		parts, deep = parts[:1], 1
	}
	for range rounds {
		for _, part := range parts {
			e := start(path)
			e.deep = deep
			e.send("setoption name UCI_Variant value "+variant, "isready")
			e.until("readyok")
			part(t, e, hash)
			e.quit()
			if e.err != nil {
				return e.err
			}
		}
	}
	for _, name := range t.names {
		fmt.Printf("%-52s %8.2f ms\n", name, float64(t.worst[name].Microseconds())/1000)
	}
	return nil
}

// search measures a plain search.
func search(t *table, e *engine, _ int) {
	for _, threads := range []string{"1", "2"} {
		e.send("setoption name Threads value "+threads, "go infinite")
		e.reach(e.deep)
		t.add("isready in a search, Threads "+threads, e.ask("readyok", "isready"))
		t.add("stop → bestmove, Threads "+threads, e.ask("bestmove", "stop"))
	}
}

// touching measures what happens while the pages of a new table are touched.
func touching(t *table, e *engine, hash int) {
	size := fmt.Sprintf("setoption name Hash value %d", hash)
	t.add(fmt.Sprintf("setoption Hash %d, isready", hash), e.ask("readyok", size, "isready"))
	t.add("isready while it is touched", e.ask("readyok", "isready"))
	e.send("go infinite")
	e.reach(1)
	t.add("isready in a search while it is touched", e.ask("readyok", "isready"))
	t.add("stop → bestmove while it is touched", e.ask("bestmove", "stop"))
	e.send("setoption name Hash value 1", size)
	t.add("go movetime 1000 right after setoption Hash", e.ask("bestmove", "go movetime 1000"))
}

// clearing measures what happens while a used table is cleared: it is touched
// whole first, since pages never touched need no clearing.
func clearing(t *table, e *engine, hash int) {
	e.send(fmt.Sprintf("setoption name Hash value %d", hash))
	for e.err == nil {
		e.send("hash")
		if !strings.Contains(e.until("hash "), "pending") {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	use := func() {
		e.send("go nodes 100000")
		e.until("bestmove")
		e.send("ucinewgame")
	}
	use()
	t.add("isready while it is cleared", e.ask("readyok", "isready"))
	use()
	t.add("go infinite, stop while it is cleared", e.ask("bestmove", "go infinite", "stop"))
	use()
	t.add("go movetime 100 while it is cleared", e.ask("bestmove", "go movetime 100"))
	use()
	t.add("go nodes 1 while it is cleared (waits for it)", e.ask("bestmove", "go nodes 1"))
}

// quitting measures quit while the pages of a table are touched.
func quitting(t *table, e *engine, hash int) {
	e.send(fmt.Sprintf("setoption name Hash value %d", hash), "isready")
	e.until("readyok")
	t.add("quit while it is touched → end of the process", e.quit())
	*e = *start(e.cmd.Path)
}
