package queue

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

// TestAttackers: whatever workers with the password of workers do, and in whatever order all come, the
// values are right, and no honest worker is dropped.
func TestAttackers(t *testing.T) {
	runs := 25
	if *long {
		runs = 1000
	}
	for seed := range runs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { attacked(t, rand.New(rand.NewPCG(uint64(seed), 1))) })
	}
}

func attacked(t *testing.T, random *rand.Rand) {
	s := serve(t, ServerOptions{Warn: func(string, ...any) {}})
	a := &attacker{t: t, random: random, w: newRawWorker(t, Options{Server: s}), own: NewIdentity("honest")}
	a.listen(s)
	for range random.IntN(4) {
		a.act() // before anyone else
	}
	var honest []*Identity
	begin := make([]func(), 1+random.IntN(3))
	for i := range begin {
		honest = append(honest, NewIdentity("honest"))
		begin[i] = func() {
			go func() {
				q, err := Connect(t.Context(),
					Options{Server: s, Worker: true, Warn: func(string, ...any) {}, Heartbeat: 20 * time.Millisecond})
				if err == nil {
					defer q.Close()
					err = q.Work(t.Context(), Worker{honest[i], "1"}, square)
				}
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}()
		}
	}
	a.honest = honest
	c := newPairs(1 + random.IntN(8))
	ended := make(chan error, 1)
	begin = append(begin, func() {
		q := connect(t, Options{Server: s, AckWait: MinAckWait})
		go func() { ended <- q.Coordinate(t.Context(), task("a"), c) }()
	})
	random.Shuffle(len(begin), func(i, j int) { begin[i], begin[j] = begin[j], begin[i] })
	for _, f := range begin {
		f()
		for range random.IntN(6) {
			a.act()
		}
	}
	for done := false; !done; {
		select {
		case err := <-ended:
			if done = true; err != nil {
				t.Fatal(err, a.done)
			}
		case <-time.After(time.Duration(random.IntN(5)) * time.Millisecond):
			if len(a.done) < 100 { // the run ends then
				a.act()
			}
		}
	}
	if c.check(t, a.own.Name()); t.Failed() {
		t.Log(a.done)
	}
}

// attacker is a worker that wants a wrong value, or that an honest worker is dropped. It has a key of its
// own, and all that honest workers have sent.
type attacker struct {
	t      *testing.T
	random *rand.Rand
	w      *rawWorker
	own    *Identity
	honest []*Identity
	done   []string

	mu    sync.Mutex
	heard []*nats.Msg // results and signs of life
}

// listen gives the attacker what it could hear on a network without TLS.
func (a *attacker) listen(s *Server) {
	nc, err := nats.Connect("", append((&Options{Server: s}).connection(), nats.Timeout(time.Minute))...)
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(nc.Close)
	for _, subject := range []string{resultsSubject + ">", "$KV." + workersBucket + ".>"} {
		if _, err := nc.Subscribe(subject, func(m *nats.Msg) {
			a.mu.Lock()
			defer a.mu.Unlock()
			if len(a.heard) < 1000 {
				a.heard = append(a.heard, m)
			}
		}); err != nil {
			a.t.Fatal(err)
		}
	}
	if err := nc.FlushTimeout(time.Minute); err != nil {
		a.t.Fatal(err)
	}
}

// job is one that may be of the run.
func (a *attacker) job() string {
	return fmt.Sprint(1+a.random.IntN(8)) + []string{"-first", "-confirm", "-judge"}[a.random.IntN(3)]
}

// someone is an honest worker.
func (a *attacker) someone() *Identity { return a.honest[a.random.IntN(len(a.honest))] }

func (a *attacker) again() (subject, data string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.heard) == 0 {
		return resultsSubject + "x", "x"
	}
	m := a.heard[a.random.IntN(len(a.heard))]
	return m.Subject, string(m.Data)
}

// act does something hostile that does not keep the run from its end. A worker can do that too, by jobs
// that it refuses or keeps.
func (a *attacker) act() {
	run := token("a")
	acts := map[string]func(){
		"forge": func() {
			a.w.send(verdictsSubject+run, fmt.Sprintf(`{"version":"1","job":%q,"worker":"test","body":7}`, a.job()))
		},
		"lie": func() { a.w.send(resultsSubject+run, resultOf(a.own, run, a.job(), "7")) },
		"replay": func() {
			subject, data := a.again()
			a.w.send(subject, data)
		},
		"as a verdict": func() {
			_, data := a.again()
			a.w.send(verdictsSubject+run, data)
		},
		"in another run": func() {
			_, data := a.again()
			a.w.send(resultsSubject+token("b"), data)
		},
		"garbage": func() {
			for range 1 + a.random.IntN(100) {
				a.w.send(resultsSubject+run, strings.Repeat("{\x00", a.random.IntN(1000)))
			}
		},
		"create": func() {
			config, _ := json.Marshal(transform())
			a.w.send("$JS.API.STREAM.CREATE."+resultsStream, string(config))
		},
		"update": func() {
			config, _ := json.Marshal(transform())
			a.w.send("$JS.API.STREAM.UPDATE."+resultsStream, string(config))
		},
		"take": func() {
			a.relay("$JS.API.CONSUMER.MSG.NEXT."+jobsStream+".workers-"+token("1"), `{"batch":1,"no_wait":true}`)
		},
		"relay": func() {
			a.relay([]string{resultsSubject + "x", "$JS.API.STREAM.INFO.KV_" + runsBucket}[a.random.IntN(2)], "")
		},
		"watch": func() {
			name := fmt.Sprint("x", a.random.IntN(1000))
			a.w.send("$JS.API.CONSUMER.CREATE.KV_"+runsBucket+"."+name, fmt.Sprintf(
				`{"stream_name":"KV_%s","config":{"name":%q,"deliver_subject":"%s","ack_policy":"none","mem_storage":true}}`, runsBucket, name, verdictsSubject+run))
		},
	}
	if len(a.honest) > 1 { // a single one would wait for it
		acts["alive"] = func() {
			as := a.own
			if a.random.IntN(2) == 0 {
				as = NewIdentity("ghost")
			}
			a.w.send("$KV."+workersBucket+"."+token(as.Name()), statusOf(as, "1", time.Now()))
		}
	}
	if len(a.honest) > 0 {
		acts["frame"] = func() {
			m := resultMessage{Job: a.job(), Worker: a.someone().Name(), Body: json.RawMessage("7")}
			m.signature = a.own.sign(signedResult(run, &m))
			if a.random.IntN(2) == 0 {
				m.Key = a.someone().sign(nil).Key
			}
			data, _ := json.Marshal(m)
			a.w.send(resultsSubject+run, string(data))
		}
		acts["kill"] = func() {
			m := nats.NewMsg("$KV." + workersBucket + "." + token(a.someone().Name()))
			m.Header.Set([]string{"KV-Operation", "Nats-Rollup"}[a.random.IntN(2)],
				[]string{"DEL", "PURGE", "all", "sub"}[a.random.IntN(4)])
			if err := a.w.PublishMsg(m); err != nil {
				a.t.Error(err)
			}
		}
	}
	names := slices.Sorted(maps.Keys(acts))
	name := names[a.random.IntN(len(names))]
	a.done = append(a.done, name)
	acts[name]()
}

// relay lets the server send an answer to the verdicts of the run, or to where it would remove something.
func (a *attacker) relay(subject, data string) {
	stream := []string{jobsStream, resultsStream, "KV_" + workersBucket, "KV_" + runsBucket}[a.random.IntN(4)]
	reply := []string{
		verdictsSubject + token("a"), "$JS.API.STREAM.DELETE." + stream, "$JS.API.STREAM.PURGE." + stream,
		"$JS.API.CONSUMER.DELETE." + jobsStream + ".workers-" + token("1"),
	}[a.random.IntN(4)]
	if err := errors.Join(a.w.PublishRequest(subject, reply, []byte(data)),
		a.w.FlushTimeout(time.Minute)); err != nil {
		a.t.Error(err)
	}
}
