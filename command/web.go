package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"runtime"

	"trefoil/engine"
	"trefoil/internal/cli"
	"trefoil/options"
	"trefoil/web"
)

type webServer struct {
	Listen   string      `placeholder:"HOST:PORT" help:"Address to listen at (default 127.0.0.1:8744, or a free port)."`
	Open     bool        `help:"Open the page in the browser."`
	LinkBase linkBase    `placeholder:"URL" help:"Address of a page that others can open, made by make site: 'Copy link' gives a link to it."`
	Hash     cli.MiB     `default:"64" help:"Size of the table in MiB."`
	Threads  cli.Threads `default:"1" help:"Search threads, which share the table."`
}

// linkBase is an address to which a fragment can be added.
type linkBase string

// UnmarshalText reads an absolute address without user, query and fragment.
func (b *linkBase) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
		bytes.ContainsAny(text, "?#") {
		return fmt.Errorf("%.200q is not an address such as https://example.org/trefoil/ without query and fragment", text)
	}
	*b = linkBase(text)
	return nil
}

// Help is printed by -h.
func (*webServer) Help() string {
	return `Prints the address of a page on which you can play against the engine, analyse, and look into its
hash table. All files of the page are in the program; nothing is loaded from the network.

Only this machine can open the page, unless --listen names an address beyond loopback. The address
that is printed then has a token, without which only the files of the page can be read; the
connection is not encrypted.

docs/web.md describes the interface, which other programs can use. Ctrl-C ends the server.

Exit status: 0 on success; 2 on wrong usage or failure.`
}

func (w *webServer) Run(ctx context.Context, std *cli.Console) (err error) {
	games := engine.Games()
	e := engine.NewWith(games)
	defer func() { err = errors.Join(err, e.Close()) }()
	for _, o := range [][2]string{{"Hash", fmt.Sprint(w.Hash)}, {"Threads", fmt.Sprint(w.Threads)}} {
		if err := e.Options().Set(ctx, options.UCI, o[0], o[1]); err != nil {
			return err
		}
	}
	l, err := web.Listen(w.Listen)
	if err != nil {
		return err
	}
	std.Println(l.URL())
	if w.Open {
		if err := openBrowser(l.URL()); err != nil {
			std.Warnf("could not open the browser: %v", err)
		}
	}
	s := web.New(e, games)
	s.LinkBase = string(w.LinkBase)
	return s.Serve(ctx, l)
}

// openBrowser opens a page in the browser of the user.
func openBrowser(url string) error {
	command := []string{"xdg-open", url}
	switch runtime.GOOS {
	case "darwin":
		command[0] = "open"
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", url}
	}
	c := exec.Command(command[0], command[1:]...)
	if err := c.Start(); err != nil {
		return err
	}
	go func() { _ = c.Wait() }()
	return nil
}
