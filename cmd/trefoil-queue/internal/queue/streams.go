package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// open opens the streams and buckets. A coordinator creates those that do not exist. A worker waits for the
// bucket of runs, which is the last.
func (q *Queue) open(ctx context.Context) (err error) {
	if q.options.Worker {
		_, err := all[Status](ctx, q, runsBucket)
		return err
	}
	if q.jobs, err = q.stream(ctx, jetstream.StreamConfig{
		Name: jobsStream, Description: "Trefoil: jobs until they are done", Subjects: []string{jobsSubject + ">"},
		Retention: jetstream.WorkQueuePolicy, MaxMsgSize: MaxMessage,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	}); err != nil {
		return err
	}
	if q.results, err = q.stream(ctx, jetstream.StreamConfig{
		Name: resultsStream, Description: "Trefoil: results of jobs",
		Subjects:   []string{resultsSubject + ">", verdictsSubject + ">"},
		MaxMsgSize: MaxMessage, Compression: jetstream.S2Compression,
	}); err != nil {
		return err
	}
	if err := q.mayCoordinate(ctx); err != nil {
		return err
	}
	if q.workers, err = q.bucket(ctx, workersBucket, "Trefoil: workers"); err != nil {
		return err
	}
	q.runs, err = q.bucket(ctx, runsBucket, "Trefoil: coordinators")
	return err
}

// mayCoordinate does what only a coordinator may do, so that another user is told at once: it removes the
// jobs of a run that does not exist.
func (q *Queue) mayCoordinate(ctx context.Context) error {
	return q.retry(ctx, func(ctx context.Context) error {
		return q.jobs.Purge(ctx, jetstream.WithPurgeSubject(jobsSubject+"none"))
	})
}

// stream returns a stream, which it creates if it does not exist. One that exists must be equal in all that
// matters for trust.
func (q *Queue) stream(ctx context.Context, config jetstream.StreamConfig) (s jetstream.Stream, err error) {
	err = q.retry(ctx, func(ctx context.Context) error {
		if s, err = q.js.Stream(ctx, config.Name); errors.Is(err, jetstream.ErrStreamNotFound) {
			s, err = q.js.CreateStream(ctx, config)
		}
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			s, err = q.js.Stream(ctx, config.Name) // another coordinator was faster
		}
		if err != nil {
			return err
		}
		return foreign(config, s.CachedInfo().Config)
	})
	return s, named(err, "stream "+config.Name)
}

// keys is the subject of the keys of a bucket, without the key.
func keys(bucket string) string { return "$KV." + bucket + "." }

// bucket returns a bucket. Its stream is as in any bucket of NATS.
func (q *Queue) bucket(ctx context.Context, name, description string) (b jetstream.KeyValue, err error) {
	if _, err := q.stream(ctx, jetstream.StreamConfig{
		Name: "KV_" + name, Description: description, Subjects: []string{keys(name) + ">"},
		MaxMsgsPerSubject: 1, MaxAge: lifetime, Duplicates: lifetime, Discard: jetstream.DiscardNew,
		AllowRollup: true, DenyDelete: true, AllowDirect: true,
	}); err != nil {
		return nil, err
	}
	err = q.retry(ctx, func(ctx context.Context) error {
		b, err = q.js.KeyValue(ctx, name)
		return err
	})
	return b, named(err, "bucket "+name)
}

// free are the settings of a stream, by their names in its JSON, that an administrator may choose. The
// others say who can write to the stream, and what becomes of its messages.
var free = map[string]bool{
	"name": true, "description": true, "metadata": true, "storage": true, "num_replicas": true, "placement": true,
	"compression": true, "persist_mode": true, "template_owner": true, "first_seq": true, "duplicate_window": true,
	"max_consumers": true, "max_msgs": true, "max_bytes": true, "max_age": true, "max_msg_size": true,
	"consumer_limits": true, "allow_direct": true, "mirror_direct": true, "deny_delete": true, "deny_purge": true,
}

// foreign returns an error if a stream is not as it should be.
func foreign(want, got jetstream.StreamConfig) error {
	w, g := reflect.ValueOf(want), reflect.ValueOf(got)
	for i := range w.NumField() {
		name, _, _ := strings.Cut(w.Type().Field(i).Tag.Get("json"), ",")
		if a, b := w.Field(i), g.Field(i); !free[name] && !same(a, b) {
			return fmt.Errorf("%w: %s is %s, not %s", errForeign, name, show(b), show(a))
		}
	}
	return nil
}

// errForeign is the error about a stream or a consumer with other settings than those that a coordinator
// gives it.
var errForeign = errors.New("it exists with settings that are not those of Trefoil; remove it, or change it")

// same reports whether two settings mean the same. For a number, 0 and -1 are no limit, and an empty list
// is none.
func same(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Int64:
		return max(a.Int(), 0) == max(b.Int(), 0)
	case reflect.Slice:
		return a.Len() == 0 && b.Len() == 0 || reflect.DeepEqual(a.Interface(), b.Interface())
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// show writes a setting for the user.
func show(v reflect.Value) string {
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Pointer {
		if v.IsNil() {
			return "not set"
		}
		return "set"
	}
	return fmt.Sprint(v.Interface())
}

// consumer returns the consumer by which workers of a version share the jobs. A coordinator creates it, and
// sets Options.AckWait, if there is one.
func (q *Queue) consumer(ctx context.Context, version string) (c jetstream.Consumer, err error) {
	config := jetstream.ConsumerConfig{
		Durable: "workers-" + token(version), Description: version, FilterSubject: jobsSubject + token(version) + ".>",
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: cmp.Or(q.options.AckWait, AckWait), MaxDeliver: -1,
		MaxAckPending: -1, MaxWaiting: 1 << 16, // any number of workers
	}
	err = q.retry(ctx, func(ctx context.Context) error {
		if c, err = q.js.Consumer(ctx, jobsStream, config.Durable); q.options.Worker {
			return err
		}
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			c, err = q.js.CreateConsumer(ctx, jobsStream, config)
		}
		if errors.Is(err, jetstream.ErrConsumerExists) {
			c, err = q.js.Consumer(ctx, jobsStream, config.Durable)
		}
		if errors.Is(err, jetstream.ErrNotPullConsumer) {
			err = fmt.Errorf("%w: deliver_subject is set", errForeign)
		}
		if err != nil {
			return err
		}
		got := c.CachedInfo().Config
		if err := foreignConsumer(config, got); err != nil {
			return err
		}
		if q.options.AckWait > 0 && q.options.AckWait != got.AckWait {
			got.AckWait = q.options.AckWait
			c, err = q.js.UpdateConsumer(ctx, jobsStream, got)
		}
		return err
	})
	return c, named(err, "consumer "+config.Durable)
}

// foreignConsumer is foreign for the consumer of a version.
func foreignConsumer(want, got jetstream.ConsumerConfig) error {
	for _, c := range []struct{ name, want, got string }{
		{"filter_subject", want.FilterSubject, strings.Join(append(got.FilterSubjects, got.FilterSubject), "")},
		{"ack_policy", want.AckPolicy.String(), got.AckPolicy.String()},
	} {
		if c.want != c.got {
			return fmt.Errorf("%w: %s is %q, not %q", errForeign, c.name, c.got, c.want)
		}
	}
	return nil
}

// missing reports whether an error says that something does not exist that a coordinator creates.
func missing(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound)
}
