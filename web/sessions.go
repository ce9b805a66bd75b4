package web

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	maxSessions = 64
	// abandonedAfter is how long a session without a page is kept: a page that is loaded again is back within it.
	abandonedAfter = 15 * time.Second
)

// sessions are the pages that are open, each by the name that it has chosen.
type sessions struct {
	worker    *worker
	abandoned time.Duration // abandonedAfter, except in tests
	mu        sync.Mutex
	by        map[string]*session
}

// session is one page: its search and its events.
type session struct {
	id     string
	box    mailbox
	stream *stream     // nil if the page has none
	ending *time.Timer // ends the session unless a stream begins
}

// stream is the connection to which the events of a session are sent.
type stream struct {
	wake <-chan struct{} // there is something to take from the mailbox
	over chan struct{}   // closed when another stream takes over
}

// sessionName is the form of a name: 32 hexadecimal digits.
func sessionName(id string) error {
	if len(id) != 32 || strings.Trim(id, "0123456789abcdef") != "" {
		return bad("session %.40q is not 32 hexadecimal digits", id)
	}
	return nil
}

// attach begins a stream of events and returns its session, a new one if there is none yet.
func (s *sessions) attach(id string) (*session, *stream, error) {
	if err := sessionName(id); err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.by[id]
	if c == nil {
		if len(s.by) == maxSessions {
			return nil, nil, refuse(http.StatusServiceUnavailable, "there are %d sessions already: close a page", maxSessions)
		}
		c = &session{id: id}
		s.by[id] = c
	}
	if c.stream != nil {
		close(c.stream.over)
	}
	if c.ending != nil {
		c.ending.Stop()
	}
	c.stream = &stream{wake: c.box.open(), over: make(chan struct{})}
	return c, c.stream, nil
}

// detach ends a stream. Unless another one begins soon, the session ends with its search.
func (s *sessions) detach(c *session, ended *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.stream != ended {
		return
	}
	c.stream = nil
	c.ending = time.AfterFunc(s.abandoned, func() {
		s.mu.Lock()
		gone := c.stream == nil && s.by[c.id] == c
		if gone {
			delete(s.by, c.id)
		}
		s.mu.Unlock()
		if gone {
			s.worker.stop(c)
		}
	})
}

// find returns a session that has a stream, or had one a moment ago.
func (s *sessions) find(id string) (*session, error) {
	if err := sessionName(id); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.by[id]; c != nil {
		return c, nil
	}
	return nil, refuse(http.StatusNotFound, "session %q has no stream of events", id)
}

// has reports whether a session has not ended.
func (s *sessions) has(c *session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.by[c.id] == c
}

// tell adds a notice for all sessions.
func (s *sessions) tell(lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range lines {
		for _, c := range s.by {
			c.box.notice(line)
		}
	}
}

// A mailbox has the events that are to be sent to a page. It holds the latest event of each key, and a few
// notices: a page that reads slowly misses reports, and nothing waits for it.
type mailbox struct {
	mu      sync.Mutex
	wake    chan struct{} // of the stream that the events are for
	events  []*event      // in the order in which their keys came
	notices []string
}

// event is the latest of its key.
type event struct {
	key, name string
	value     func() any // made when it is sent
	sent      bool
}

// maxNotices is how many notices wait.
const maxNotices = 32

// put replaces the event of a key.
func (m *mailbox) put(key, name string, value func() any) {
	m.mu.Lock()
	m.events = slices.DeleteFunc(m.events, func(e *event) bool { return e.key == key })
	m.events = append(m.events, &event{key: key, name: name, value: value})
	m.ring()
	m.mu.Unlock()
}

// notice adds a notice, in place of the oldest one if there are too many.
func (m *mailbox) notice(text string) {
	m.mu.Lock()
	if len(m.notices) == maxNotices {
		m.notices = m.notices[1:]
	}
	m.notices = append(m.notices, text)
	m.ring()
	m.mu.Unlock()
}

// clear removes the events of the search before.
func (m *mailbox) clear() {
	m.mu.Lock()
	m.events = nil
	m.mu.Unlock()
}

// open begins a stream: it gets all events, also events that an earlier stream has sent. The channel that
// it returns says when there is something to take.
func (m *mailbox) open() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.events {
		e.sent = false
	}
	m.wake = make(chan struct{}, 1)
	m.ring()
	return m.wake
}

func (m *mailbox) ring() {
	select {
	case m.wake <- struct{}{}:
	default: // it rings already, or there is no stream
	}
}

// take returns what is to be sent, as server-sent events, to the stream that open gave a channel; nothing
// if another one has begun since.
func (m *mailbox) take(wake <-chan struct{}) []byte {
	m.mu.Lock()
	if m.wake != wake {
		m.mu.Unlock()
		return nil
	}
	notices := m.notices
	m.notices = nil
	var list []*event
	for _, e := range m.events {
		if !e.sent {
			e.sent = true
			list = append(list, e)
		}
	}
	m.mu.Unlock()
	var b []byte
	for _, text := range notices {
		b = appendEvent(b, "notice", map[string]string{"text": text})
	}
	for _, e := range list {
		b = appendEvent(b, e.name, e.value())
	}
	return b
}

// appendEvent appends a server-sent event.
func appendEvent(b []byte, name string, value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		return b // a mistake of the program: no value of ours is without JSON
	}
	b = append(b, "event: "+name+"\ndata: "...)
	return append(append(b, data...), "\n\n"...)
}
