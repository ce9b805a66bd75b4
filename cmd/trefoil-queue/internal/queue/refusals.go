package queue

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
)

// refusals tells the requests that are under way when the server refuses something to the user of a
// connection. The server does not answer such a request. It tells the connection, not which request it was.
type refusals struct {
	mu      sync.Mutex
	pending map[*refusal]bool
}

// refusal is a request.
type refusal struct {
	cancel context.CancelFunc
	err    error
}

// watch notes a request that a refusal cancels. The function that it returns ends that, and returns the
// refusal.
func (r *refusals) watch(cancel context.CancelFunc) (end func() error) {
	request := &refusal{cancel: cancel}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pending == nil {
		r.pending = map[*refusal]bool{}
	}
	r.pending[request] = true
	return func() error {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.pending, request)
		return request.err
	}
}

// isRequest reports whether an error says that a request was refused. Acknowledgements are none: they go
// where the message says, and a message may come from anyone.
func isRequest(err error) bool {
	return errors.Is(err, nats.ErrPermissionViolation) && !strings.Contains(err.Error(), "$JS.ACK.") &&
		!strings.Contains(err.Error(), "$JS.FC.")
}

// tell passes a refusal on, and reports whether a request was under way.
func (r *refusals) tell(err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for request := range r.pending {
		request.err = err
		request.cancel()
	}
	return len(r.pending) > 0
}
