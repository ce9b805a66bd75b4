package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"trefoil/internal/filetest"
)

// resultOf is a result that a worker has signed.
func resultOf(as *Identity, run, job, body string) string {
	m := resultMessage{Job: job, Worker: as.Name(), Body: json.RawMessage(body)}
	m.signature = as.sign(signedResult(run, &m))
	data, _ := json.Marshal(m)
	return string(data)
}

// statusOf is a sign of life that a worker has signed.
func statusOf(as *Identity, version string, at time.Time) string {
	s := WorkerStatus{Worker: as.Name(), Version: version, Time: at.UnixMilli()}
	s.signature = as.sign(signedStatus(&s))
	data, _ := json.Marshal(s)
	return string(data)
}

// pairs is a coordinator that trusts no worker: two have to agree on the square of each number. If they do
// not, it decides, and drops the liar.
type pairs struct {
	last   int
	value  map[int]int
	claims map[int]map[string]int // by the worker
	given  map[string]bool        // jobs
	liars  []string
	judged int
	judge  func() // called before a judgement
}

func newPairs(last int) *pairs {
	return &pairs{last: last, value: map[int]int{}, claims: map[int]map[string]int{}, given: map[string]bool{},
		judge: func() {}}
}

func (p *pairs) Result(r Result) error {
	delete(p.given, r.ID)
	var n, square int
	if _, err := fmt.Sscanf(r.ID, "%d-", &n); err != nil || n < 1 || n > p.last {
		return fmt.Errorf("no job %.20q", r.ID)
	}
	if err := json.Unmarshal(r.Body, &square); err != nil {
		return err
	}
	if _, known := p.value[n]; known {
		return nil
	}
	if r.Verdict {
		p.value[n] = square
		for worker, said := range p.claims[n] {
			if said != square {
				p.drop(worker)
			}
		}
		return nil
	}
	if slices.Contains(p.liars, r.Worker) {
		return errors.New("it has lied")
	}
	if p.claims[n] == nil {
		p.claims[n] = map[string]int{}
	}
	for worker, said := range p.claims[n] {
		if worker != r.Worker && said == square {
			p.value[n] = square
		}
	}
	if _, twice := p.claims[n][r.Worker]; !twice {
		p.claims[n][r.Worker] = square
	}
	return nil
}

func (p *pairs) drop(worker string) {
	p.liars = append(p.liars, worker)
	for _, claims := range p.claims {
		delete(claims, worker)
	}
}

func (p *pairs) Next() (Request, bool) {
	for n := 1; n <= p.last; n++ {
		if _, known := p.value[n]; known {
			continue
		}
		r := Request{ID: fmt.Sprint(n, "-first"), Not: slices.Clone(p.liars), Body: n}
		switch claims := p.claims[n]; len(claims) {
		case 0:
		case 1:
			r.ID = fmt.Sprint(n, "-confirm")
			for worker := range claims {
				r.Not = append(r.Not, worker)
			}
		default:
			r.ID, r.Judge = fmt.Sprint(n, "-judge"), true
		}
		r.ID, r.About = strings.ReplaceAll(r.ID, " ", ""), r.ID
		if !p.given[r.ID] {
			p.given[r.ID] = true
			return r, true
		}
	}
	return Request{}, false
}

func (p *pairs) Do(_ context.Context, r Request) (any, error) {
	p.judge()
	p.judged++
	return r.Body.(int) * r.Body.(int), nil
}

func (p *pairs) Lost(r Request)        { delete(p.given, r.ID) }
func (p *pairs) Done() bool            { return len(p.value) == p.last }
func (p *pairs) Status() (any, string) { return nil, "" }

// matches reports whether a text matches a pattern.
func matches(text, pattern string) bool { return regexp.MustCompile(pattern).MatchString(text) }

// check expects that all values are right, and that no worker was dropped but those.
func (p *pairs) check(t *testing.T, liars ...string) {
	t.Helper()
	for n := 1; n <= p.last; n++ {
		if p.value[n] != n*n {
			t.Errorf("%d² = %d", n, p.value[n])
		}
	}
	for _, name := range p.liars {
		if !slices.Contains(liars, name) {
			t.Errorf("%s was dropped", name)
		}
	}
}

// rawWorker is a connection with the rights of a worker, and what it was refused.
type rawWorker struct {
	*nats.Conn
	t       *testing.T
	refused chan error
}

func newRawWorker(t *testing.T, o Options) *rawWorker {
	t.Helper()
	w := &rawWorker{t: t, refused: make(chan error, 100000)}
	o.Worker = true
	var err error
	w.Conn, err = nats.Connect(o.URL, append(o.connection(), nats.Timeout(time.Minute),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			w.refused <- err
		}))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// send sends a message, and waits until the server has it.
func (w *rawWorker) send(subject, data string) {
	w.t.Helper()
	if err := errors.Join(w.Publish(subject, []byte(data)), w.FlushTimeout(time.Minute)); err != nil {
		w.t.Fatal(err)
	}
}

// denied expects that the server refuses something.
func (w *rawWorker) denied(what string) {
	w.t.Helper()
	select {
	case err := <-w.refused:
		if !errors.Is(err, nats.ErrPermissionViolation) {
			w.t.Errorf("%s: %v", what, err)
		}
	case <-time.After(10 * time.Second):
		w.t.Errorf("%s: it is allowed", what)
	}
}

// TestFraming: a result or a sign of life in the name of another worker counts for nothing, and the other
// is not dropped.
func TestFraming(t *testing.T) {
	s := serve(t, ServerOptions{})
	warnings := newMessages(t)
	q := connect(t, Options{Server: s, Warn: warnings.warn})
	w := newRawWorker(t, Options{Server: s})
	honest, liar := NewIdentity("honest"), NewIdentity("honest")
	run := token("a")
	frame := func() {
		for _, job := range []string{"1-first", "2-first", "1-confirm"} {
			m := resultMessage{Job: job, Worker: honest.Name(), Body: json.RawMessage("7")}
			unsigned, _ := json.Marshal(m)
			m.signature = liar.sign(signedResult(run, &m))
			other, _ := json.Marshal(m)
			m.Key = honest.sign(nil).Key
			forged, _ := json.Marshal(m)
			for _, data := range [][]byte{unsigned, other, forged} {
				w.send(resultsSubject+run, string(data))
			}
		}
		w.send(resultsSubject+run, resultOf(honest, "other", "1-first", "7")) // of another run
		if err := q.workers.Delete(t.Context(), token(honest.Name())); err != nil {
			t.Error(err)
		}
		w.send("$KV."+workersBucket+"."+token(honest.Name()), statusOf(liar, "1", time.Now()))
	}
	frame()
	startWorker(t, connect(t, Options{Server: s, Worker: true}), Worker{honest, "1"},
		func(ctx context.Context, j Job) (any, error) {
			frame()
			return square(ctx, j)
		})
	c := newPairs(2)
	var last Status
	job := task("a")
	job.Report = func(s Status) { last = s }
	if err := q.Coordinate(t.Context(), job, c); err != nil || last.Ignored < 10 {
		t.Error(err, last.Ignored)
	}
	c.check(t)
	warnings.wait(fmt.Sprintf("result of worker %q: it is not signed by the worker that it names", honest.Name()))
	warnings.wait(fmt.Sprintf("worker %q: it stands at the place of another worker", liar.Name()))
}

// TestSameName: two workers of one name are two workers, which confirm each other.
func TestSameName(t *testing.T) {
	s := serve(t, ServerOptions{})
	q := connect(t, Options{Server: s})
	for range 2 {
		startWorker(t, connect(t, Options{Server: s, Worker: true}), Worker{NewIdentity("w"), "1"}, square)
	}
	var all []WorkerStatus
	for began := time.Now(); len(all) < 2 && time.Since(began) < time.Minute; time.Sleep(5 * time.Millisecond) {
		var err error
		if all, err = q.Workers(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(all) != 2 || all[0].Worker == all[1].Worker || !matches(all[0].Worker, "^w-[a-z2-7]{16}$") {
		t.Fatal(all)
	}
	c := newPairs(10)
	c.claims[1] = map[string]int{all[0].Worker: 1}
	if err := q.Coordinate(t.Context(), task("a"), c); err != nil {
		t.Error(err)
	}
	c.check(t)
	if c.judged > 2 { // before both were seen
		t.Errorf("%d judged", c.judged)
	}
}

// TestReplay: a result that is sent again changes nothing, and an old sign of life keeps no worker alive.
func TestReplay(t *testing.T) {
	r := &run{
		Queue: &Queue{options: Options{Warn: t.Logf}}, task: task("a"), key: token("a"), warned: map[string]bool{},
		members: map[string]member{}, times: map[string]int64{}, outstanding: map[string]*submitted{},
	}
	c := newPairs(3)
	r.coordinator = c
	w := NewIdentity("w")
	for range 3 {
		r.result(message{subject: resultsSubject + r.key, data: resultOf(w, r.key, "1-first", "1")})
	}
	if len(c.value) > 0 || len(c.claims[1]) != 1 || r.status.Ignored != 0 {
		t.Errorf("%v, %v", c.value, c.claims)
	}
	r.result(message{subject: verdictsSubject + r.key, data: resultOf(w, r.key, "1-first", "1")})
	r.result(message{subject: resultsSubject + r.key, data: resultOf(w, token("b"), "2-first", "4")})
	// a job
	r.result(message{subject: verdictsSubject + r.key, data: `{"version":"1","run":"a","job":"1-judge","body":7}`})
	if len(c.value) > 0 || len(c.claims) != 1 || r.status.Ignored != 3 {
		t.Errorf("%v, %v", c.value, c.claims)
	}
	saw := func(text string, ignored uint64, members int) {
		t.Helper()
		before := r.status.Ignored
		r.sawWorker(entry{key: token(w.Name()), data: text})
		if r.status.Ignored-before != ignored || len(r.members) != members {
			t.Errorf("%s: %d ignored, %d members", text, r.status.Ignored-before, len(r.members))
		}
	}
	now := time.Now()
	first, second, third := statusOf(w, "1", now.Add(-2*time.Second)), statusOf(w, "1", now),
		statusOf(w, "1", now.Add(time.Second))
	saw(statusOf(w, "1", now.Add(-maxSkew-time.Minute)), 1, 0)
	saw(statusOf(w, "1", now.Add(maxSkew+time.Minute)), 1, 0)
	saw(first, 0, 1)
	saw(second, 0, 1)
	delete(r.members, token(w.Name())) // it has been silent
	saw(second, 0, 0)
	saw(first, 1, 0)
	saw(strings.Replace(second, `"done":0`, `"done":1`, 1), 1, 0)
	saw(third, 0, 1)
}

// message is a message of a stream.
type message struct {
	jetstream.Msg
	subject, data string
}

func (m message) Subject() string { return m.subject }
func (m message) Data() []byte    { return []byte(m.data) }

// entry is an entry of a bucket.
type entry struct {
	jetstream.KeyValueEntry
	key, data string
}

func (e entry) Key() string                     { return e.key }
func (e entry) Value() []byte                   { return []byte(e.data) }
func (e entry) Operation() jetstream.KeyValueOp { return jetstream.KeyValuePut }

// TestSignatures: no two messages have the same bytes to sign, and a message that was changed is refused.
func TestSignatures(t *testing.T) {
	if string(encode("a", "bc")) == string(encode("ab", "c")) || string(encode("a", "")) == string(encode("a")) {
		t.Error("two messages are the same")
	}
	w := NewIdentity(strings.Repeat("n", 200) + "\xff")
	text := resultOf(w, "run", "job", `{"a":"\u003c"}`)
	m, err := parse[resultMessage]([]byte(text))
	if err != nil || m.from("run", false) != nil || m.from("other", false) == nil || m.from("run", true) == nil {
		t.Error(err, text)
	}
	for _, change := range []func(*resultMessage){
		func(m *resultMessage) { m.Job = "2" }, func(m *resultMessage) { m.Worker = "x" + m.Worker },
		func(m *resultMessage) { m.Body = json.RawMessage("2") }, func(m *resultMessage) { m.Key = m.Key[:31] },
		func(m *resultMessage) { m.Signature = nil }, func(m *resultMessage) { m.Key = NewIdentity("x").sign(nil).Key },
	} {
		changed := m
		if change(&changed); changed.from("run", false) == nil {
			t.Errorf("%+v", changed)
		}
	}
	short := m
	short.Key = m.Key[:31]
	short.Worker = "w-" + fingerprint(short.Key)
	tooLong := &Identity{name: strings.Repeat("n", MaxName+1) + "-" + fingerprint(m.Key), key: w.key}
	long, err := parse[resultMessage]([]byte(resultOf(tooLong, "run", "job", "1")))
	if err != nil || short.from("run", false) == nil || long.from("run", false) == nil {
		t.Error(err, "a short key or a long name")
	}
}

// TestURLFiles: the files with the passwords are for their owner alone, whatever was there; a link is not
// followed, and the file of an earlier version goes.
func TestURLFiles(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, ServerOptions{Dir: dir})
	s.Close()
	files := []string{s.CoordinatorFile(), s.WorkerFile()}
	elsewhere, old := filepath.Join(dir, "elsewhere"), filepath.Join(dir, "url")
	filetest.Write(t, elsewhere, "precious")
	filetest.Write(t, old, "nats://trefoil:secret@host:4222\n")
	links := os.Symlink(elsewhere, old+".new") == nil
	for _, file := range files {
		if err := os.Chmod(file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	serve(t, ServerOptions{Dir: dir}).Close()
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	for _, file := range files {
		if !links {
			break
		}
		if err := errors.Join(os.Remove(file), os.Symlink(elsewhere, file)); err != nil {
			t.Fatal(err)
		}
		if _, err := Serve(ServerOptions{Dir: dir, Warn: t.Logf}); err == nil ||
			!strings.Contains(err.Error(), "symbolic link") || !strings.Contains(err.Error(), file) {
			t.Error(err)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if text := filetest.Read(t, elsewhere); string(text) != "precious" {
		t.Errorf("%q", text)
	}
}
