package tabletest

import (
	"context"
	"testing"
)

// Ended returns a context that has ended.
func Ended(t testing.TB) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// EndsAfter is a context that ends once it was asked so many times whether it has.
type EndsAfter struct {
	context.Context
	Looks int
}

// Err counts the looks.
func (e *EndsAfter) Err() error {
	if e.Looks--; e.Looks < 0 {
		return context.Canceled
	}
	return nil
}

// Waiting is a context that counts the functions that wait for its end.
type Waiting struct {
	context.Context
	Functions int
}

// Value hides the context within, which would take the functions itself.
func (w *Waiting) Value(any) any { return nil }

// AfterFunc counts a function until it is stopped.
func (w *Waiting) AfterFunc(func()) (stop func() bool) {
	w.Functions++
	return func() bool { w.Functions--; return true }
}
