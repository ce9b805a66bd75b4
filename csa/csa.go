// Package csa plays games of shogi on servers that speak the CSA server protocol 1.2.1, such as floodgate:
//
//	dial ── LOGIN ── Game_Summary ── AGREE ── START ─┬─ moves, with the time that each took ── #WIN … ── LOGOUT
//	 ▲                                               │
//	 └── a pause that doubles ◄─ any error ◄─────────┴─ record in CSA
//
// Each game has a connection of its own. No line of a server, or silence, ends or blocks the program: an error names
// the line, the game is given up, and the client connects again. The protocol:
// http://www2.computer-shogi.org/protocol/tcp_ip_server_121.html
package csa

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"trefoil/options"
	"trefoil/search"
)

// Engine is what plays. Its methods are called one at a time.
type Engine interface {
	Options() *options.Set
	NewGame()
	Settle(ctx context.Context)
	Notices() []string
	SetPosition(setup string, moves []string) error
	Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result
}

// A Client plays on a server.
type Client struct {
	Engine   Engine
	Server   string // host:port
	Name     string
	Password string // as the server expects it: floodgate wants the name of the game and a comma before it
	Games    int    // to play; 0 for no limit
	Retries  int    // connections in a row that may fail
	Ponder   bool
	Comments bool            // send the value and the line after a move, as on floodgate
	Folder   string          // for the records of games; "" for none
	Own      map[string]bool // the options that the user has set, which a game does not change
	Print    func(line string)
	Waits    *Waits // nil for the usual ones
}

// Waits are the longest times that a client waits.
type Waits struct {
	Answer    time.Duration // for an answer of the server, and longer than the clock of a player
	Game      time.Duration // for a game
	KeepAlive time.Duration // between empty lines while nothing else is sent
	Pause     time.Duration // before the second connection; it doubles up to 64 times
}

var usualWaits = Waits{Answer: 2 * time.Minute, Game: 2 * time.Hour, KeepAlive: 40 * time.Second, Pause: time.Second}

// refused is the error of a login that the server refuses.
type refused struct{ error }

// Run plays the games. It returns an error if the server refuses the login, if too many connections in a row have
// failed, or when ctx ends.
func (c *Client) Run(ctx context.Context) error {
	if strings.ContainsAny(c.Name+c.Password, " \t\r\n") || c.Name == "" || c.Password == "" {
		return errors.New("a name and a password without blanks are needed")
	}
	if c.Waits == nil {
		c.Waits = &usualWaits
	}
	results := map[string]int{}
	for played, failed := 0, 0; c.Games == 0 || played < c.Games; {
		result, err := c.once(ctx, played+1)
		if err == nil {
			results[result]++
			played, failed = played+1, 0
			continue
		}
		if denied := (refused{}); errors.As(err, &denied) || ctx.Err() != nil {
			return err
		}
		if failed++; failed > c.Retries {
			return fmt.Errorf("given up after %d failures: %w", failed, err)
		}
		pause := c.Waits.Pause << min(failed-1, 6)
		c.Print(fmt.Sprintf("%v; connecting again in %v", err, pause))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
	c.Print(fmt.Sprintf("%d won, %d drawn, %d lost, %d without result", results["#WIN"], results["#DRAW"],
		results["#LOSE"], results["#CENSORED"]+results["#CHUDAN"]))
	return nil
}

// once plays game number n on a connection of its own, and returns the line with its result.
func (c *Client) once(ctx context.Context, n int) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conn, err := (&net.Dialer{Timeout: stalled}).DialContext(ctx, "tcp", c.Server)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	s := newConnection(ctx, conn, c.Waits)
	if err := c.login(ctx, s); err != nil {
		return "", err
	}
	g := &game{Client: c, connection: s}
	if g.summary, err = s.readSummary(ctx, c.Waits); err != nil {
		return "", err
	}
	if err := g.agree(ctx); err != nil {
		return "", err
	}
	result, err := g.play(ctx)
	if c.Folder != "" {
		if err := g.save(c.Folder); err != nil {
			c.Print("the record is not saved: " + err.Error())
		}
	}
	if err != nil {
		return "", err
	}
	names := g.summary.names
	c.Print(printable(fmt.Sprintf("game %d, %s, %s against %s: %s", n, g.summary.id, names[0], names[1],
		strings.TrimSpace(result+" "+g.reason))))
	_ = s.send("LOGOUT") // the game is over, also if the server is gone
	return result, nil
}

// login logs in. Its error does not have the password.
func (c *Client) login(ctx context.Context, s *connection) error {
	if err := s.send("LOGIN " + c.Name + " " + c.Password); err != nil {
		return err
	}
	text, _, err := s.wait(ctx, c.Waits.Answer, nil)
	switch {
	case err != nil:
		return fmt.Errorf("login: %w", err)
	case text == "LOGIN:"+c.Name+" OK":
		return nil
	case strings.HasPrefix(text, "LOGIN:"):
		return refused{fmt.Errorf("the server refuses the login of %s: %q", c.Name, text)}
	}
	return s.wrong(errors.New("it does not answer the login"))
}
