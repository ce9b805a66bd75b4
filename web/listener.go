package web

import (
	"net"
	"sync"
)

// limited is a listener with a bound on its open connections; the others wait.
type limited struct {
	net.Listener
	free chan struct{}
}

func (l *limited) Accept() (net.Conn, error) {
	l.free <- struct{}{}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &counted{Conn: c, closed: sync.OnceFunc(func() { <-l.free })}, nil
}

// counted is a connection that says when it is closed.
type counted struct {
	net.Conn
	closed func()
}

func (c *counted) Close() error {
	defer c.closed()
	return c.Conn.Close()
}
