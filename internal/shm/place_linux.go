package shm

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Default is the folder of POSIX shared memory.
func Default() (Dir, error) { return "/dev/shm", nil }

// allocate gives bytes of a file from offset on their memory, so that a lack of it is an error now and not
// the end of the process later. A signal undoes the call that it interrupts, so calls are short; after each
// of them ctx may end the allocation.
func allocate(ctx context.Context, f *os.File, offset int64, bytes uint64) error {
	const piece = 64 << 20
	for at := uint64(0); at < bytes; {
		switch err := unix.Fallocate(int(f.Fd()), 0, offset+int64(at), int64(min(piece, bytes-at))); {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return &os.PathError{Op: "fallocate", Path: f.Name(), Err: err}
		default:
			at += piece
			if at < bytes && ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
	}
	return nil
}

// advise asks for huge pages, which the kernel grants for shared memory if shmem_enabled in
// /sys/kernel/mm/transparent_hugepage allows it.
func advise(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
