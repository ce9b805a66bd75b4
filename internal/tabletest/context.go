package tabletest

import "context"

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
