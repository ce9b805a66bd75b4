package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// A worker is a child process that plays games, because the parameters are variables of the process.
// It reads a job from each line of its input and answers it with a line of its output, both JSON. It
// ends with its input.

// A job is a game.
type job struct {
	Plan   plan     `json:"plan"`
	Number int      `json:"number"` // of the game
	Names  []string `json:"names"`
	Plus   []int    `json:"plus"`
	Minus  []int    `json:"minus"`
}

// An answer is the result of a job.
type answer struct {
	Number int    `json:"number"`
	Half   int    `json:"half"` // points of plus
	Error  string `json:"error,omitempty"`
}

// worker is the command of that name.
func worker(ctx context.Context) error {
	r, err := newReferee()
	if err != nil {
		return err
	}
	return serve(ctx, os.Stdin, os.Stdout, r.play)
}

// serve answers jobs until its input ends, which also stops the game that is being played.
func serve(ctx context.Context, in io.Reader, out io.Writer, play func(context.Context, job) (int, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs, bad := make(chan job), make(chan error, 1)
	go func() {
		defer cancel()
		for d := json.NewDecoder(in); ; {
			var j job
			if err := d.Decode(&j); err != nil {
				if err != io.EOF {
					bad <- err
				}
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			select {
			case err := <-bad:
				return fmt.Errorf("a job that cannot be read: %w", err)
			default:
				return nil
			}
		case j := <-jobs:
			a := answer{Number: j.Number}
			var err error
			if a.Half, err = play(ctx, j); err != nil {
				if ctx.Err() != nil {
					continue
				}
				a.Error = err.Error()
			}
			if err := json.NewEncoder(out).Encode(a); err != nil {
				return err
			}
		}
	}
}

// attempts is how often a job is given to a child that then dies.
const attempts = 3

// crew are workers. Its methods are called by one goroutine.
type crew struct {
	command func(context.Context) *exec.Cmd
	n       int
	jobs    chan job
	results chan result
	stop    context.CancelFunc
	running sync.WaitGroup
}

type result struct {
	number, half int
	err          error
}

// newCrew starts n workers. They end with ctx or by close.
func newCrew(ctx context.Context, n int, command func(context.Context) *exec.Cmd) *crew {
	c := &crew{command: command, n: n, jobs: make(chan job), results: make(chan result)}
	ctx, c.stop = context.WithCancel(ctx)
	for range n {
		c.running.Go(func() { c.work(ctx) })
	}
	return c
}

// play plays games and returns the half points of plus, in their order.
func (c *crew) play(ctx context.Context, jobs []job) ([]int, error) {
	halves := make([]int, len(jobs))
	for next, done := 0, 0; done < len(jobs); {
		var give chan job
		var j job
		if next < len(jobs) {
			give, j = c.jobs, jobs[next]
		}
		select {
		case give <- j:
			next++
		case r := <-c.results:
			if r.err != nil {
				return nil, fmt.Errorf("game %d: %w", r.number, r.err)
			}
			halves[r.number-jobs[0].Number] = r.half
			done++
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return halves, nil
}

// close ends the workers and waits for them.
func (c *crew) close() {
	c.stop()
	c.running.Wait()
}

// work gives jobs to a child, and to another one if it dies.
func (c *crew) work(ctx context.Context) {
	var p *process
	defer func() { p.end() }()
	for {
		var j job
		select {
		case j = <-c.jobs:
		case <-ctx.Done():
			return
		}
		r := result{number: j.Number}
		for try := 1; ; try++ {
			if p == nil {
				if p, r.err = startProcess(c.command(ctx)); r.err != nil {
					break
				}
			}
			var died bool
			if r.half, died, r.err = p.ask(j); !died || ctx.Err() != nil {
				break
			}
			p.end()
			p = nil
			if try == attempts {
				r.err = fmt.Errorf("%d workers died: %w", attempts, r.err)
				break
			}
		}
		select {
		case c.results <- r:
		case <-ctx.Done():
			return
		}
	}
}

// process is a child.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startProcess(cmd *exec.Cmd) (*process, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &process{cmd, in, bufio.NewReader(out)}, nil
}

// ask plays a job. died is set if the child gave no answer to it.
func (p *process) ask(j job) (half int, died bool, err error) {
	text, err := json.Marshal(j)
	if err != nil {
		return 0, false, err
	}
	if _, err := p.in.Write(append(text, '\n')); err != nil {
		return 0, true, err
	}
	line, err := p.out.ReadSlice('\n')
	if err != nil {
		return 0, true, err
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil || a.Number != j.Number || a.Half < 0 || a.Half > 2 {
		return 0, true, fmt.Errorf("it answers %q", line)
	}
	if a.Error != "" {
		return 0, false, errors.New(a.Error)
	}
	return a.Half, false, nil
}

// end ends a child and waits for it; nil is none.
func (p *process) end() {
	if p != nil {
		_ = p.in.Close()
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait() // it was killed
	}
}
