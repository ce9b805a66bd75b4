package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gofrs/flock"

	"trefoil/internal/disk"
	"trefoil/internal/disk/disktest"
	"trefoil/internal/filetest"
)

// TestFaults: whatever fails, the file is the old one or the new one, complete, and the next writer finishes.
func TestFaults(t *testing.T) {
	disktest.Each(t, func(t *testing.T, f *disktest.Fault) {
		path := filepath.Join(f.Dir, "file")
		const old, next = "T: the old text", "T: new"
		filetest.Write(t, path, old)
		_ = os.Chmod(path, 0o666) // which most umasks do not leave
		filetest.Write(t, path+".0123456789abcdef.part", "T: half")
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

// TestOrder: the new version is on the disk before it gets its name, and the name before the lock is given back. A
// large one is written to the disk part by part.
func TestOrder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	var ops []string
	disk.Inject(func(op, at string, _ int) (int, error) {
		if op == "write" || op == "sync" || op == "rename" || op == "remove" {
			name, _, _ := strings.Cut(filepath.Base(at), ".")
			ops = append(ops, strings.Replace(op+" "+name, filepath.Base(dir), "folder", 1))
		}
		return 0, nil
	})
	err := Write(path, check, func(w io.Writer) error {
		for _, n := range []int{4, syncBytes - 4, 4, 4} {
			if _, err := w.Write(make([]byte, n)); err != nil {
				return err
			}
		}
		return nil
	})
	disk.Inject(nil)
	want := "write file, write file, sync file, write file, write file, sync file, rename file, sync folder, remove file"
	if got := strings.Join(ops, ", "); got != want || err != nil {
		t.Errorf("%v: %s, want %s", err, got, want)
	}
}

// TestNoLocks: a file system without locks is used without; another error of a lock is returned.
func TestNoLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, fails := range []error{errors.ErrUnsupported, syscall.ENOLCK, syscall.EIO} {
		disk.Inject(func(op, _ string, _ int) (int, error) {
			if op == "lock" {
				return 0, fails
			}
			return 0, nil
		})
		err := Write(path, check, text("T: "+fails.Error()))
		disk.Inject(nil)
		if fails != syscall.EIO && err == nil {
			has(t, path, "T: "+fails.Error())
		} else if !errors.Is(err, syscall.EIO) {
			t.Errorf("%v: %v", fails, err)
		}
	}
	if InPlace(flock.New(path + "2")) {
		t.Error("a lock of no file is in place")
	}
}

// TestOpenAppend: what is written comes behind what the file has, which can be read.
func TestOpenAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	want := ""
	for range 2 { // a new file, and one that exists
		f, err := OpenAppend(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(f); string(got) != want || err != nil {
			t.Errorf("%q, want %q: %v", got, want, err)
		}
		if _, err := f.WriteString("more"); err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		want += "more"
		has(t, path, want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode()&0o111 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestFaultsOfAppending: a file that is opened for more keeps what it has.
func TestFaultsOfAppending(t *testing.T) {
	disktest.Each(t, func(t *testing.T, f *disktest.Fault) {
		path := filepath.Join(f.Dir, "file")
		filetest.Write(t, path, "T: old")
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
