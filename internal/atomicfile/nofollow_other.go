//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package atomicfile

// NoFollow is empty: these systems have no such flags.
const NoFollow = 0
