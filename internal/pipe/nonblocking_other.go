//go:build !unix

package pipe

// nonBlocking is empty: on these systems no open waits for another program.
const nonBlocking = 0
