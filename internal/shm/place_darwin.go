package shm

import (
	"context"
	"os"

	"golang.org/x/sys/unix"
)

// Default is the user's folder for temporary files. shm_open of macOS makes objects that can be
// neither listed nor locked.
func Default() (Dir, error) { return Dir(os.TempDir()), nil }

// allocate gives bytes of a file from offset on, which are its last, their room on the disk, so that a
// lack of it is an error now and not the end of the process later.
func allocate(_ context.Context, f *os.File, offset int64, bytes uint64) error {
	want := unix.Fstore_t{Flags: unix.F_ALLOCATEALL, Posmode: unix.F_PEOFPOSMODE, Length: offset + int64(bytes)}
	if info, err := f.Stat(); err != nil || memory(info) >= bytes {
		return err
	}
	if err := unix.FcntlFstore(f.Fd(), unix.F_PREALLOCATE, &want); err != nil {
		return &os.PathError{Op: "F_PREALLOCATE", Path: f.Name(), Err: err}
	}
	return nil
}

// advise does nothing: Apple's processors have a single page size.
func advise([]byte) {}
