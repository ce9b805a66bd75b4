// Package options declares an engine's options once: name, kind, bounds,
// default, and what a change does.
package options

// Set is an ordered set of options.
type Set struct{}
