package queue

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"trefoil/internal/cli"
)

// jobMessage is a job in the stream of jobs.
type jobMessage struct {
	Version string          `json:"version"`
	Run     string          `json:"run"`
	Job     string          `json:"job"`
	Not     []string        `json:"not,omitempty"` // workers that must not do it
	Body    json.RawMessage `json:"body"`
}

// resultMessage is a result in the stream of results. That by a worker is signed. A verdict of the
// coordinator is not: the server lets nobody else write to its subject.
type resultMessage struct {
	Job    string          `json:"job"`
	Worker string          `json:"worker"`
	Body   json.RawMessage `json:"body"`
	signature
}

// WorkerStatus is what is known of a worker, signed by it.
type WorkerStatus struct {
	Worker  string `json:"worker"`
	Version string `json:"version"`
	Done    uint64 `json:"done"`            // jobs
	Time    int64  `json:"time"`            // in milliseconds since 1970, and greater than in all earlier ones
	Ended   bool   `json:"ended,omitempty"` // it is the last one
	signature
}

// Protocol changes when these messages mean something else. It is part of Worker.Version and Task.Name.
const Protocol = "signed messages 2"

// Status is what is known of a run.
type Status struct {
	Run         string          `json:"run"`
	Task        string          `json:"task"` // in words
	Coordinator string          `json:"coordinator"`
	Version     string          `json:"version"`
	Done        uint64          `json:"done"`    // jobs, those of earlier coordinators too
	Waiting     int             `json:"waiting"` // jobs
	InWork      int             `json:"in_work"` // jobs
	Workers     int             `json:"workers"`
	Ignored     uint64          `json:"ignored"` // messages that are no results, or are not signed
	Seconds     float64         `json:"seconds"`
	Detail      json.RawMessage `json:"detail,omitempty"` // of the task
	Text        string          `json:"text"`             // the detail in words
}

// Line is the status in one line.
func (s *Status) Line() string {
	line := fmt.Sprintf("%s: %s done, %d waiting, %d in work, %s, %v", s.Task, cli.Count(s.Done, "job"), s.Waiting,
		s.InWork, cli.Count(s.Workers, "worker"),
		time.Duration(s.Seconds*float64(time.Second)).Round(time.Second))
	if s.Ignored > 0 {
		line += fmt.Sprintf(", %s ignored", cli.Count(s.Ignored, "message"))
	}
	if s.Text != "" {
		line += "; " + s.Text
	}
	return line
}

// parse reads a message whose form and content cannot be trusted.
func parse[M jobMessage | resultMessage | WorkerStatus | Status](data []byte) (m M, err error) {
	if err = json.Unmarshal(data, &m); err != nil {
		return m, errors.New("it is not the JSON of this protocol")
	}
	return m, nil
}

// short is a text of a message from outside, for a message to the user.
func short(text string) string { return fmt.Sprintf("%.60q", text) }
