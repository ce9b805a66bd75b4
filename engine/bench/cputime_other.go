//go:build !unix

package bench

import "time"

// cpuTime is not known.
func cpuTime() (time.Duration, bool) { return 0, false }
