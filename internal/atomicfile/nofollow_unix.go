//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import "syscall"

// NoFollow are the flags with which an open follows no link and waits for no pipe.
const NoFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
