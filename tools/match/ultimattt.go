package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"time"

	"trefoil/tools/internal/program"
	"trefoil/tools/internal/selfplay"
)

// ultimattt is the worker of nelhage/ultimattt, which plays by alpha-beta. It is limited by time only, and ends
// the iteration in which that is over: its nodes are microseconds.
type ultimattt struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// ultimatttRequest is a command of its protocol, one line of JSON.
type ultimatttRequest struct {
	Op   string `json:"op"`
	Body any    `json:"body"`
}

// ultimatttMove asks for a move.
type ultimatttMove struct {
	ID    string          `json:"id"`
	Board string          `json:"board"`
	Limit ultimatttLimit  `json:"limit"`
	Depth json.RawMessage `json:"max_depth"`
}

type ultimatttLimit struct {
	Secs  int64 `json:"secs"`
	Nanos int64 `json:"nanos"`
}

// newUltimattt starts the program at a path.
func newUltimattt(path string) (*ultimattt, error) {
	u := &ultimattt{cmd: exec.Command(path, "worker")}
	var err error
	if u.in, err = u.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := u.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	u.out = bufio.NewScanner(out)
	return u, u.cmd.Start()
}

// send sends a request.
func (u *ultimattt) send(op string, body any) error {
	if err := json.NewEncoder(u.in).Encode(ultimatttRequest{Op: op, Body: body}); err != nil {
		return fmt.Errorf("%s: %w", u.cmd.Path, err)
	}
	return nil
}

func (u *ultimattt) NewGame(context.Context) error { return nil } // its worker does nothing then

func (u *ultimattt) used() time.Duration { return program.OfProcess(u.cmd.Process.Pid) }

// move implements player: the nodes are microseconds.
func (u *ultimattt) move(_ context.Context, at *moment, l limit) (line selfplay.Line, nodes uint64, err error) {
	limit := time.Duration(l.nodes) * time.Microsecond
	err = u.send("getmove", ultimatttMove{Board: at.Setup(),
		Limit: ultimatttLimit{Secs: int64(limit / time.Second), Nanos: int64(limit % time.Second)}})
	if err != nil {
		return line, 0, err
	}
	if !u.out.Scan() {
		return line, 0, fmt.Errorf("%s ended: %v", u.cmd.Path, u.out.Err())
	}
	var answer struct {
		Body struct {
			Move  string `json:"move"`
			Error string `json:"error"`
		} `json:"body"`
	}
	if err := json.Unmarshal(u.out.Bytes(), &answer); err != nil || answer.Body.Move == "" {
		return line, 0, fmt.Errorf("%s: %q", u.cmd.Path, u.out.Text())
	}
	line.Move, err = at.ParseMove(answer.Body.Move)
	return line, l.nodes, err
}

func (u *ultimattt) Close() error {
	if err := u.send("shutdown", []string{}); err != nil {
		return err
	}
	for u.out.Scan() {
	}
	return u.cmd.Wait()
}
