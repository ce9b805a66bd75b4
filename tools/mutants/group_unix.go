//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// group makes the end of a command that of all the processes that it has started.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
