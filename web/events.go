package web

import (
	"net/http"
	"time"
)

const (
	eventsPath = "/api/events"
	// eventInterval is the least time between two writes to a page.
	eventInterval = 100 * time.Millisecond
	// keepAlive is how often a comment is sent where there is nothing else.
	keepAlive = 10 * time.Second
	// eventTimeout is how long a page may take to read what has been sent. Then it is cut off.
	eventTimeout = 10 * time.Second
)

// streamEvents answers GET /api/events.
func (s *Server) streamEvents(w http.ResponseWriter, r *http.Request) {
	c, stream, err := s.sessions.attach(r.URL.Query().Get("session"))
	if err != nil {
		replyError(w, err)
		return
	}
	defer s.sessions.detach(c, stream)
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // that of the server is for the request
	send := func(b []byte) bool {
		_ = control.SetWriteDeadline(time.Now().Add(eventTimeout))
		_, err := w.Write(b)
		return err == nil && control.Flush() == nil
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if !send(appendEvent([]byte("retry: 1000\n"), "hello", s.hello())) {
		return
	}
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	var draw <-chan time.Time // never, unless the page shows the table
	var shown *shownTable     // nil likewise
	if kind := r.URL.Query().Get("table"); kind != "" {
		drawing := time.NewTicker(pictureInterval)
		defer drawing.Stop()
		draw, shown = drawing.C, &shownTable{kind: kind}
		if r.URL.Query().Get("stats") == "1" {
			s.worker.count(1)
			defer s.worker.count(-1)
		}
	}
	for {
		var b []byte
		select {
		case <-r.Context().Done():
			return
		case <-stream.over:
			return
		case <-alive.C:
			b = []byte(":\n\n")
		case <-draw:
			b = s.take(c, stream, shown)
		case <-stream.wake:
			b = s.take(c, stream, shown)
		}
		if len(b) > 0 && !send(b) {
			return
		}
		if len(b) > 0 {
			select {
			case <-time.After(eventInterval):
			case <-r.Context().Done():
				return
			}
		}
	}
}

// shownTable is the kind of table that a stream shows, and the picture that it has sent last.
type shownTable struct {
	kind string
	last *tableJSON
}

// take returns what is to be sent now: the events of the session, and the table if its stream shows it and
// it has changed.
func (s *Server) take(c *session, stream *stream, shown *shownTable) []byte {
	b := c.box.take(stream.wake)
	if shown == nil {
		return b
	}
	p := s.sampler.picture(shown.kind, time.Now())
	if p == nil {
		p = &tableJSON{Kinds: []string{}, Width: mapWidth, Cells: []byte{}} // there is none now
	}
	if !same(p, shown.last) {
		b, shown.last = appendEvent(b, "table", p), p
	}
	return b
}

// helloJSON is the first event of a stream.
type helloJSON struct {
	Version int        `json:"version"` // of this interface
	Engine  string     `json:"engine"`
	Limits  limitsJSON `json:"limits"`
	Link    string     `json:"link,omitempty"` // Server.LinkBase
}

type limitsJSON struct {
	Sessions int `json:"sessions"`
	Body     int `json:"body"`
	Moves    int `json:"moves"`
	Lines    int `json:"lines"`
}

func (s *Server) hello() helloJSON {
	return helloJSON{Version: 1, Engine: s.worker.engine.Name(), Link: s.LinkBase,
		Limits: limitsJSON{Sessions: maxSessions, Body: maxBody, Moves: maxMoves, Lines: maxLines}}
}
