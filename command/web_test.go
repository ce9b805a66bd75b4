package command

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"trefoil/internal/cli"
)

// TestWeb: the address is printed, a page is there, and Ctrl-C ends the server. A browser that cannot be
// opened is told.
func TestWeb(t *testing.T) {
	t.Setenv("PATH", "")
	ctx, interrupt := context.WithCancel(t.Context())
	in, out := io.Pipe()
	var errs strings.Builder
	ended := make(chan int)
	go func() {
		ended <- program().RunContext(ctx, []string{"web", "--open", "--hash", "1"}, nil, out, &errs)
	}()
	url, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.Get(strings.TrimSpace(url))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Errorf("%s: %d", url, r.StatusCode)
	}
	interrupt()
	if code := <-ended; code != 0 || !strings.Contains(errs.String(), "could not open the browser") {
		t.Errorf("status %d, %s", code, errs.String())
	}
}

// TestWebErrors: an address that cannot be listened at, and a table that does not fit.
func TestWebErrors(t *testing.T) {
	for args, want := range map[string]string{
		"--listen x":           "x",
		"--listen 127.0.0.1:x": "x",
		"--hash 33554432":      "MiB",
		"--hash 0":             "0",

		"--link-base example.org/page":                "--link-base",
		"--link-base ftp://example.org/":              `"ftp://example.org/"`,
		"--link-base https:///page":                   `"https:///page"`,
		"--link-base https://:80/page":                "--link-base",
		"--link-base https://me@example.org/":         "--link-base",
		"--link-base https://example.org/?game=go":    "--link-base",
		"--link-base https://example.org/#game=chess": "--link-base",
		"--link-base https://example.org/#":           "--link-base",
		"--link-base https://exa%mple.org/":           "--link-base",
	} {
		var errs strings.Builder
		code := Run(append([]string{"web"}, strings.Fields(args)...), nil, io.Discard, &errs)
		if code != cli.StatusFailed || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: status %d, %s", args, code, errs.String())
		}
	}
}
