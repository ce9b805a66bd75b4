package program

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// processorTime is the time of a clock of the system.
func processorTime(clock int32) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// OnThread adds the processor time of this goroutine until the function that it returns is called.
func OnThread(sum *time.Duration) func() {
	runtime.LockOSThread()
	began := processorTime(unix.CLOCK_THREAD_CPUTIME_ID)
	return func() {
		*sum += processorTime(unix.CLOCK_THREAD_CPUTIME_ID) - began
		runtime.UnlockOSThread()
	}
}

// OfProcess is the processor time of all threads of a process so far.
func OfProcess(pid int) time.Duration { return processorTime(int32(^pid<<3 | 2)) }
