package main

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestBadGame: a game that cannot be played ends the tune with an error, and the end of a context ends the games.
func TestBadGame(t *testing.T) {
	all, err := newReferees(2)
	if err != nil {
		t.Fatal(err)
	}
	defer all.close()
	s := tuneOf(20, 5, tuned{"lmrScala", 100, 1, 200, 10, 100})
	s.Plan.Nodes, s.Plan.Within = 100, 2000
	err = s.iterate(t.Context(), all.play, nothing)
	if err == nil || !strings.Contains(err.Error(), `no parameter "lmrScala"`) {
		t.Errorf("an unknown parameter: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.iterate(ctx, all.play, nothing); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled tune: %v", err)
	}
}
