// Package queue spreads jobs over machines by NATS JetStream: coordinators submit jobs, workers do them,
// and every result is kept. JetStream does scheduling, delivery, repetition and storage; this package says
// which streams there are and what their messages hold. It knows no game and no search.
//
// # Streams
//
//	TREFOIL_JOBS     trefoil.jobs.VERSION.RUN.JOB   a work queue: each job until a worker has acknowledged it
//	TREFOIL_RESULTS  trefoil.results.RUN            every result of a worker
//	                 trefoil.verdicts.RUN           what the coordinator has found out by itself
//	TREFOIL_WORKERS  a bucket of keys: each worker, renewed every Options.Heartbeat
//	TREFOIL_RUNS     a bucket of keys: the status of each coordinator, likewise
//
// Coordinators create them, and refuse those that exist with settings by which someone else could write to
// them or take something away. Workers wait until they exist.
//
// A run is a task of a coordinator, such as the proof of one position. Its name follows from Task.Name, so
// a coordinator that starts again finds the results of the one before it, also if it is of another build.
// VERSION is a hash of Worker.Version: a worker takes no jobs of another version.
//
// # Trust
//
// The server knows two users, which nats.conf describes. A coordinator may do all; a worker may not write
// jobs, verdicts and the status of runs, and not change the streams. The server answers a request to any
// subject that the request names; workers have an account of their own, where such an answer reaches
// nothing that its worker could not reach. What workers write is signed by a key that their name is bound
// to (Identity). The coordinator ignores the rest.
//
// A worker can still hinder a run, by jobs that it takes and refuses, or keeps.
//
// # Delivery
//
// A worker that is silent for the time AckWait of the consumer loses its job to another one, so a job may
// be done twice, and results may arrive twice and in any order. Coordinators must accept that
// (Coordinator.Result). A worker acknowledges a job only after its result is stored. So whatever is killed,
// no result is lost that a worker has finished and could deliver.
package queue

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	jobsStream    = "TREFOIL_JOBS"
	resultsStream = "TREFOIL_RESULTS"
	workersBucket = "TREFOIL_WORKERS"
	runsBucket    = "TREFOIL_RUNS"

	jobsSubject     = "trefoil.jobs."
	resultsSubject  = "trefoil.results."
	verdictsSubject = "trefoil.verdicts."

	// MaxMessage is the size of the largest job or result in bytes.
	MaxMessage = 512 << 10
	// HeartbeatInterval is the default of Options.Heartbeat.
	HeartbeatInterval = 2 * time.Second
	// silence is how long a worker may be silent before a coordinator no longer counts on it.
	silence = 6 * time.Second
	// lifetime is the age at which a sign of life leaves its bucket.
	lifetime = 15 * time.Second
	// requestTimeout is how long a coordinator or a worker waits for an answer that it can do without.
	requestTimeout = 2 * time.Second
	// AckWait is the default of Options.AckWait.
	AckWait = 30 * time.Second
	// MinAckWait is the least Options.AckWait: a worker says several times within it that it still has its job.
	MinAckWait = 100 * time.Millisecond
)

// Options say how to reach the queue. The zero value of a field means that it is not used.
type Options struct {
	Server *Server // of this process, or
	URL    string  // of a server, such as nats://host:4222; several with commas between them
	Worker bool    // only Work is called, with the rights of a worker

	User, Password  string
	Creds           string // a file with a JWT and an NKey seed
	NKey            string // a file with an NKey seed
	TLSCert, TLSKey string // files: who we are
	TLSCA           string // a file: whom we trust

	Name    string        // of the connection, as the server lists it
	AckWait time.Duration // after which a silent worker loses its job; 0 is what another process has set, or AckWait
	// Heartbeat is the time between two signs of life of a worker and of a coordinator; 0 is HeartbeatInterval.
	Heartbeat time.Duration
	Warn      func(format string, args ...any) // prints a message for the user; it may be called by any goroutine
}

// Queue is a connection to the queue. Any goroutine may use it.
type Queue struct {
	options Options
	nc      *nats.Conn
	js      jetstream.JetStream

	jobs, results jetstream.Stream
	workers, runs jetstream.KeyValue

	denied refusals
}

// Connect connects to the queue. A coordinator creates the streams that do not exist yet, and a worker
// waits for them. Both wait for a server that does not answer until ctx ends.
func Connect(ctx context.Context, o Options) (*Queue, error) {
	if o.Heartbeat <= 0 {
		o.Heartbeat = HeartbeatInterval
	}
	if o.AckWait != 0 && o.AckWait < MinAckWait {
		return nil, fmt.Errorf("an ack wait of %v: the least is %v", o.AckWait, MinAckWait)
	}
	q := &Queue{options: o}
	if err := q.connect(ctx); err != nil {
		return nil, err
	}
	if err := q.open(ctx); err != nil {
		q.nc.Close()
		return nil, fmt.Errorf("queue at %s: %w", q.address(), err)
	}
	return q, nil
}

// Close closes the connection.
func (q *Queue) Close() { q.nc.Close() }

// address is the URL without a password.
func (q *Queue) address() string {
	if q.options.Server != nil {
		return q.options.Server.dir
	}
	var urls []string
	for text := range strings.SplitSeq(q.options.URL, ",") {
		if u, err := url.Parse(text); err == nil {
			text = u.Redacted()
		}
		urls = append(urls, text)
	}
	return strings.Join(urls, ",")
}

func (q *Queue) connect(ctx context.Context) (err error) {
	connected, closed := make(chan struct{}, 1), make(chan struct{}, 1)
	signal := func(to chan<- struct{}) nats.ConnHandler {
		return func(*nats.Conn) {
			select {
			case to <- struct{}{}:
			default:
			}
		}
	}
	lost, said := false, "" // read and written by callbacks, which nats.go calls one at a time
	options := append(q.options.connection(),
		nats.MaxReconnects(-1), nats.ReconnectWait(500*time.Millisecond),
		nats.ConnectHandler(signal(connected)), nats.ClosedHandler(signal(closed)),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				lost = true
				q.options.Warn("the connection to the queue at %s is lost (%v); waiting for it", q.address(), err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			if lost {
				lost = false
				q.options.Warn("connected to the queue again")
			}
		}),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			if text := err.Error(); !mayAppear(err) && text != said {
				said = text
				q.options.Warn("the queue at %s: %v; trying again", q.address(), err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if !isRequest(err) || !q.denied.tell(err) {
				q.options.Warn("queue at %s: %v", q.address(), err)
			}
		}))
	q.nc, err = nats.Connect(q.options.URL, options...)
	if err != nil && mayAppear(err) {
		q.options.Warn("the queue at %s does not answer (%v); waiting for it", q.address(), err)
		q.nc, err = nats.Connect(q.options.URL, append(options, nats.RetryOnFailedConnect(true))...)
	}
	if err != nil {
		return fmt.Errorf("queue at %s: %w", q.address(), err)
	}
	select {
	case <-connected:
	case <-closed: // a server that came later has refused us
		return fmt.Errorf("queue at %s: %w", q.address(), q.nc.LastError())
	case <-ctx.Done():
		q.nc.Close()
		return context.Cause(ctx)
	}
	q.js, err = jetstream.New(q.nc)
	return err
}

// mayAppear reports whether an error says no more than that a server does not answer yet, or has just ended.
func mayAppear(err error) bool {
	if name, ok := errors.AsType[*net.DNSError](err); ok {
		return !name.IsNotFound
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Op == "dial" || op.Op == "read" || op.Op == "write" // but not errors of TLS
	}
	return err == nil || errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF) ||
		strings.Contains(strings.ToLower(err.Error()), "authentication timeout") // one of both sides was too busy to log in
}

// connection returns the options of the connection that say how we are known, and whom we trust.
func (o *Options) connection() []nats.Option {
	options := []nats.Option{nats.Name(o.Name)}
	if o.Server != nil {
		as := o.Server.coordinator
		if o.Worker {
			as = o.Server.worker
		}
		options = append(options, nats.InProcessServer(o.Server.server), nats.UserInfo(as.name, as.password))
	}
	if o.User != "" || o.Password != "" {
		options = append(options, nats.UserInfo(o.User, o.Password))
	}
	if o.Creds != "" {
		options = append(options, nats.UserCredentials(o.Creds))
	}
	if o.NKey != "" {
		options = append(options, func(n *nats.Options) error {
			key, err := nats.NkeyOptionFromSeed(o.NKey)
			if err != nil {
				return err
			}
			return key(n)
		})
	}
	if o.TLSCA != "" {
		options = append(options, nats.RootCAs(o.TLSCA))
	}
	if o.TLSCert != "" || o.TLSKey != "" {
		options = append(options, nats.ClientCert(o.TLSCert, o.TLSKey))
	}
	return options
}

// named adds what an error is about.
func named(err error, what string) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", what, err)
	}
	return err
}

// token is a text as a part of a subject.
func token(text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return fmt.Sprintf("%016x", h.Sum64())
}

// retry calls f until it succeeds, fails for another reason than a server that does not answer, or ctx ends.
// A worker also waits for what a coordinator has to create.
func (q *Queue) retry(ctx context.Context, f func(context.Context) error) error {
	for attempts := 1; ; attempts++ {
		attempt, cancel := context.WithTimeout(ctx, 5*time.Second)
		refused := q.denied.watch(cancel)
		err := f(attempt)
		cancel()
		denied := refused()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case denied != nil:
			return q.notAllowed(denied)
		case q.nc.IsClosed():
			return errors.Join(errors.New("the connection is closed"), q.nc.LastError())
		case q.options.Worker && missing(err):
			if attempts == 5 { // after a second
				q.options.Warn("the queue at %s has had no coordinator of this version yet; waiting for one", q.address())
			}
		case !passing(err):
			return err
		case attempts == 8: // after some seconds, or much more if each one was a timeout
			q.options.Warn("the queue at %s does not answer (%v): is its disk full? Trying again", q.address(), err)
		}
		pause(ctx, 25*time.Millisecond<<min(attempts, 6))
	}
}

// notAllowed is the error of a request that the server has refused to this user.
func (q *Queue) notAllowed(err error) error {
	if q.options.Worker {
		return fmt.Errorf("this user has not the rights of a worker: %w", err)
	}
	return fmt.Errorf("this user may not create and check the streams: use coordinator.url, or another user: %w", err)
}

// cause returns why the connection is closed, if it is and ctx has not ended, instead of an error that
// follows from that.
func (q *Queue) cause(ctx context.Context, err error) error {
	return q.retry(ctx, func(context.Context) error { return err })
}

// passing reports whether an error may go away by itself: the server starts, or the connection to it is lost.
func passing(err error) bool {
	return slices.ContainsFunc([]error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat,
		jetstream.ErrJetStreamNotEnabled,
	}, func(e error) bool { return errors.Is(err, e) })
}

// pause waits for a time or the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
