//go:build unix

package bench

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of this process; false if the system does not report it.
func cpuTime() (time.Duration, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
