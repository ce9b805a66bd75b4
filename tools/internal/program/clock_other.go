//go:build !linux

package program

import "time"

var start = time.Now()

// OnThread adds the time until the function that it returns is called: this system has no clock per thread.
func OnThread(sum *time.Duration) func() {
	began := time.Now()
	return func() { *sum += time.Since(began) }
}

// OfProcess is the time since the start: this system has no clock per process.
func OfProcess(int) time.Duration { return time.Since(start) }
