//go:build unix

package pipe

import "syscall"

// nonBlocking is the flag with which an open waits for no other program.
const nonBlocking = syscall.O_NONBLOCK
