package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

var check = Prefix("T: ")

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func never(t *testing.T) func(io.Writer) error {
	return func(io.Writer) error { t.Error("something was written"); return nil }
}

func mustWrite(t *testing.T, path, s string) {
	t.Helper()
	if err := Write(path, check, text(s)); err != nil {
		t.Fatal(err)
	}
}

func has(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); string(got) != want {
		t.Errorf("%s has %q, want %q (%v)", path, got, want, err)
	}
}

// holds fails unless the directory has exactly the named files.
func holds(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") || err != nil {
		t.Errorf("the directory has %q, want %q (%v)", got, want, err)
	}
}

func refused(t *testing.T, path string, words ...string) {
	t.Helper()
	for _, err := range []error{Write(path, check, never(t)), Writable(path, check)} {
		for _, w := range append(words, path) {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%q: %v, want %q", path, err, w)
			}
		}
	}
}

func symlink(t *testing.T, to, from string) {
	t.Helper()
	if err := os.Symlink(to, from); err != nil {
		t.Skip("this system makes no links: ", err)
	}
}

func TestWriteReplacesAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, s := range []string{"T: a long text that was first", "T: new"} {
		mustWrite(t, path, s)
		has(t, path, s)
		holds(t, dir, "file")
	}
	broken := errors.New("broken")
	err := Write(path, check, func(w io.Writer) error { _ = text("T: half of")(w); return broken })
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if err := Writable(path, check); err != nil {
		t.Error(err)
	}
	has(t, path, "T: new")
	holds(t, dir, "file")
	filetest.Write(t, path, "") // an empty file is replaced
	mustWrite(t, path, "T: newer")
	has(t, path, "T: newer")
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	refused(t, dir, "it is a directory")
	refused(t, os.DevNull, "it is not a regular file")
	refused(t, filepath.Join(dir, "no", "file"), "no such file")
	refused(t, "", "name of the file is empty")
	path := filepath.Join(dir, "games.pgn")
	for _, s := range []string{"1. e4 e5", "T:", "x"} {
		filetest.Write(t, path, s)
		refused(t, path, "not replaced: it begins with")
		has(t, path, s)
	}
	holds(t, dir, "games.pgn")
}

// A link at the target is refused and stays; a hard link to it keeps the old contents.
func TestLinkAtTheTarget(t *testing.T) {
	dir := t.TempDir()
	path, link, hard := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "hard")
	mustWrite(t, path, "T: old")
	symlink(t, path, link)
	refused(t, link, "symbolic link, to "+path)
	symlink(t, filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling"))
	refused(t, filepath.Join(dir, "dangling"), "symbolic link")
	has(t, path, "T: old")
	if err := os.Link(path, hard); err != nil {
		t.Skip("no hard links: ", err)
	}
	mustWrite(t, path, "T: new")
	has(t, hard, "T: old")
	holds(t, dir, "dangling", "file", "hard", "link")
}

// Nothing that stands at FILE.part, the temporary name of earlier versions, is touched.
func TestNothingAtPartIsTouched(t *testing.T) {
	for what, link := range map[string]func(to, from string) error{
		"symbolic link": os.Symlink,
		"hard link":     os.Link,
		"file":          func(_, from string) error { return os.WriteFile(from, []byte("T: precious"), 0o666) },
	} {
		dir := t.TempDir()
		precious, path := filepath.Join(dir, "precious"), filepath.Join(dir, "file")
		filetest.Write(t, precious, "T: precious")
		if err := link(precious, path+".part"); err != nil {
			t.Logf("%s: %v", what, err)
			continue
		}
		mustWrite(t, path, "T: new")
		has(t, precious, "T: precious")
		has(t, path+".part", "T: precious")
		has(t, path, "T: new")
	}
}

// A link at FILE.lock is not followed, and a file of another program is not removed.
func TestNothingAtLockIsTouched(t *testing.T) {
	dir := t.TempDir()
	path, precious := filepath.Join(dir, "file"), filepath.Join(dir, "precious")
	filetest.Write(t, path+".lock", "precious")
	mustWrite(t, path, "T: new")
	has(t, path+".lock", "precious")
	if err := os.Remove(path + ".lock"); err != nil {
		t.Fatal(err)
	}
	symlink(t, precious, path+".lock")
	refused(t, path, path+".lock: it is not a regular file")
	holds(t, dir, "file", "file.lock")
}

func TestModeIsKept(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	path := filepath.Join(t.TempDir(), "file")
	mustWrite(t, path, "T: first")
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o666, 0o644} { // 0666 is more than most umasks leave
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		mustWrite(t, path, "T: again")
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("mode %v became %v (%v)", mode, info.Mode(), err)
		}
	}
}

func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for range 2 { // a new file, and one that all can read
		if err := WritePrivate(path, check, text("T: secret")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v (%v)", info.Mode(), err)
		}
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "link")
	symlink(t, path, link)
	if err := WritePrivate(link, check, never(t)); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Error(err)
	}
}

// Of two writers of one file the second is refused, and the first one finishes.
func TestOneWriterAtATime(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	f, err := Create(path, check)
	if err != nil {
		t.Fatal(err)
	}
	if f.lock == nil {
		t.Skip("this file system has no locks")
	}
	if err := Write(path, check, never(t)); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), path) {
		t.Errorf("the second: %v", err)
	}
	if err := errors.Join(text("T: one")(f), f.Commit()); err != nil {
		t.Fatal(err)
	}
	has(t, path, "T: one")
	holds(t, dir, "file")
}

// What killed writers leave is removed by the next one, and nothing else is.
func TestLeftoversAreRemoved(t *testing.T) {
	dir := t.TempDir()
	path, precious := filepath.Join(dir, "file"), filepath.Join(dir, "precious")
	filetest.Write(t, precious, "T: precious")
	filetest.Write(t, path+".lock", "")
	filetest.Write(t, path+".0123456789abcdef.part", "T: half")
	filetest.Write(t, path+".0000000000000000.part", "")
	filetest.Write(t, path+".0000000000000001.part", strings.Repeat("\x00", 100))
	filetest.Write(t, path+".0000000000000002.part", "another program's text")
	filetest.Write(t, path+".0123456789ABCDEF.part", "T: another name")
	filetest.Write(t, path+".part", "T: another name")
	filetest.Write(t, path+".0123456789abcdef", "T: another name")
	filetest.Write(t, path+".012345.part", "T: another name")
	filetest.Write(t, path+"2.0123456789abcdef.part", "T: of another file")
	want := []string{"file", "file.0000000000000002.part", "file.012345.part", "file.0123456789ABCDEF.part",
		"file.0123456789abcdef", "file.part", "file2.0123456789abcdef.part", "precious"}
	if err := os.Symlink(precious, path+".0000000000000003.part"); err == nil {
		want = append(want[:2:2], append([]string{"file.0000000000000003.part"}, want[2:]...)...)
	}
	mustWrite(t, path, "T: new")
	holds(t, dir, want...)
	has(t, precious, "T: precious")
}

// What is put at the target while the new version is written is not replaced either.
func TestTargetIsCheckedAgain(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	err := Write(path, check, func(w io.Writer) error {
		filetest.Write(t, path, "1. e4 e5")
		return text("T: new")(w)
	})
	if err == nil || !strings.Contains(err.Error(), "not replaced") {
		t.Error(err)
	}
	has(t, path, "1. e4 e5")
	holds(t, dir, "file")
}
