//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package atomicfile

// noFollow is empty: these systems have no such flags.
const noFollow = 0
