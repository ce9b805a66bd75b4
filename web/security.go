package web

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"
)

// A guard refuses requests that do not come from the page or from a program of the user.
//
//	another name in Host     a page of another site whose name leads here (DNS rebinding)
//	another Origin           a page of another site
//	Sec-Fetch-Site           likewise; but a link to a file of the page may be followed
//	no token                 another person in the network, beyond loopback
//	too many                 a program that runs wild
//
// A request that is refused counts for no rate but its own, and ends its connection.
type guard struct {
	hosts map[string]bool // names of this server, with the port, in lower case
	any   string          // ":PORT": every address with this port is this server too; "" if it is not
	token string          // "" without one
	rate  bucket          // of requests with the token
	files bucket          // of requests that need none, for the files of the page
}

// newGuard returns the guard of a server that listens at an address. host is what the user named; a token is
// made unless only this machine can connect.
func newGuard(host string, at *net.TCPAddr) *guard {
	_, port, _ := net.SplitHostPort(at.String())
	limit := func() bucket { return bucket{rate: requestRate, most: requestBurst} }
	g := &guard{hosts: map[string]bool{}, rate: limit(), files: limit()}
	names := []string{host, at.IP.String()}
	switch {
	case at.IP.IsUnspecified():
		g.any = ":" + port
		if name, err := os.Hostname(); err == nil {
			names = append(names, name)
		}
		fallthrough
	case at.IP.IsLoopback():
		names = append(names, "127.0.0.1", "localhost", "::1")
	}
	for _, name := range names {
		if name != "" {
			g.hosts[strings.ToLower(net.JoinHostPort(name, port))] = true
			if port == "80" {
				g.hosts[strings.ToLower(strings.TrimSuffix(net.JoinHostPort(name, port), ":80"))] = true
			}
		}
	}
	if !at.IP.IsLoopback() {
		g.token = rand.Text()
	}
	return g
}

// policy is what the page may load: its own files, and nothing inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// answerTimeout is how long the answer to a request may take to be written; events have their own.
const answerTimeout = 15 * time.Second

// limitAnswer ends the connection unless an answer is written within answerTimeout from now on.
func limitAnswer(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTimeout)) // not in tests
}

// wrap returns a handler that checks each request first.
func (g *guard) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		limitAnswer(w)
		if err := g.check(r); err != nil {
			h.Set("Connection", "close")
			replyError(w, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// check returns why a request is refused.
func (g *guard) check(r *http.Request) error {
	if !g.knows(r.Host) {
		return refuse(http.StatusForbidden, "Host %.100q is not this server", r.Host)
	}
	if o := r.Header.Values("Origin"); len(o) > 1 || len(o) == 1 && o[0] != "http://"+r.Host {
		return refuse(http.StatusForbidden, "Origin %.100q is another site", o[0])
	}
	page := !strings.HasPrefix(r.URL.Path, "/api/")
	switch site := r.Header.Get("Sec-Fetch-Site"); {
	case site == "" || site == "same-origin" || site == "none":
	case page && r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Dest") == "document": // a link
	default:
		return refuse(http.StatusForbidden, "Sec-Fetch-Site %.40q: a request of another site", site)
	}
	rate := &g.rate
	if page {
		rate = &g.files
	} else if !g.admits(r) {
		return refuse(http.StatusUnauthorized, "the token is missing or wrong: open the address that trefoil web has printed")
	}
	if !rate.take(time.Now()) {
		return refuse(http.StatusTooManyRequests, "more than %d requests a second", requestRate)
	}
	return nil
}

// knows reports whether the Host of a request names this server. A name that is an address cannot be given to
// another site, so where every address of the machine is listened at, all are known.
func (g *guard) knows(host string) bool {
	host = strings.ToLower(host)
	if g.hosts[host] {
		return true
	}
	name, ok := strings.CutSuffix(host, g.any)
	if g.any == "" || !ok && g.any != ":80" { // which browsers leave out
		return false
	}
	_, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil
}

// admits reports whether a request has the token. EventSource of a browser sends no headers of its own, so events
// have it in the query.
func (g *guard) admits(r *http.Request) bool {
	if g.token == "" {
		return true
	}
	sent, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok && r.URL.Path == eventsPath {
		sent = r.URL.Query().Get("token")
	}
	return subtle.ConstantTimeCompare([]byte(sent), []byte(g.token)) == 1
}

// Requests a second in the long run, and at once after a pause.
const (
	requestRate  = 100
	requestBurst = 400
)

// A bucket holds tokens that are refilled at a rate up to most; each request takes one.
type bucket struct {
	mu         sync.Mutex
	rate, most float64
	spent      float64
	at         time.Time
}

// take takes a token, and reports whether there was one.
func (b *bucket) take(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = max(0, b.spent-now.Sub(b.at).Seconds()*b.rate)
	b.at = now
	if b.spent+1 > b.most {
		return false
	}
	b.spent++
	return true
}
