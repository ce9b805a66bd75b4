package web

import (
	"context"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"trefoil/options"
)

// changeable are the options that a page may change, beside those of the nets: the names of these end with netOption,
// and they have two values here.
var changeable = []string{"Hash", threadsOption, auditOption, "HashPages", "Clear Hash"}

const (
	threadsOption = "Threads"
	netOption     = "EvalFile"
)

// The values of an option that names the file of a net: the net of the program, and no net.
const (
	embedded = "embedded"
	noNet    = "none"
)

// optionTimeout is how long a change waits for a search with a limit.
const optionTimeout = time.Minute

// settings are the values of the options that a page may change.
type settings struct {
	mu     sync.Mutex
	values map[string]string
}

// optionJSON is an option of GET /api/options.
type optionJSON struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	Value   string   `json:"value,omitempty"`
	Default string   `json:"default,omitempty"`
	Min     *int     `json:"min,omitempty"`
	Max     *int     `json:"max,omitempty"`
	Useful  int      `json:"useful,omitempty"` // of Threads: the number of processors
	Vars    []string `json:"vars,omitempty"`
	Help    string   `json:"help"`
	Games   []string `json:"games,omitempty"` // that use it; all if there are none
}

// listOptions answers GET /api/options.
func (s *Server) listOptions(*http.Request) (any, error) {
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	list := []optionJSON{}
	for _, o := range s.declared {
		j := optionJSON{Name: o.UCI, Kind: o.Kind.String(), Value: s.settings.values[o.UCI], Default: o.Default, Vars: o.Vars,
			Help: o.Help, Games: o.Games}
		switch o.Kind {
		case options.KindSpin:
			j.Min, j.Max = &o.Min, &o.Max
			if o.UCI == threadsOption {
				j.Useful = runtime.NumCPU()
			}
		case options.KindString:
			j.Kind, j.Default, j.Vars, j.Help = options.KindCombo.String(), embedded, []string{embedded, noNet},
				"the net that evaluates, or the hand-written evaluation"
			if j.Value == "" {
				j.Value = embedded
			}
		}
		list = append(list, j)
	}
	return list, nil
}

// declare lists the options that a page may change, and reads their values. The engine is not in use yet.
func (s *Server) declare(e Engine) {
	for _, o := range e.Options().List(options.UCI) {
		if slices.Contains(changeable, o.UCI) || strings.HasSuffix(o.UCI, netOption) {
			s.declared = append(s.declared, o)
		}
	}
	s.keep(e)
}

// optionOf returns the declaration of an option, nil if there is none.
func optionOf(e Engine, name string) *options.Option {
	list := e.Options().List(options.UCI)
	if i := slices.IndexFunc(list, func(o options.Option) bool { return o.UCI == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

// keep reads the values of the options, on the engine's goroutine.
func (s *Server) keep(e Engine) {
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	s.settings.values = map[string]string{}
	for _, o := range s.declared {
		s.settings.values[o.UCI] = e.Options().Find(options.UCI, o.UCI).Value()
	}
}

// names are the options that a page may change.
func (s *Server) names() (names []string) {
	for _, o := range s.declared {
		names = append(names, o.UCI)
	}
	return names
}

// setOption answers POST /api/option.
func (s *Server) setOption(r *http.Request, body *struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}) (any, error) {
	i := slices.IndexFunc(s.declared, func(o options.Option) bool { return o.UCI == body.Name })
	if i < 0 {
		return nil, bad("option %.40q is not one of %q", body.Name, s.names())
	}
	if s.declared[i].Kind == options.KindString {
		switch body.Value {
		case embedded:
			body.Value = ""
		case noNet:
		default: // the name of a file
			return nil, bad("option %s: %.40q is not %s or %s", body.Name, body.Value, embedded, noNet)
		}
	}
	ctx, cancel := context.WithTimeoutCause(r.Context(), optionTimeout,
		refuse(http.StatusServiceUnavailable, "a search with a limit is running"))
	defer cancel()
	var err error
	notices := []string{}
	busy := s.worker.do(ctx, func() {
		e := s.worker.engine
		err = e.Options().Set(context.Background(), options.UCI, body.Name, body.Value)
		notices = append(notices, e.Notices()...)
		s.keep(e)
	})
	if busy != nil {
		return nil, busy
	}
	if err != nil {
		return nil, bad("%v", err)
	}
	return map[string][]string{"notices": notices}, nil
}
