package queue

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// heard is a coordinator that notes which results it gets.
type heard struct {
	endless
	results []Result
}

func (h *heard) Result(r Result) error {
	h.results = append(h.results, r)
	return nil
}

// endless is a coordinator without jobs.
type endless struct{}

func (endless) Next() (Request, bool)                    { return Request{}, false }
func (endless) Do(context.Context, Request) (any, error) { return nil, nil }
func (endless) Lost(Request)                             {}
func (endless) Done() bool                               { return false }
func (endless) Status() (any, string)                    { return nil, "" }

// settled is a message that accepts every answer.
type settled struct{ message }

func (settled) Term() error                               { return nil }
func (settled) Nak() error                                { return nil }
func (settled) NakWithDelay(time.Duration) error          { return nil }
func (settled) InProgress() error                         { return nil }
func (settled) Metadata() (*jetstream.MsgMetadata, error) { return nil, errors.New("none") }

func noInfo(context.Context) (*jetstream.ConsumerInfo, error) { return nil, errors.New("none") }

// FuzzMessages: no message makes a coordinator or a worker fail, and what no worker has signed counts for
// nothing: neither another result, worker or job, nor a verdict.
func FuzzMessages(f *testing.F) {
	public := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	signer := &Identity{name: "w-" + fingerprint(public.Public().(ed25519.PublicKey)), key: public}
	run1 := token("a")
	signed := resultOf(signer, run1, "1-first", "1")
	job, err := json.Marshal(jobMessage{"1", run1, "1-first", []string{"other"}, json.RawMessage("1")})
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{
		signed, resultOf(signer, token("b"), "1-first", "1"), statusOf(signer, "1", time.Now()), string(job),
		`{"job":"1-judge","worker":"test","body":7}`, `{"worker":"w","body":null,"key":"AA==","signature":""}`, `[]`, "{\x00",
	} {
		f.Add([]byte(text), "1-first")
	}
	f.Fuzz(func(t *testing.T, data []byte, id string) {
		h := &heard{}
		r := &run{
			Queue: &Queue{options: Options{Warn: func(string, ...any) {}}}, task: task("a"), key: run1, coordinator: h,
			warned: map[string]bool{}, members: map[string]member{}, times: map[string]int64{},
			outstanding: map[string]*submitted{"1-first": {}},
		}
		r.result(message{subject: resultsSubject + r.key, data: string(data)})
		for _, got := range h.results {
			if got.Worker != signer.name || got.ID != "1-first" || string(got.Body) != "1" || got.Verdict {
				t.Errorf("%+v was not signed", got)
			}
		}
		h.results = nil
		r.result(message{subject: verdictsSubject + r.key, data: string(data)})
		var m resultMessage
		if len(h.results) > 0 && (json.Unmarshal(data, &m) != nil || len(m.Key)+len(m.Signature) > 0 || m.Worker == "") {
			t.Errorf("%+v is no verdict", h.results)
		}
		r.sawWorker(entry{key: token(signer.name), data: string(data)})
		for _, m := range r.members {
			if m.name != signer.name {
				t.Errorf("%s is alive", m.name)
			}
		}
		if s, err := parse[Status](data); err == nil {
			_ = s.Line()
		}
		w := &work{Queue: r.Queue, worker: Worker{signer, "1"}, info: noInfo,
			do: func(_ context.Context, j Job) (any, error) {
				if j.Run != run1 || j.ID != id {
					t.Errorf("%+v is not the job of its subject", j)
				}
				return nil, errors.New("refused")
			}}
		msg := settled{message{subject: jobSubject("1", run1, id), data: string(data)}}
		if err := w.message(t.Context(), msg); err != nil {
			t.Error(err)
		}
	})
}
