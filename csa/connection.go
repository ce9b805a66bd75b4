package csa

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
	"unicode"

	"trefoil/search"
)

// maxLine is more bytes than a line has.
const maxLine = 1 << 16

// stalled is how long the network may take for a connection, or for a line.
const stalled = time.Minute

// A connection has lines from the server, and keeps it alive.
type connection struct {
	conn      net.Conn
	lines     chan string
	err       error // why there are no more lines, when lines is closed
	number    int   // of the last line
	text      string
	keepAlive *time.Ticker
	interval  time.Duration
}

// newConnection returns a connection that reads until ctx ends. The caller closes conn.
func newConnection(ctx context.Context, conn net.Conn, w *Waits) *connection {
	c := &connection{conn: conn, lines: make(chan string), interval: w.KeepAlive, keepAlive: time.NewTicker(w.KeepAlive)}
	go func() {
		defer close(c.lines)
		in := bufio.NewScanner(conn)
		in.Buffer(nil, maxLine)
		n := 0
		for ; in.Scan(); n++ {
			select {
			case c.lines <- strings.TrimRight(in.Text(), "\r"):
			case <-ctx.Done():
				c.err = ctx.Err()
				return
			}
		}
		switch c.err = in.Err(); {
		case c.err == nil:
			c.err = errors.New("the server closed the connection")
		case errors.Is(c.err, bufio.ErrTooLong):
			c.err = fmt.Errorf("line %d of the server has more than %d bytes", n+1, maxLine)
		}
	}()
	return c
}

// send sends a line.
func (c *connection) send(line string) error {
	c.keepAlive.Reset(c.interval)
	_ = c.conn.SetWriteDeadline(time.Now().Add(stalled)) // without one a write would wait longer
	_, err := io.WriteString(c.conn, line+"\n")
	return err
}

// found is the result of a search, and the last report with a line.
type found struct {
	search.Result
	info search.Info
}

// wait returns the next line that is not empty, or the result of a search, if one comes first.
func (c *connection) wait(ctx context.Context, timeout time.Duration, results <-chan found) (string, *found, error) {
	late := time.After(timeout)
	for {
		select {
		case text, ok := <-c.lines:
			if !ok {
				return "", nil, c.err
			}
			c.number++
			if c.text = text; text != "" {
				return text, nil, nil
			}
		case r := <-results:
			return "", &r, nil
		case <-c.keepAlive.C:
			if err := c.send(""); err != nil {
				return "", nil, err
			}
		case <-late:
			return "", nil, fmt.Errorf("no line of the server within %v after line %d", timeout, c.number)
		case <-ctx.Done():
			return "", nil, ctx.Err()
		}
	}
}

// wrong is an error about the last line.
func (c *connection) wrong(reason error) error {
	return fmt.Errorf("line %d of the server, %.80q: %w", c.number, c.text, reason)
}

// printable replaces what is not to be printed on a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
}
