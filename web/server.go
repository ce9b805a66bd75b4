package web

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"trefoil/engine/registry"
	"trefoil/options"
)

//go:embed page
var files embed.FS

// Server serves one engine.
type Server struct {
	// LinkBase is the address of another copy of the page, to which links that are copied lead. If it is empty, they
	// lead to the server's own page.
	LinkBase string

	games    games
	worker   *worker
	sessions *sessions
	sampler  sampler
	declared []options.Option // those that a page may change
	settings settings
	reading  sync.Mutex // held while a game is read
	filming  sync.Mutex // held while a trace is read and replayed
}

// New returns a server for an engine with these games. The engine is the server's from now on.
func New(e Engine, r *registry.Registry) *Server {
	s := &Server{games: gamesOf(e, r)}
	s.sessions = &sessions{by: map[string]*session{}, abandoned: abandonedAfter}
	s.worker = newWorker(e, s.sessions.tell)
	s.worker.watch = func() {
		s.sampler.watch(s.games.find(e.Game()), e.Viewer())
	}
	s.sessions.worker = s.worker
	s.declare(e)
	_ = e.Options().Set(context.Background(), options.UCI, "UCI_ShowWDL", "true") // an engine without it has no solver
	return s
}

// Limits of connections.
const (
	headerTimeout = 5 * time.Second
	bodyTimeout   = 15 * time.Second
	idleTimeout   = time.Minute
	maxHeader     = 16 << 10
	headerSlop    = 4 << 10 // what net/http reads beyond MaxHeaderBytes
	maxConns      = 4 * maxSessions
	closeTimeout  = time.Second
)

// Listener is where a server listens.
type Listener struct {
	net.Listener
	guard *guard
	host  string
}

// usual is where a server listens unless it is told an address, so that bookmarks last.
const usual = "127.0.0.1:8744"

// Listen listens at an address, HOST:PORT; port 0 is one that is free. Without an address it is usual, or a
// free port if that one is taken.
func Listen(address string) (*Listener, error) {
	if address == "" {
		if l, err := Listen(usual); err == nil {
			return l, nil
		}
		address = "127.0.0.1:0"
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q is not HOST:PORT", address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return &Listener{Listener: &limited{Listener: l, free: make(chan struct{}, maxConns)},
		guard: newGuard(host, l.Addr().(*net.TCPAddr)), host: host}, nil
}

// URL is the address of the page, with the token if one is needed.
func (l *Listener) URL() string {
	at := l.Addr().(*net.TCPAddr)
	host, port := l.host, at.Port
	if at.IP.IsUnspecified() || host == "" {
		host = "localhost"
	}
	url := "http://" + net.JoinHostPort(host, strconv.Itoa(port)) + "/"
	if l.guard.token != "" {
		url += "?token=" + l.guard.token
	}
	return url
}

// Serve serves until ctx ends: then searches stop and all connections are closed.
func (s *Server) Serve(ctx context.Context, l *Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		s.worker.run(ctx)
	}()
	h := &http.Server{
		Handler: l.guard.wrap(s.handler()), ReadHeaderTimeout: headerTimeout, ReadTimeout: bodyTimeout,
		IdleTimeout:    idleTimeout,
		MaxHeaderBytes: maxHeader - headerSlop,
		BaseContext:    func(net.Listener) context.Context { return ctx },
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(l) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-served:
	}
	cancel()
	within, stop := context.WithTimeout(context.Background(), closeTimeout)
	defer stop()
	if h.Shutdown(within) != nil {
		_ = h.Close()
	}
	<-worked
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// Handler lets the engine work until ctx ends, and answers the requests of a page in this program, without the checks
// that a network needs.
func (s *Server) Handler(ctx context.Context) http.Handler {
	go s.worker.run(ctx)
	return s.handler()
}

// handler is what the server answers.
func (s *Server) handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /api/games", get(s.listGames))
	m.HandleFunc("POST /api/position", post(s.showPosition))
	m.HandleFunc("POST /api/export", postUpTo(maxRecord, s.export))
	m.HandleFunc("POST /api/import", postUpTo(maxRecord, s.importGame))
	m.HandleFunc("POST /api/contents", postUpTo(maxRecord, s.contents))
	m.HandleFunc("POST /api/lines", post(s.showLines))
	m.HandleFunc("POST /api/review", postUpTo(maxRecord, s.review))
	m.HandleFunc("POST /api/search", post(s.startSearch))
	m.HandleFunc("POST /api/stop", post(s.stopSearch))
	m.HandleFunc("GET "+eventsPath, s.streamEvents)
	m.HandleFunc("GET /api/options", get(s.listOptions))
	m.HandleFunc("POST /api/option", post(s.setOption))
	m.HandleFunc("GET /api/cluster", get(s.showPlace))
	m.HandleFunc("POST /api/cluster", post(s.findPosition))
	m.HandleFunc("POST /api/tree", post(s.showTree))
	m.HandleFunc("POST /api/film", get(s.film))
	m.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		replyError(w, refuse(http.StatusNotFound, "%.20s %.100q is not part of this interface", r.Method, r.URL.Path))
	})
	page, err := fs.Sub(files, "page")
	if err != nil {
		panic(err) // a mistake of the program
	}
	serve := http.FileServerFS(page)
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			replyError(w, refuse(http.StatusMethodNotAllowed, "%.20s %.100q: pages are only read", r.Method, r.URL.Path))
			return
		}
		if !utf8.ValidString(r.URL.Path) { // which the file server answers with an internal error
			replyError(w, refuse(http.StatusNotFound, "there is no page %.100q", r.URL.Path))
			return
		}
		serve.ServeHTTP(w, r)
	})
	return m
}
