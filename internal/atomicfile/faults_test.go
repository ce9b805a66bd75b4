package atomicfile

import (
	"os"
	"path/filepath"
	"testing"

	"trefoil/internal/disk/disktest"
)

// TestFaults: whatever fails, the file is the old one or the new one, complete, and the next writer finishes.
func TestFaults(t *testing.T) {
	disktest.Each(t, func(t *testing.T, f *disktest.Fault) {
		path := filepath.Join(f.Dir, "file")
		const old, next = "T: the old text", "T: new"
		put(t, path, old)
		put(t, path+".0123456789abcdef.part", "T: half")
		err := f.Do(t, path, func() error { return Write(path, check, text(next)) })
		got, _ := os.ReadFile(path)
		if string(got) != old && string(got) != next || (err == nil) != (string(got) == next) && !f.Killed() {
			t.Errorf("the file has %q: %v", got, err)
		}
		mustWrite(t, path, "T: later")
		has(t, path, "T: later")
		holds(t, f.Dir, "file")
	})
}

// TestFaultsOfAppending: a file that is opened for more keeps what it has.
func TestFaultsOfAppending(t *testing.T) {
	disktest.Each(t, func(t *testing.T, f *disktest.Fault) {
		path := filepath.Join(f.Dir, "file")
		put(t, path, "T: old")
		err := f.Do(t, path, func() error {
			release, err := Lock(path)
			if err != nil {
				return err
			}
			defer release()
			file, err := OpenAppend(path)
			if err == nil {
				err = file.Close()
			}
			return err
		})
		has(t, path, "T: old")
		if release, again := Lock(path); again != nil {
			t.Errorf("%v after %v", again, err)
		} else {
			release()
		}
		holds(t, f.Dir, "file")
	})
}
