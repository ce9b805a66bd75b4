package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"trefoil/internal/filetest"
)

// messages collects what a Warn function prints.
type messages struct {
	t    *testing.T
	mu   sync.Mutex
	text string
	news chan struct{} // closed at the next message
}

func newMessages(t *testing.T) *messages { return &messages{t: t, news: make(chan struct{})} }

func (m *messages) warn(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.text += fmt.Sprintf(format, args...) + "\n"
	close(m.news)
	m.news = make(chan struct{})
}

// wait waits until a message has a text.
func (m *messages) wait(text string) {
	m.t.Helper()
	for {
		m.mu.Lock()
		all, news := m.text, m.news
		m.mu.Unlock()
		if strings.Contains(all, text) {
			return
		}
		select {
		case <-news:
		case <-time.After(time.Minute):
			m.t.Fatalf("no message has %q:\n%s", text, all)
		}
	}
}

// serve starts a server, which ends with the test.
func serve(t *testing.T, o ServerOptions) *Server {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	if o.Warn == nil {
		o.Warn = t.Logf
	}
	s, err := Serve(o)
	for range 600 { // another program may have got the port of a server that starts again, for a moment
		if err == nil || !strings.Contains(err.Error(), "address already in use") {
			break
		}
		time.Sleep(100 * time.Millisecond)
		s, err = Serve(o)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func connect(t *testing.T, o Options) *Queue {
	t.Helper()
	if o.Warn == nil {
		o.Warn = newMessages(t).warn
	}
	o.Heartbeat = 50 * time.Millisecond
	q, err := Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// squares is a coordinator whose jobs are numbers, whose squares it adds up.
type squares struct {
	first  int // the next number
	last   int
	known  map[string]int  // squares, by the number
	given  map[string]bool // numbers that are jobs
	again  []Request       // lost
	not    []string
	judged int
}

func newSquares(last int) *squares {
	return &squares{first: 1, last: last, known: map[string]int{}, given: map[string]bool{}}
}

func (s *squares) Result(r Result) error {
	var square int
	var n int
	err := json.Unmarshal(r.Body, &square)
	if err == nil {
		_, err = fmt.Sscan(r.ID, &n)
	}
	if err != nil || n*n != square {
		delete(s.given, r.ID)
		s.first = 1
		return fmt.Errorf("%d is not the square of %q", square, r.ID)
	}
	s.known[r.ID] = square
	return nil
}

func (s *squares) Next() (Request, bool) {
	if len(s.again) > 0 {
		r := s.again[0]
		s.again = s.again[1:]
		return r, true
	}
	for ; s.first <= s.last; s.first++ {
		id := fmt.Sprint(s.first)
		if _, known := s.known[id]; !known && !s.given[id] {
			s.given[id] = true
			return Request{ID: id, About: "square of " + id, Body: s.first, Not: s.not}, true
		}
	}
	return Request{}, false
}

func (s *squares) Do(_ context.Context, r Request) (any, error) {
	s.judged++
	return r.Body.(int) * r.Body.(int), nil
}

func (s *squares) Lost(r Request) { s.again = append(s.again, r) }
func (s *squares) Done() bool     { return len(s.known) == s.last }
func (s *squares) Status() (any, string) {
	return len(s.known), fmt.Sprintf("%d squares", len(s.known))
}

func square(_ context.Context, j Job) (any, error) {
	var n int
	err := json.Unmarshal(j.Body, &n)
	return n * n, err
}

func task(name string) Task {
	return Task{Name: name, Title: "squares", Version: "1", Coordinator: "test"}
}

// work starts a worker and returns a function that ends it and returns its error.
func startWorker(t *testing.T, q *Queue, w Worker, do Do) (stop func() error) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- q.Work(ctx, w, do) }()
	stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { _ = stop() })
	return stop
}

// TestWork: some workers do the jobs of two tasks at once; a second run of a task has all results.
func TestWork(t *testing.T) {
	s := serve(t, ServerOptions{})
	q := connect(t, Options{Server: s})
	for i := range 3 {
		startWorker(t, connect(t, Options{Server: s, Worker: true}),
			Worker{NewIdentity(fmt.Sprint("w", i)), "1"}, square)
	}
	var group sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		group.Go(func() {
			c := newSquares(20)
			if err := q.Coordinate(t.Context(), task(name), c); err != nil || len(c.known) != 20 {
				t.Errorf("%s: %v, %d results", name, err, len(c.known))
			}
		})
	}
	group.Wait()
	c := newSquares(20)
	if err := q.Coordinate(t.Context(), task("a"), c); err != nil || len(c.given) > 0 {
		t.Errorf("%v, %d jobs", err, len(c.given))
	}
	c = newSquares(25)
	if err := q.Coordinate(t.Context(), task("a"), c); err != nil || len(c.given) != 5 {
		t.Errorf("%v, %d jobs", err, len(c.given))
	}
}

// TestHostile: messages that are no jobs, results or workers are counted and do no harm.
func TestHostile(t *testing.T) {
	s := serve(t, ServerOptions{})
	warnings := newMessages(t)
	q := connect(t, Options{Server: s, Warn: warnings.warn})
	run := token("a")
	nc, err := nats.Connect("", append((&Options{Server: s}).connection(), nats.Timeout(time.Minute))...)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	big := strings.Repeat("x", MaxMessage+1)
	liar, old := NewIdentity("liar"), NewIdentity("old")
	for _, m := range [][2]string{
		{jobSubject("1", run, "purged"), `no JSON`},
		{jobSubject("1", "other", "1"), `no JSON`},
		{jobSubject("1", "other", "x"), `{"version":"1","run":"other","job":"y","body":1}`},
		{jobSubject("1", "other", "z"), `{"version":"2","run":"other","job":"z","body":1}`},
		{jobSubject("1", "other", "7"), `{"version":"1","run":"other","job":"7","body":"seven"}`},
		{resultsSubject + run, "\x00\xff"},
		{resultsSubject + run, `{"version":1}`},
		{resultsSubject + run, `{"version":"1","worker":"unsigned","job":"1","body":1}`},
		{resultsSubject + run, resultOf(liar, run, "2", "5")},
		{resultsSubject + run, resultOf(liar, run, "999999999999999999999999", "5")},
		{resultsSubject + run, resultOf(liar, run, "3", "null")},
		{resultsSubject + run, strings.Repeat("[", 100000)},
		{"$KV." + workersBucket + ".no", `{"worker":"someone"}`},
		{"$KV." + workersBucket + "." + token(old.Name()), statusOf(old, "0", time.Now())},
		{jobSubject("1", run, "big"), big},
		{resultsSubject + run, big},
	} {
		reply, err := nc.Request(m[0], []byte(m[1]), time.Minute)
		if err != nil {
			t.Fatalf("%.100q: %v", m, err)
		}
		if refused := strings.Contains(string(reply.Data), "error"); refused != (m[1] == big) {
			t.Errorf("%.100q: %s", m, reply.Data)
		}
	}
	startWorker(t, q, Worker{NewIdentity("w"), "1"}, square)
	c := newSquares(10)
	var last Status
	job := task("a")
	job.Report = func(s Status) { last = s }
	if err := q.Coordinate(t.Context(), job, c); err != nil || last.Done < 10 || last.Ignored < 6 {
		t.Errorf("%v, %+v", err, last)
	}
	for _, text := range []string{
		"a message among the results is ignored: it is not the JSON of this protocol",
		`a message among the results is ignored: result of worker "unsigned": it is not signed by the worker that it names`,
		fmt.Sprintf(`a message among the results is ignored: result of worker %q: 5 is not the square of "2"`, liar.Name()),
		fmt.Sprintf(`worker %q has version "0", not "1": it gets no jobs`, old.Name()),
		"a message among the workers is ignored",
		"a message among the jobs is refused: it is not the JSON of this protocol",
		"a message among the jobs is refused: it is not the job of its subject",
		`a message among the jobs is refused: its version is "2"`,
		"a job is refused: json",
	} {
		warnings.wait(text)
	}
}

// purger is a coordinator whose results are removed from the queue while it reads the first of them.
type purger struct {
	*squares
	purge func()
}

func (p *purger) Result(r Result) error {
	p.purge()
	return p.squares.Result(r)
}

// TestPurged: a coordinator goes on if results that it was about to read are removed.
func TestPurged(t *testing.T) {
	s := serve(t, ServerOptions{})
	q := connect(t, Options{Server: s})
	subject := resultsSubject + token("a")
	one := []byte(resultOf(NewIdentity("w"), token("a"), "1", "1"))
	for range 1200 { // more than a client requests at a time
		if err := q.nc.Publish(subject, one); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := q.nc.Request(subject, one, time.Minute); err != nil {
		t.Fatal(err) // all of them are stored
	}
	startWorker(t, q, Worker{NewIdentity("w"), "1"}, square)
	c := &purger{newSquares(2), sync.OnceFunc(func() {
		if err := q.results.Purge(t.Context()); err != nil {
			t.Error(err)
		}
	})}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := q.Coordinate(ctx, task("a"), c); err != nil {
		t.Error(err)
	}
}

// TestNot: a worker does not get the jobs that it must not do; the coordinator does them if there is no other.
func TestNot(t *testing.T) {
	s := serve(t, ServerOptions{})
	q := connect(t, Options{Server: s})
	refuse := func(context.Context, Job) (any, error) { return nil, errors.New("not for me") }
	liar := NewIdentity("liar")
	startWorker(t, q, Worker{liar, "1"}, refuse)
	c := newSquares(5)
	c.not = []string{liar.Name()}
	if err := q.Coordinate(t.Context(), task("alone"), c); err != nil || c.judged != 5 {
		t.Errorf("%v, %d judged", err, c.judged)
	}
	startWorker(t, q, Worker{NewIdentity("other"), "1"}, square)
	c = newSquares(5)
	c.not = []string{liar.Name()}
	if err := q.Coordinate(t.Context(), task("two"), c); err != nil {
		t.Error(err)
	}
}

// TestUnable: a worker that can do no job ends with its error, and another one gets the job.
func TestUnable(t *testing.T) {
	s := serve(t, ServerOptions{})
	q, ended := connect(t, Options{Server: s}), make(chan error, 1)
	unable := errors.New("no memory")
	go func() {
		err := q.Work(t.Context(), Worker{NewIdentity("small"), "1"}, func(context.Context, Job) (any, error) {
			return nil, &Unable{unable}
		})
		startWorker(t, q, Worker{NewIdentity("large"), "1"}, square)
		ended <- err
	}()
	if err := q.Coordinate(t.Context(), task("a"), newSquares(3)); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, unable) {
		t.Error(err)
	}
}

// TestRefused: a job that workers refuse again and again ends the run.
func TestRefused(t *testing.T) {
	s := serve(t, ServerOptions{})
	q := connect(t, Options{Server: s})
	startWorker(t, q, Worker{NewIdentity("w"), "1"}, func(ctx context.Context, j Job) (any, error) {
		if j.ID == "2" {
			return nil, errors.New("not for anyone")
		}
		return square(ctx, j)
	})
	c := newSquares(5)
	err := q.Coordinate(t.Context(), task("a"), c)
	if err == nil || err.Error() != "workers have refused a job 5 times (square of 2): see their messages" {
		t.Error(err)
	}
}

// TestAckWait: a coordinator sets after which time a silent worker loses its job, also if workers were there before.
func TestAckWait(t *testing.T) {
	s := serve(t, ServerOptions{})
	q := connect(t, Options{Server: s})
	lost, begun := make(chan struct{}), make(chan struct{})
	silent := connect(t, Options{Server: s})
	go func() {
		_ = silent.Work(t.Context(), Worker{NewIdentity("silent"), "1"}, func(ctx context.Context, j Job) (any, error) {
			silent.nc.Close() // as a worker that is killed
			close(lost)
			<-ctx.Done()
			return nil, ctx.Err()
		})
	}()
	eventually := time.After(time.Minute)
	for all, err := q.Workers(t.Context()); len(all) == 0; all, err = q.Workers(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-eventually:
			t.Fatal("no worker")
		case <-time.After(5 * time.Millisecond):
		}
	}
	go func() {
		defer close(begun)
		<-lost
		startWorker(t, q, Worker{NewIdentity("w"), "1"}, square)
	}()
	coordinator := connect(t, Options{Server: s, AckWait: 200 * time.Millisecond})
	if err := coordinator.Coordinate(t.Context(), task("a"), newSquares(1)); err != nil {
		t.Error(err)
	}
	<-begun
	c, err := q.consumer(t.Context(), "1")
	if err != nil || c.CachedInfo().Config.AckWait != 200*time.Millisecond {
		t.Error(err)
	}
}

// TestShortAckWait: an ack wait that no worker can keep is refused, and one that the server has does no harm.
func TestShortAckWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, wait := range []time.Duration{-1, 1, MinAckWait - 1} {
		if _, err := Connect(ctx, Options{URL: "nats://127.0.0.1:1", AckWait: wait, Warn: t.Logf}); err == nil ||
			!strings.Contains(err.Error(), "100ms") {
			t.Errorf("%v: %v", wait, err)
		}
	}
	w := work{Queue: &Queue{options: Options{Heartbeat: time.Hour}}}
	for wait, want := range map[time.Duration]time.Duration{2: MinAckWait / 3, time.Minute: 20 * time.Second} {
		got := w.keepInterval(t.Context(), func(context.Context) (*jetstream.ConsumerInfo, error) {
			return &jetstream.ConsumerInfo{Config: jetstream.ConsumerConfig{AckWait: wait}}, nil
		})
		if got != want {
			t.Errorf("%v: %v", wait, got)
		}
	}
}

// TestVersions: a worker ends if all coordinators have another version. One in the process of a coordinator
// waits for it.
func TestVersions(t *testing.T) {
	s := serve(t, ServerOptions{})
	q := connect(t, Options{Server: s})
	began := make(chan struct{})
	var once sync.Once
	job := task("a")
	job.Report = func(Status) { once.Do(func() { close(began) }) }
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { _ = q.Coordinate(ctx, job, newSquares(1)) }()
	<-began
	err := connect(t, Options{Server: s, Worker: true}).Work(t.Context(), Worker{NewIdentity("w"), "0"}, square)
	var other *OtherVersion
	if !errors.As(err, &other) || other.Coordinator != "test" || other.Version != "1" {
		t.Errorf("%v", err)
	}
	m, late := newMessages(t), task("b")
	late.Version = "0"
	beside := connect(t, Options{Server: s, Warn: m.warn})
	startWorker(t, beside, Worker{NewIdentity("w"), "0"}, square)
	m.wait("it gets no jobs of that")
	if err := beside.Coordinate(t.Context(), late, newSquares(1)); err != nil {
		t.Error(err)
	}
}

// TestTakeOver: a second coordinator of a task stops the first.
func TestTakeOver(t *testing.T) {
	s := serve(t, ServerOptions{})
	q := connect(t, Options{Server: s})
	began := make(chan struct{}, 1000)
	first, second := task("a"), task("a")
	first.Coordinator = "first"
	first.Report = func(Status) { began <- struct{}{} }
	done := make(chan error)
	go func() { done <- q.Coordinate(t.Context(), first, newSquares(1)) }()
	<-began
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { _ = q.Coordinate(ctx, second, newSquares(1)) }()
	if err := <-done; !errors.Is(err, ErrTakenOver) || !strings.Contains(err.Error(), "test") {
		t.Error(err)
	}
}

// TestReadURL: a URL, or a file that begins with one.
func TestReadURL(t *testing.T) {
	for content, want := range map[string]string{"nats://a:1\n": "nats://a:1",
		" tls://u:p@a,tls://b \nx": "tls://u:p@a,tls://b", "": "", "a:1": "", "\nnats://a": ""} {
		if got, err := ReadURL(filetest.New(t, "url", content)); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", content, got, err)
		}
	}
	if got, err := ReadURL("nats://a"); got != "nats://a" || err != nil {
		t.Error(got, err)
	}
}
