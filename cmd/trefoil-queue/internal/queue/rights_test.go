package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// transform makes a stream for results in which they become verdicts.
func transform() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: resultsStream, Subjects: []string{resultsSubject + ">"},
		SubjectTransform: &jetstream.SubjectTransformConfig{Source: resultsSubject + ">", Destination: verdictsSubject + ">"},
	}
}

// bothServers runs a test with a Server and with the configuration of another one.
func bothServers(t *testing.T, test func(t *testing.T, coordinator, worker Options)) {
	t.Run("server", func(t *testing.T) {
		s := serve(t, ServerOptions{})
		test(t, Options{Server: s}, Options{Server: s, Worker: true})
	})
	t.Run("configuration", func(t *testing.T) {
		coordinator, worker, _ := configured(t)
		test(t, coordinator, worker)
	})
}

// TestWorkerRights: a worker may not do what only a coordinator does, nor read what other workers write.
func TestWorkerRights(t *testing.T) {
	bothServers(t, func(t *testing.T, coordinator, worker Options) {
		connect(t, coordinator)
		w := newRawWorker(t, worker)
		for _, subject := range []string{
			verdictsSubject + "x", jobsSubject + "x.y.z", "$KV." + runsBucket + ".x", "_INBOX.x",
			"$JS.API.INFO", "$JS.API.STREAM.CREATE.other", "$JS.API.STREAM.CREATE." + resultsStream, "$JS.API.STREAM.UPDATE." + resultsStream,
			"$JS.API.STREAM.PURGE." + resultsStream, "$JS.API.STREAM.DELETE." + resultsStream, "$JS.API.STREAM.MSG.GET." + resultsStream,
			"$JS.API.STREAM.MSG.DELETE." + resultsStream, "$JS.API.DIRECT.GET.KV_" + workersBucket, "$JS.API.DIRECT.GET." + resultsStream,
			"$JS.API.STREAM.INFO." + resultsStream, "$JS.API.CONSUMER.CREATE.KV_" + runsBucket + ".x",
			"$JS.FC.KV_" + runsBucket + ".x",
			"$JS.API.CONSUMER.CREATE." + jobsStream + ".x", "$JS.API.CONSUMER.CREATE." + resultsStream + ".x",
			"$JS.API.CONSUMER.CREATE.KV_" + workersBucket + ".x", "$JS.API.CONSUMER.DURABLE.CREATE." + jobsStream + ".x",
			"$JS.API.CONSUMER.DELETE." + jobsStream + ".x", "$JS.API.CONSUMER.MSG.NEXT." + resultsStream + ".x",
		} {
			w.send(subject, "{}")
			w.denied(subject)
		}
		for _, subject := range []string{">", resultsSubject + ">", verdictsSubject + ">",
			"$KV." + workersBucket + ".>"} {
			if _, err := w.SubscribeSync(subject); err != nil {
				t.Fatal(err)
			}
			w.denied(subject)
		}
		if _, err := w.Request(resultsSubject+"x", nil, time.Minute); err != nil {
			t.Error(err)
		}
	})
}

// TestRefusals: a refusal belongs to the requests that are under way, and to none that have ended.
func TestRefusals(t *testing.T) {
	var r refusals
	if r.tell(nats.ErrPermissionViolation) {
		t.Error("a request before the first")
	}
	cancelled := 0
	first, second := r.watch(func() { cancelled++ }), r.watch(func() { cancelled++ })
	if err := first(); err != nil {
		t.Error(err)
	}
	if !r.tell(nats.ErrPermissionViolation) || cancelled != 1 {
		t.Errorf("%d requests cancelled", cancelled)
	}
	if err := second(); !errors.Is(err, nats.ErrPermissionViolation) || r.tell(err) || cancelled != 1 {
		t.Errorf("%v, %d requests cancelled", err, cancelled)
	}
}

// TestReplies: a worker that lets the server send its answers to where they would remove or make something
// does not get that.
func TestReplies(t *testing.T) {
	bothServers(t, func(t *testing.T, coordinator, worker Options) {
		q := connect(t, coordinator)
		run := token("a")
		if _, err := q.js.Publish(t.Context(), resultsSubject+run, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		if _, err := q.consumer(t.Context(), "1"); err != nil {
			t.Fatal(err)
		}
		w := newRawWorker(t, worker)
		consumer := jobsStream + ".workers-" + token("1")
		var to []string
		for _, stream := range []string{jobsStream, resultsStream, "KV_" + workersBucket, "KV_" + runsBucket} {
			to = append(to, "$JS.API.STREAM.PURGE."+stream, "$JS.API.STREAM.DELETE."+stream)
		}
		to = append(to, "$JS.API.CONSUMER.DELETE."+consumer, verdictsSubject+run, jobSubject("1", run, "x"),
			"$KV."+runsBucket+"."+run)
		for _, request := range [][2]string{
			{resultsSubject + "x", "x"}, {"$KV." + workersBucket + ".x", "x"},
			{"$JS.API.CONSUMER.MSG.NEXT." + consumer, `{"batch":1,"no_wait":true}`}, // its answer is empty
			{"$JS.ACK." + consumer + ".1.1.1.1.0", ""}, {"$JS.API.CONSUMER.INFO." + consumer, ""},
		} {
			for _, reply := range to {
				if err := w.PublishRequest(request[0], reply, []byte(request[1])); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := w.Request(resultsSubject+"x", nil, time.Minute); err != nil { // the last is done
			t.Error(err)
		}
		state := func(stream string) jetstream.StreamState {
			s, err := q.js.Stream(t.Context(), stream)
			if err != nil {
				t.Fatal(stream, err)
			}
			return s.CachedInfo().State
		}
		if n := state(jobsStream).Msgs; n > 0 {
			t.Errorf("%d jobs", n)
		}
		if n := state("KV_" + runsBucket).Msgs; n > 0 {
			t.Errorf("%d runs", n)
		}
		if n := state("KV_" + workersBucket).Msgs; n == 0 {
			t.Error("no worker")
		}
		s, err := q.js.Stream(t.Context(), resultsStream)
		if err != nil {
			t.Fatal(err)
		}
		info, err := s.Info(t.Context(), jetstream.WithSubjectFilter(">"))
		if err != nil || info.State.Subjects[resultsSubject+run] != 1 || info.State.Subjects[verdictsSubject+run] != 0 {
			t.Errorf("%v, %v", info.State.Subjects, err)
		}
		if _, err := q.js.Consumer(t.Context(), jobsStream, "workers-"+token("1")); err != nil {
			t.Error(err)
		}
	})
}

// TestForgedVerdict: a worker that says in the name of the coordinator what the value is, before and during
// the run, does not decide it.
func TestForgedVerdict(t *testing.T) {
	bothServers(t, func(t *testing.T, coordinator, worker Options) {
		q := connect(t, coordinator)
		w := newRawWorker(t, worker)
		forge := func() {
			for n := 1; n <= 3; n++ {
				for _, purpose := range []string{"first", "confirm", "judge"} {
					w.send(verdictsSubject+token("a"),
						fmt.Sprintf(`{"version":"1","job":"%d-%s","worker":"test","body":7}`, n, purpose))
				}
			}
			w.denied("a verdict")
		}
		forge()
		c := newPairs(3)
		c.judge = forge
		stop := startWorker(t, connect(t, worker), Worker{NewIdentity("w"), "1"}, square)
		if err := q.Coordinate(t.Context(), task("a"), c); err != nil {
			t.Error(err)
		}
		c.check(t)
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestWorkerComesFirst: a worker that comes before all coordinators cannot create the streams, in which
// results would become verdicts. One that means well waits for a coordinator.
func TestWorkerComesFirst(t *testing.T) {
	bothServers(t, func(t *testing.T, coordinator, worker Options) {
		w := newRawWorker(t, worker)
		js, err := jetstream.New(w.Conn)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		if _, err := js.CreateStream(ctx, transform()); err == nil {
			t.Error("a worker has created the stream of results")
		}
		w.denied("a stream")
		m := newMessages(t)
		worker.Warn, worker.Heartbeat = m.warn, 50*time.Millisecond
		done := make(chan error, 1)
		work, end := context.WithCancel(t.Context())
		go func() {
			q, err := Connect(work, worker)
			if err == nil {
				err = q.Work(work, Worker{NewIdentity("w"), "1"}, square)
				q.Close()
			}
			done <- err
		}()
		m.wait("has had no coordinator of this version yet; waiting for one")
		c := newPairs(3)
		if err := connect(t, coordinator).Coordinate(t.Context(), task("a"), c); err != nil {
			t.Error(err)
		}
		c.check(t)
		end()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// TestWorkerAsCoordinator: a coordinator with the password of a worker is told at once which file it needs.
func TestWorkerAsCoordinator(t *testing.T) {
	bothServers(t, func(t *testing.T, coordinator, worker Options) {
		for _, before := range []string{"no streams", "streams"} {
			if before == "streams" {
				connect(t, coordinator)
			}
			worker.Worker, worker.Warn = false, func(format string, args ...any) { t.Errorf(format, args...) }
			if s := worker.Server; s != nil {
				url, err := ReadURL(s.WorkerFile())
				if err != nil {
					t.Fatal(err)
				}
				worker.Server, worker.URL = nil, url
			}
			q, err := Connect(t.Context(), worker)
			if err == nil {
				q.Close()
			}
			if err == nil ||
				!strings.Contains(err.Error(), "may not create and check the streams: use coordinator.url") {
				t.Errorf("%s: %v", before, err)
			}
		}
	})
}

// foreigners make a stream, a bucket or a consumer, by a pattern of the error of a coordinator that finds it.
func foreigners() map[string]func(*Queue) error {
	change := func(name string, change func(*jetstream.StreamConfig)) func(*Queue) error {
		return func(q *Queue) error {
			s, err := q.js.Stream(context.Background(), name)
			if err != nil {
				return err
			}
			config := s.CachedInfo().Config
			if err := q.js.DeleteStream(context.Background(), name); err != nil {
				return err
			}
			change(&config)
			_, err = q.js.CreateStream(context.Background(), config)
			return err
		}
	}
	return map[string]func(*Queue) error{
		"stream TREFOIL_RESULTS: .*subject": change(resultsStream, func(c *jetstream.StreamConfig) { *c = transform() }),
		"stream TREFOIL_RESULTS: .*subject_transform is set": change(resultsStream, func(c *jetstream.StreamConfig) {
			c.SubjectTransform = transform().SubjectTransform
		}),
		"stream TREFOIL_RESULTS: .*republish is set": change(resultsStream, func(c *jetstream.StreamConfig) {
			c.RePublish = &jetstream.RePublish{Source: resultsSubject + ">", Destination: "elsewhere.>"}
		}),
		"stream TREFOIL_RESULTS: .*sources is set": change(resultsStream, func(c *jetstream.StreamConfig) {
			c.Sources = []*jetstream.StreamSource{{Name: "other"}}
		}),
		"stream TREFOIL_RESULTS: .*subjects": change(resultsStream, func(c *jetstream.StreamConfig) { c.Subjects = []string{"trefoil.results.>"} }),
		"stream TREFOIL_RESULTS: .*subjects is \\[\\]": change(resultsStream, func(c *jetstream.StreamConfig) {
			c.Subjects, c.Mirror = nil, &jetstream.StreamSource{Name: jobsStream}
		}),
		"stream TREFOIL_RESULTS: .*max_msgs_per_subject is 1, not 0": change(resultsStream, func(c *jetstream.StreamConfig) { c.MaxMsgsPerSubject = 1 }),
		"stream TREFOIL_RESULTS: .*allow_rollup_hdrs is true":        change(resultsStream, func(c *jetstream.StreamConfig) { c.AllowRollup = true }),
		"stream TREFOIL_RESULTS: .*allow_.* is true":                 change(resultsStream, func(c *jetstream.StreamConfig) { c.AllowMsgSchedules = true }), // and roll-up
		"stream TREFOIL_JOBS: .*retention is Limits": change(jobsStream, func(c *jetstream.StreamConfig) {
			c.Retention = jetstream.LimitsPolicy
		}),
		"stream TREFOIL_JOBS: .*discard is DiscardOld": change(jobsStream, func(c *jetstream.StreamConfig) {
			c.Discard, c.DiscardNewPerSubject = jetstream.DiscardOld, false
		}),
		"stream KV_TREFOIL_WORKERS: .*max_msgs_per_subject is 5": change("KV_"+workersBucket, func(c *jetstream.StreamConfig) { c.MaxMsgsPerSubject = 5 }),
		"stream KV_TREFOIL_RUNS: .*subjects": change("KV_"+runsBucket, func(c *jetstream.StreamConfig) {
			c.Subjects = append(c.Subjects, "trefoil.elsewhere.>")
		}),
		"": change(resultsStream, func(c *jetstream.StreamConfig) {
			c.Description, c.MaxBytes, c.MaxMsgs, c.Compression, c.Storage = "ours", 1<<30, 1<<20,
				jetstream.NoCompression, jetstream.MemoryStorage
		}),
		"consumer workers-.*: .*filter_subject is": func(q *Queue) error {
			_, err := q.js.CreateConsumer(context.Background(), jobsStream,
				jetstream.ConsumerConfig{Durable: "workers-" + token("1"), AckPolicy: jetstream.AckExplicitPolicy,
					FilterSubject: jobsSubject + "other.>"})
			return err
		},
		"consumer workers-.*: .*deliver_subject is set": func(q *Queue) error {
			js, err := q.nc.JetStream()
			if err != nil {
				return err
			}
			_, err = js.AddConsumer(jobsStream, &nats.ConsumerConfig{Durable: "workers-" + token("1"),
				AckPolicy: nats.AckExplicitPolicy, DeliverSubject: "elsewhere"})
			return err
		},
	}
}

// TestForeign: streams, buckets and consumers that exist with settings that matter are refused by name;
// others may be as an administrator likes.
func TestForeign(t *testing.T) {
	for want, made := range foreigners() {
		t.Run(want, func(t *testing.T) {
			s := serve(t, ServerOptions{})
			first := connect(t, Options{Server: s})
			if err := made(first); err != nil {
				t.Fatal(err)
			}
			q, err := Connect(t.Context(), Options{Server: s, Warn: t.Logf})
			if err == nil {
				if _, err = q.consumer(t.Context(), "1"); want == "" && err == nil {
					err = errors.Join(q.Coordinate(t.Context(), task("a"), newPairs(0)))
				}
				q.Close()
			}
			if want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !matches(err.Error(), want) || !errors.Is(err, errForeign) {
				t.Errorf("%v", err)
			}
		})
	}
}
