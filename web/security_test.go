package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"trefoil/search"
)

// raw sends a request as it is written, with the address of the server for HOST, and returns status and answer.
func (c *client) raw(request string) (int, string) {
	c.Helper()
	address := strings.TrimPrefix(c.url, "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		c.Fatal(err)
	}
	defer conn.Close()
	request = strings.ReplaceAll(strings.ReplaceAll(request, "HOST", address), "\n", "\r\n")
	if _, err := io.WriteString(conn, request); err != nil {
		c.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		c.Fatalf("%.100s: %v", request, err)
	}
	defer r.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	return r.StatusCode, string(body)
}

// TestHostileRequests: requests of other sites, and of programs that do not keep to the interface.
func TestHostileRequests(t *testing.T) {
	c := serve(t, newFake(t))
	position := "POST /api/position HTTP/1.1\nHost: HOST\nContent-Type: application/json\nContent-Length: 16\n%s\n{\"game\":\"chess\"}"
	for name, test := range map[string]struct {
		request string
		status  int
	}{
		"the page":                {"GET / HTTP/1.1\nHost: HOST\n\n", 200},
		"without Origin":          {fmt.Sprintf(position, ""), 200},
		"its own Origin":          {fmt.Sprintf(position, "Origin: http://HOST\nSec-Fetch-Site: same-origin\n"), 200},
		"DNS rebinding":           {"GET / HTTP/1.1\nHost: evil.example\n\n", 403},
		"another port":            {"GET / HTTP/1.1\nHost: 127.0.0.1:1\n\n", 403},
		"no Host":                 {"GET / HTTP/1.1\nHost:\n\n", 403},
		"Origin of another site":  {fmt.Sprintf(position, "Origin: http://evil.example\n"), 403},
		"Origin null":             {fmt.Sprintf(position, "Origin: null\n"), 403},
		"Origin with https":       {fmt.Sprintf(position, "Origin: https://HOST\n"), 403},
		"two Origins":             {fmt.Sprintf(position, "Origin: http://HOST\nOrigin: http://evil.example\n"), 403},
		"cross-site":              {"GET /api/games HTTP/1.1\nHost: HOST\nSec-Fetch-Site: cross-site\n\n", 403},
		"a link from elsewhere":   {"GET / HTTP/1.1\nHost: HOST\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\nSec-Fetch-Dest: document\n\n", 200},
		"such a link in a frame":  {"GET / HTTP/1.1\nHost: HOST\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\nSec-Fetch-Dest: iframe\n\n", 403},
		"such a link to the API":  {"GET /api/games HTTP/1.1\nHost: HOST\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\nSec-Fetch-Dest: document\n\n", 403},
		"a form from elsewhere":   {"POST / HTTP/1.1\nHost: HOST\nContent-Length: 0\nSec-Fetch-Site: cross-site\nSec-Fetch-Dest: document\n\n", 403},
		"same-site":               {"GET /api/games HTTP/1.1\nHost: HOST\nSec-Fetch-Site: same-site\n\n", 403},
		"a form":                  {"POST /api/position HTTP/1.1\nHost: HOST\nContent-Type: text/plain\nContent-Length: 16\n\n{\"game\":\"chess\"}", 415},
		"no content type":         {"POST /api/position HTTP/1.1\nHost: HOST\nContent-Length: 16\n\n{\"game\":\"chess\"}", 415},
		"not JSON":                {"POST /api/position HTTP/1.1\nHost: HOST\nContent-Type: application/json\nContent-Length: 3\n\n{\"g", 400},
		"a long body":             {"POST /api/position HTTP/1.1\nHost: HOST\nContent-Type: application/json\nContent-Length: 70000\n\n\"" + strings.Repeat("x", 69999), 413},
		"a path to the disk":      {"GET /../../../../etc/passwd HTTP/1.1\nHost: HOST\n\n", 307}, // to /etc/passwd, which is none of its files
		"an absolute path":        {"GET /etc/passwd HTTP/1.1\nHost: HOST\n\n", 404},
		"one that is encoded":     {"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\nHost: HOST\n\n", 404},
		"a path not in UTF-8":     {"GET /%ff HTTP/1.1\nHost: HOST\n\n", 404},
		"a source file":           {"GET /server.go HTTP/1.1\nHost: HOST\n\n", 404},
		"another method":          {"DELETE / HTTP/1.1\nHost: HOST\n\n", 405},
		"a preflight":             {"OPTIONS /api/search HTTP/1.1\nHost: HOST\nOrigin: http://evil.example\n\n", 403},
		"a method of another way": {"GET /api/search HTTP/1.1\nHost: HOST\n\n", 404},
		"headers below the limit": {"GET / HTTP/1.1\nHost: HOST\nX: " + strings.Repeat("x", maxHeader-100) + "\n\n", 200},
		"longer headers":          {"GET / HTTP/1.1\nHost: HOST\nX: " + strings.Repeat("x", maxHeader) + "\n\n", 431},
		"a bad session":           {"GET /api/events?session=../../x HTTP/1.1\nHost: HOST\n\n", 400},
		"no session":              {"GET /api/events HTTP/1.1\nHost: HOST\n\n", 400},
	} {
		if status, body := c.raw(test.request); status != test.status {
			t.Errorf("%s: %d, want %d: %.200s", name, status, test.status, body)
		}
	}
}

// TestHeaders: the page may load its own files only, and no answer is for another site.
func TestHeaders(t *testing.T) {
	c := serve(t, newFake(t))
	r, err := http.Get(c.url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if p := r.Header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") ||
		strings.Contains(p, "unsafe") {
		t.Error(p)
	}
	for _, name := range []string{"Access-Control-Allow-Origin", "Set-Cookie"} {
		if v := r.Header.Get(name); v != "" {
			t.Errorf("%s: %s", name, v)
		}
	}
	page, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, inline := range []string{"<style", "style=", "onclick=", "javascript:"} {
		if strings.Contains(string(page), inline) {
			t.Errorf("the page has %s, which the policy forbids", inline)
		}
	}
}

// deadlines records the time until which an answer may be written.
type deadlines struct {
	*httptest.ResponseRecorder
	until time.Time
}

func (d *deadlines) SetWriteDeadline(t time.Time) error {
	d.until = t
	return nil
}

// TestLateAnswer: what an answer takes to be computed, such as an option that waits for a search, is not part of the
// time for writing it.
func TestLateAnswer(t *testing.T) {
	w, computed := &deadlines{ResponseRecorder: httptest.NewRecorder()}, time.Time{}
	get(func(*http.Request) (any, error) {
		w.until, computed = time.Time{}, time.Now() // as if that of the request had passed
		return "late", nil
	})(w, httptest.NewRequest("GET", "/api/options", nil))
	if within := w.until.Sub(computed); within < answerTimeout {
		t.Errorf("the answer has %v to be written, expected %v", within, answerTimeout)
	}
}

// TestUsualPort: the address is the same each time, so that bookmarks last, unless another program has it.
func TestUsualPort(t *testing.T) {
	var urls []string
	for range 2 {
		l, err := Listen("")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		urls = append(urls, l.URL())
	}
	if urls[0] == urls[1] || !strings.HasPrefix(urls[1], "http://127.0.0.1:") {
		t.Errorf("two servers at %s and %s", urls[0], urls[1])
	}
	if taken, err := net.Listen("tcp", usual); urls[0] != "http://"+usual+"/" && err == nil {
		taken.Close()
		t.Errorf("the server listens at %s, and nobody at %s", urls[0], usual)
	}
}

// TestToken: beyond loopback the interface needs the token.
func TestToken(t *testing.T) {
	at := &net.TCPAddr{IP: net.IPv4zero, Port: 8000}
	g := newGuard("0.0.0.0", at)
	if len(g.token) < 26 || g.token == newGuard("", at).token {
		t.Fatalf("token %q", g.token)
	}
	if loopback := newGuard("", &net.TCPAddr{IP: net.IPv6loopback, Port: 8000}); loopback.token != "" ||
		!loopback.knows("[::1]:8000") || !loopback.knows("LOCALHOST:8000") {
		t.Error(loopback)
	}
	for port, hosts := range map[int]map[string]bool{
		80:   {"192.168.1.5": true, "192.168.1.5:80": true, "[fe80::1]": true, "192.168.1.5:8080": false, "evil.example": false},
		8000: {"192.168.1.5:8000": true, "192.168.1.5": false, "[fe80::1]": false},
	} {
		for host, want := range hosts {
			if got := newGuard("0.0.0.0", &net.TCPAddr{IP: net.IPv4zero, Port: port}).knows(host); got != want {
				t.Errorf("port %d, Host %s: %v", port, host, got)
			}
		}
	}
	for _, test := range []struct {
		url, bearer string
		admitted    bool
	}{
		{"http://192.168.1.5:8000/", "", true}, // files of the program
		{"http://192.168.1.5:8000/api/games", "", false},
		{"http://192.168.1.5:8000/api/games", g.token, true},
		{"http://192.168.1.5:8000/api/games", g.token[1:], false},
		{"http://192.168.1.5:8000/api/games?token=" + g.token, "", false},
		{"http://192.168.1.5:8000/api/events?token=" + g.token, "", true},
		{"http://[fe80::1]:8000/api/games", g.token, true},
		{"http://evil.example:8000/api/games", g.token, false},
		{"http://192.168.1.5:8001/api/games", g.token, false},
	} {
		r, err := http.NewRequest(http.MethodGet, test.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if test.bearer != "" {
			r.Header.Set("Authorization", "Bearer "+test.bearer)
		}
		if err := g.check(r); (err == nil) != test.admitted {
			t.Errorf("%s: %v", test.url, err)
		}
	}
}

// TestRate: more requests than the rate allows are refused, and are possible again later.
func TestRate(t *testing.T) {
	b, now := bucket{rate: 10, most: 20}, time.Unix(1000, 0)
	took := func() (n int) {
		for b.take(now) {
			n++
		}
		return n
	}
	if n := took(); n != 20 {
		t.Errorf("%d at once", n)
	}
	if now = now.Add(time.Second); took() != 10 {
		t.Error("not 10 after a second")
	}
}

// TestRefusedAreFree: requests that are refused leave the owner's rate and connections alone.
func TestRefusedAreFree(t *testing.T) {
	c := serve(t, newFake(t))
	for range requestBurst + 1 {
		r, err := http.NewRequest(http.MethodGet, c.url+"/api/games", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden || !answer.Close {
			t.Fatalf("%d, connection closed: %v", answer.StatusCode, answer.Close)
		}
	}
	if status, body := c.post("/api/position", `{"game":"chess"}`); status != http.StatusOK {
		t.Error(status, body)
	}
	g := newGuard("0.0.0.0", &net.TCPAddr{IP: net.IPv4zero, Port: 8000})
	for range requestBurst + 1 { // files, which need no token
		_ = g.check(httptest.NewRequest(http.MethodGet, "http://192.168.1.5:8000/", nil))
	}
	r := httptest.NewRequest(http.MethodGet, "http://192.168.1.5:8000/api/games", nil)
	r.Header.Set("Authorization", "Bearer "+g.token)
	if err := g.check(r); err != nil {
		t.Error(err)
	}
}

// TestSessions: there are no more than maxSessions, and a stream takes the session of another one over.
func TestSessions(t *testing.T) {
	c := serve(t, newFake(t))
	for n := range maxSessions {
		c.events(n)
	}
	if status, body := c.raw("GET /api/events?session=" + page(maxSessions) +
		" HTTP/1.1\nHost: HOST\n\n"); status != http.StatusServiceUnavailable {
		t.Error(status, body)
	}
	c.events(0)
}

// TestSlowReader: a page that reads nothing holds up neither the engine nor another page, and its events take no more
// memory with time.
func TestSlowReader(t *testing.T) {
	f, done := newFake(t), make(chan struct{})
	f.search = func(_ context.Context, _ search.Limits, report func(search.Info)) search.Result {
		pv := strings.Fields(strings.Repeat("g1f3 g8f6 f3g1 f6g8 ", 30))
		for n := range 20000 {
			report(search.Info{Depth: n, MultiPV: 1 + n%4, PV: pv})
			report(search.Info{Text: strings.Repeat("text ", 100)})
		}
		defer close(done)
		return search.Result{Best: "e2e4"}
	}
	c := serve(t, f)
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET /api/events?session=%s HTTP/1.1\r\nHost: %s\r\n\r\n", page(1),
		strings.TrimPrefix(c.url, "http://"))
	s, err := c.server.sessions.find(page(1))
	for ; err != nil; s, err = c.server.sessions.find(page(1)) { // until the session is known
		time.Sleep(time.Millisecond)
	}
	c.ok("/api/search", `{"session":%q,"game":"chess","mode":"play"}`, page(1))
	<-done
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	if len(s.box.events) > 6 || len(s.box.notices) > maxNotices {
		t.Errorf("%d events and %d notices wait", len(s.box.events), len(s.box.notices))
	}
}

// TestURL: the address of the page has the host that was asked for; a server on all addresses has
// localhost.
func TestURL(t *testing.T) {
	for address, want := range map[string]string{"127.0.0.1:0": "http://127.0.0.1:", ":0": "http://localhost:"} {
		l, err := Listen(address)
		if err != nil {
			t.Fatal(err)
		}
		if url := l.URL(); !strings.HasPrefix(url, want) {
			t.Errorf("%s: %s, want %s", address, url, want)
		}
		_ = l.Close()
	}
}
