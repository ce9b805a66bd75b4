package queue

import (
	"context"
	"sync"
)

// refusals tells the requests that are under way when the server refuses something to the user of a connection. It
// does not answer such a request, and tells the connection later, without saying which request it was.
type refusals struct {
	mu      sync.Mutex
	pending map[*refusal]bool
}

// refusal is a request.
type refusal struct {
	cancel context.CancelFunc
	err    error
}

// watch notes a request that a refusal cancels. The function that it returns ends that, and returns the refusal.
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
