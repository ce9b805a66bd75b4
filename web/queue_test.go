package web

import (
	"context"
	"testing"
)

// TestLateEndOfTurn: what ends a turn, and comes when that is over, does not end the next turn of the search.
func TestLateEndOfTurn(t *testing.T) {
	over, end := context.WithCancel(t.Context())
	end()
	ended := 0
	w := &worker{running: new(job), queue: []*job{new(job)}, cancel: func(error) { ended++ }}
	for range 100 { // the time of the turn is up too, and either may be seen first
		w.endTurn(over)
	}
	if ended > 0 {
		t.Errorf("%d turns", ended)
	}
}
