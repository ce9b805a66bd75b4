//go:build unix

package bench

import (
	"syscall"
	"time"
)

// cpuTime is how long processors have worked for this process; false where the system does
// not tell.
func cpuTime() (time.Duration, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
