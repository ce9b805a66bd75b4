//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import "syscall"

// noFollow are the flags with which an open follows no link and waits for no pipe.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
