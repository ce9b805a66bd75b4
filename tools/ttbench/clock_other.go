//go:build !linux

package main

import "time"

var start = time.Now()

// now is the time since the start: this system has no clock per thread.
func now() time.Duration { return time.Since(start) }
