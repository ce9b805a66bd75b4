package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"trefoil/engine"
	"trefoil/engine/registry"
	"trefoil/options"
	"trefoil/search"
)

// fake is an engine with the searches of a test.
type fake struct {
	options *options.Set
	setup   string
	moves   []string
	games   int // new ones
	notices []string
	search  func(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result
}

// newFake returns an engine with the options of the real one.
func newFake(t *testing.T) *fake {
	return &fake{options: newEngine(t).Options(),
		search: func(context.Context, search.Limits, func(search.Info)) search.Result {
			return search.Result{Best: "e2e4"}
		}}
}

// newEndless returns an engine whose searches go on until they are stopped. A value comes from begun for each.
func newEndless(t *testing.T) (f *fake, begun chan struct{}) {
	f, begun = newFake(t), make(chan struct{}, 2)
	f.search = func(ctx context.Context, _ search.Limits, _ func(search.Info)) search.Result {
		begun <- struct{}{}
		<-ctx.Done()
		return search.Result{Best: "e2e4"}
	}
	return f, begun
}

func (f *fake) Name() string            { return "fake" }
func (f *fake) Options() *options.Set   { return f.options }
func (f *fake) NewGame()                { f.games++ }
func (f *fake) Notices() []string       { return f.notices }
func (f *fake) Game() string            { return "chess" }
func (f *fake) Viewer() registry.Viewer { return nil }
func (f *fake) SetPosition(setup string, moves []string) error {
	f.setup, f.moves = setup, moves
	return nil
}

func (f *fake) Search(ctx context.Context, l search.Limits, report func(search.Info)) search.Result {
	return f.search(ctx, l, report)
}

// newEngine returns a real engine, which is closed after the servers that are started later.
func newEngine(t *testing.T) *engine.Engine {
	e := engine.New()
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// client talks to a server of a test.
type client struct {
	*testing.T
	url    string
	server *Server
	end    func() // ends the server and waits
}

// serve starts a server for an engine with all games.
func serve(t *testing.T, e Engine) *client { return serveGames(t, e, engine.Games()) }

// serveGames starts a server for an engine with these games.
func serveGames(t *testing.T, e Engine, games *registry.Registry) *client {
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(e, games)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := s.Serve(ctx, l); err != nil {
			t.Error(err)
		}
	}()
	end := func() { cancel(); <-ended }
	t.Cleanup(end)
	return &client{T: t, url: strings.TrimSuffix(l.URL(), "/"), server: s, end: end}
}

// post sends a request and returns its status and answer.
func (c *client) post(path, request string) (int, map[string]any) {
	c.Helper()
	r, err := http.Post(c.url+path, "application/json", strings.NewReader(request))
	if err != nil {
		c.Fatal(err)
	}
	return r.StatusCode, object(c.T, body(c.T, r))
}

// fetch asks for a path and returns the status too.
func (c *client) fetch(path string) (int, string) {
	c.Helper()
	r, err := http.Get(c.url + path)
	if err != nil {
		c.Fatal(err)
	}
	return r.StatusCode, body(c.T, r)
}

// get is fetch of an object.
func (c *client) get(path string) (status int, answer map[string]any) {
	c.Helper()
	status, text := c.fetch(path)
	return status, object(c.T, text)
}

// body is the body of an answer, which is closed.
func body(t *testing.T, r *http.Response) string {
	t.Helper()
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// ok is post with status 200.
func (c *client) ok(path, format string, args ...any) map[string]any {
	c.Helper()
	body := fmt.Sprintf(format, args...)
	status, answer := c.post(path, body)
	if status != http.StatusOK {
		c.Fatalf("%s %s: %d %v", path, body, status, answer)
	}
	return answer
}

// refuses posts requests that are bad, and what their errors must say.
func (c *client) refuses(path string, requests map[string]string) {
	c.Helper()
	for request, want := range requests {
		if status, answer := c.post(path, request); status != http.StatusBadRequest ||
			!strings.Contains(text(answer), want) {
			c.Errorf("%s: %d %v", request, status, answer)
		}
	}
}

// page returns the name of the session of page n.
func page(n int) string { return fmt.Sprintf("%032x", n) }

// reader reads the events of a session.
type reader struct {
	c    *client
	in   *bufio.Scanner
	body io.Closer
}

// events opens the stream of a session, with these parameters.
func (c *client) events(n int, parameters ...string) *reader {
	c.Helper()
	r, err := http.Get(c.url + "/api/events?" + strings.Join(append(parameters, "session="+page(n)), "&"))
	if err != nil {
		c.Fatal(err)
	}
	if r.StatusCode != http.StatusOK {
		c.Fatalf("events: %d %s", r.StatusCode, body(c.T, r))
	}
	c.Cleanup(func() { r.Body.Close() })
	s := &reader{c: c, in: bufio.NewScanner(r.Body), body: r.Body}
	s.in.Buffer(nil, 1<<20)
	if limits, ok := s.until("hello")["limits"].(map[string]any); !ok || limits["sessions"] != float64(maxSessions) {
		c.Errorf("limits %v", limits)
	}
	return s
}

// until reads events until one of a name, and returns it.
func (s *reader) until(name string) map[string]any {
	s.c.Helper()
	found := false
	for s.in.Scan() {
		if n, ok := strings.CutPrefix(s.in.Text(), "event: "); ok {
			found = n == name
		} else if data, ok := strings.CutPrefix(s.in.Text(), "data: "); ok && found {
			return object(s.c.T, data)
		}
	}
	s.c.Fatalf("the stream ended before %s: %v", name, s.in.Err())
	return nil
}

// object reads an object of JSON.
func object(t *testing.T, text string) (value map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return value
}

// text is a value as JSON, for comparisons.
func text(value any) string {
	b, _ := json.Marshal(value)
	return string(b)
}

// TestSearch: what the engine is asked for and what it answers.
func TestSearch(t *testing.T) {
	f := newFake(t)
	f.notices = []string{"of the engine"}
	f.search = func(_ context.Context, l search.Limits, report func(search.Info)) search.Result {
		if l.MoveTime != 300*time.Millisecond || l.Infinite {
			t.Errorf("limits %+v", l)
		}
		report(search.Info{Text: "a notice"})
		report(search.Info{Depth: 3, MultiPV: 1, Score: search.Score{Centipawns: 31}, HashFull: -1,
			PV: []string{"e7e5", "g1f3"}})
		report(search.Info{Depth: 4, MultiPV: 2, Score: search.Score{Mate: true, Plies: -4}, HashFull: 5,
			PV: []string{"f7f6"}})
		return search.Result{Best: "e7e5", Ponder: "g1f3"}
	}
	c := serve(t, f)
	events, others := c.events(1), c.events(2)
	answer := c.ok("/api/search",
		`{"session":%q,"game":"chess","setup":"startpos","moves":["e2e4"],"mode":"play","movetime":300,"skill":3,"newGame":true}`,
		page(1))
	if text(answer) != `{"id":1,"place":0}` {
		t.Error(text(answer))
	}
	if got := events.until("notice"); got["text"] != "a notice" {
		t.Error(got)
	}
	first, second := events.until("info"), events.until("info")
	if text(first["text"]) != `["e5","Nf3"]` || text(first["score"]) != `{"cp":31}` {
		t.Error(text(first))
	}
	if text(second["text"]) != `["f6"]` || text(second["score"]) != `{"mate":-2,"plies":4}` || second["line"] != 2.0 {
		t.Error(text(second))
	}
	if best := events.until("best"); text(best) != `{"id":1,"move":"e7e5","ponder":"g1f3",`+
		`"result":{"move":"e7e5","score":{"cp":31}}}` {
		t.Error(text(best))
	}
	if got := others.until("notice"); got["text"] != "of the engine" {
		t.Error(got)
	}
	if !strings.HasPrefix(f.setup, "rnbqkbnr/") || text(f.moves) != `["e2e4"]` || f.games != 1 {
		t.Error(f.setup, f.moves, f.games)
	}
}

// TestCastling960: the result has castling as the legal moves and the lines of the position have it,
// however the engine writes it.
func TestCastling960(t *testing.T) {
	f := newFake(t)
	f.search = func(_ context.Context, l search.Limits, report func(search.Info)) search.Result {
		if l.Mate != 0 {
			return search.Result{Checkmate: &search.Checkmate{Line: []string{"e1g1", "e8c8"}}}
		}
		report(search.Info{Depth: 1, MultiPV: 1, HashFull: -1, PV: []string{"e1g1", "e8c8"}})
		return search.Result{Best: "e1g1", Ponder: "e8c8"}
	}
	c := serve(t, f)
	events := c.events(1)
	const position = `"session":%q,"game":"chess","setup":"1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1",`
	c.ok("/api/search", `{`+position+`"mode":"play","movetime":300}`, page(1))
	if info := events.until("info"); text(info["pv"]) != `["e1h1","e8b8"]` {
		t.Error(text(info))
	}
	if best := events.until("best"); text(best) != `{"id":1,"move":"e1h1","ponder":"e8b8",`+
		`"result":{"move":"e1h1","score":{"cp":0}}}` {
		t.Error(text(best))
	}
	c.ok("/api/search", `{`+position+`"mode":"mate"}`, page(1))
	if best := events.until("best"); text(best) != `{"id":2,"line":["e1h1","e8b8"],"move":"e1h1"}` {
		t.Error(text(best))
	}
}

// TestSearchErrors: what is refused, with the name of what is wrong.
func TestSearchErrors(t *testing.T) {
	c := serve(t, newFake(t))
	c.events(1)
	for body, want := range map[string]string{
		`{}`:                            "session",
		`{"session":"x"}`:               "session",
		`{"session":"` + page(2) + `"}`: "no stream",
		`{"session":"` + page(1) + `","game":"go"}`:                                            `game \"go\"`,
		`{"session":"` + page(1) + `","game":"chess","mode":"win"}`:                            `mode \"win\"`,
		`{"session":"` + page(1) + `","game":"chess","mode":"values"}`:                         "not solved",
		`{"session":"` + page(1) + `","game":"connect4","mode":"mate"}`:                        "mode mate",
		`{"session":"` + page(1) + `","game":"chess","mode":"analyse","lines":21}`:             "lines: 21",
		`{"session":"` + page(1) + `","game":"chess","mode":"play","movetime":-1}`:             "-1 ms",
		`{"session":"` + page(1) + `","game":"chess","mode":"play","clock":{"time":[1,9e15]}}`: "body",
		`{"session":"` + page(1) + `","game":"chess","mode":"play","clock":{"inc":[1,2,3]}}`:   "clock: 3 numbers",
		`{"session":"` + page(1) + `","game":"chess","mode":"analyse","lines":-1}`:             "lines: -1",
		`{"session":"` + page(1) + `","game":"chess","mode":"play","nodes":-5}`:                `field \"nodes\": unexpected number -5`,
		`[]`:          "body: it is not an object: array",
		``:            "body: it is empty",
		`{"session":`: "body: it ends within a value",
		`{"session":"` + page(1) + `","game":"chess","mode":"play","clock":{"time":[1,9000000000]}}`:                   "9000000000 ms",
		`{"session":"` + page(1) + `","game":"chess","mode":"play","clock":{"time":[1]}}`:                              "clock: 1 numbers, expected 2",
		`{"session":"` + page(1) + `","game":"chess","mode":"play","skill":1,"elo":1500}`:                              "cannot be used together",
		`{"session":"` + page(1) + `","game":"shogi","mode":"play","elo":1500}`:                                        "elo",
		`{"session":"` + page(1) + `","game":"chess","mode":"play","skill":21}`:                                        "skill: 21 is outside 0 to 20",
		`{"session":"` + page(1) + `","game":"shogi","mode":"play","skill":-1}`:                                        "skill: -1 is outside 0 to 20",
		`{"session":"` + page(1) + `","game":"chess","mode":"play","elo":599}`:                                         "elo: 599 is outside 600 to 2690",
		`{"session":"` + page(1) + `","game":"connect4","mode":"play","skill":1}`:                                      "no weaker levels",
		`{"session":"` + page(1) + `","game":"connect4","setup":"1212121","mode":"play"}`:                              "the game is over: 4 in a row",
		`{"session":"` + page(1) + `","game":"chess","mode":"play","moves":["e2e4","e2e4"]}`:                           "ply 2 of 2",
		`{"session":"` + page(1) + `","game":"chess","mode":"play","hash":5}`:                                          `unknown field \"hash\"`,
		`{"session":"` + page(1) + `","game":"chess","mode":"play"} {}`:                                                "more than one value",
		`{"session":"` + page(1) + `","game":"chess","setup":"../../etc/passwd","mode":"play"}`:                        "FEN",
		`{"session":"` + page(1) + `","game":"chess","setup":"chess960 960","mode":"play"}`:                            "960",
		`{"session":"` + page(1) + `","game":"connect4","board":"99x99","mode":"play"}`:                                "99×99",
		`{"session":"` + page(1) + `","game":"chess","moves":[` + strings.Repeat(`"a",`, 3000) + `"a"],"mode":"play"}`: "3001, more than 2000",
	} {
		if status, answer := c.post("/api/search", body); status != http.StatusBadRequest && want != "no stream" ||
			!strings.Contains(text(answer["error"]), want) {
			t.Errorf("%.100s: %d %v, want %s", body, status, answer, want)
		}
	}
}

// TestTask: what is done between searches does not wait for one without a limit, which goes on afterwards.
func TestTask(t *testing.T) {
	f, begun := newEndless(t)
	c := serve(t, f)
	c.events(1)
	c.ok("/api/search", `{"session":%q,"game":"chess","mode":"analyse"}`, page(1))
	<-begun
	done := false
	if err := c.server.worker.do(t.Context(), func() { done = true }); err != nil || !done {
		t.Error(done, err)
	}
	<-begun
	c.ok("/api/search", `{"session":%q,"game":"chess","mode":"play"}`, page(1))
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.server.worker.do(ctx, func() { t.Error("done beside a search") }); err == nil {
		t.Error("done beside a search with a limit")
	}
}

// TestStopWhileGivingWay: a search that is stopped, or replaced, after it was told to give way does not go on.
func TestStopWhileGivingWay(t *testing.T) {
	f, begun, release := newFake(t), make(chan bool, 9), make(chan struct{})
	f.search = func(_ context.Context, l search.Limits, _ func(search.Info)) search.Result {
		begun <- l.Infinite
		<-release // the engine is slow to end
		return search.Result{Best: "e2e4"}
	}
	c := serve(t, f)
	events := c.events(1)
	giveWay := func() (task <-chan error) {
		c.ok("/api/search", `{"session":%q,"game":"chess","mode":"analyse"}`, page(1))
		<-begun
		done := make(chan error, 1)
		go func() { done <- c.server.worker.do(context.Background(), func() {}) }()
		for c.server.worker.waiting() == 0 {
			time.Sleep(time.Millisecond)
		}
		return done
	}
	task := giveWay()
	c.ok("/api/stop", `{"session":%q}`, page(1))
	release <- struct{}{}
	if b := events.until("best"); b["reason"] != "stopped" {
		t.Error(b)
	}
	if err := <-task; err != nil {
		t.Error(err)
	}
	task = giveWay()
	c.ok("/api/search", `{"session":%q,"game":"chess","mode":"play"}`, page(1))
	release <- struct{}{}
	<-task
	if infinite := <-begun; infinite {
		t.Error("the search that was replaced goes on")
	}
	if b := events.until("best"); b["id"] != 2.0 || b["reason"] != "replaced" {
		t.Error(b)
	}
	release <- struct{}{}
	if b := events.until("best"); b["id"] != 3.0 || b["reason"] != nil {
		t.Error(b)
	}
}

// waiting is how many tasks wait.
func (w *worker) waiting() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.tasks)
}

// TestAbandoned: the search of a page that is closed ends.
func TestAbandoned(t *testing.T) {
	f, ended := newFake(t), make(chan struct{})
	f.search = func(ctx context.Context, _ search.Limits, _ func(search.Info)) search.Result {
		<-ctx.Done()
		close(ended)
		return search.Result{}
	}
	c := serve(t, f)
	c.server.sessions.abandoned = time.Millisecond
	events := c.events(1)
	c.ok("/api/search", `{"session":%q,"game":"chess","mode":"analyse"}`, page(1))
	events.body.Close()
	<-ended
}

// TestReload: a page that is loaded again is told what its search has reported last.
func TestReload(t *testing.T) {
	f := newFake(t)
	f.search = func(ctx context.Context, _ search.Limits, report func(search.Info)) search.Result {
		report(search.Info{Depth: 7, MultiPV: 1, PV: []string{"e2e4"}})
		<-ctx.Done()
		return search.Result{}
	}
	c := serve(t, f)
	first := c.events(1)
	c.ok("/api/search", `{"session":%q,"game":"chess","mode":"analyse"}`, page(1))
	first.until("info")
	if i := c.events(1).until("info"); i["depth"] != 7.0 {
		t.Error(i)
	}
}

// TestClose: the server ends at once, and stops the search that runs.
func TestClose(t *testing.T) {
	f, begun, ended := newFake(t), make(chan struct{}), make(chan struct{})
	f.search = func(ctx context.Context, _ search.Limits, _ func(search.Info)) search.Result {
		close(begun)
		<-ctx.Done()
		close(ended)
		return search.Result{}
	}
	c := serve(t, f)
	c.events(1)
	c.ok("/api/search", `{"session":%q,"game":"chess","mode":"analyse"}`, page(1))
	<-begun
	c.end()
	<-ended
}
