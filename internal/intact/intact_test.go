package intact

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// magic begins all that is written here.
const magic = "T: "

func put(text string) func(*os.File) error {
	return func(f *os.File) error { _, err := f.WriteString(text); return err }
}

func is(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); string(got) != want {
		t.Errorf("%s has %q, want %q (%v)", path, got, want, err)
	}
}

func gone(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is there: %v", path, err)
	}
}

func TestWriteReplacesWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, text := range []string{"T: a long text that was first", "T: new"} {
		if err := os.WriteFile(path+Part, []byte("what a killed process has left behind, longer than either"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := Write(path, magic, put(text)); err != nil {
			t.Fatal(err)
		}
		is(t, path, text)
		gone(t, path+Part)
	}
	broken := errors.New("broken")
	err := Write(path, magic, func(f *os.File) error { _, _ = f.WriteString("T: half of"); return broken })
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	is(t, path, "T: new")
	gone(t, path+Part)
	if err := Writable(path, magic); err != nil {
		t.Error(err)
	}
	is(t, path, "T: new")
	gone(t, path+Part)
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	never := func(*os.File) error { t.Error("something was written"); return nil }
	for path, want := range map[string]string{
		dir:                              "a directory",
		os.DevNull:                       "no regular file",
		filepath.Join(dir, "no", "file"): "no such file",
		"":                               "",
	} {
		if err := Write(path, magic, never); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v, want %q", path, err, want)
		}
		if err := Writable(path, magic); err == nil {
			t.Errorf("%q is writable", path)
		}
		if _, _, err := Open(path); err == nil {
			t.Errorf("%q was opened", path)
		}
	}
}

// What somebody else has written stays as it is; what is empty nobody needs.
func TestWriteSparesOthers(t *testing.T) {
	never := func(*os.File) error { t.Error("something was written"); return nil }
	path := filepath.Join(t.TempDir(), "games.pgn")
	for _, text := range []string{"1. e4 e5", "T:", "x"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{Write(path, magic, never), Writable(path, magic)} {
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "not replaced") {
				t.Errorf("over %q: %v", text, err)
			}
		}
		is(t, path, text)
		gone(t, path+Part)
	}
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, magic, put("T: new")); err != nil {
		t.Error(err)
	}
	is(t, path, "T: new")
}

// A link stays a link.
func TestWriteFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := Write(path, magic, put("T: old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip("this system makes no links: ", err)
	}
	if err := Write(link, magic, put("T: new")); err != nil {
		t.Fatal(err)
	}
	is(t, path, "T: new")
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v", info, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{Write(link, magic, put("T: lost")), Writable(link, magic)} {
		if err == nil || !strings.Contains(err.Error(), link) {
			t.Errorf("a link that leads nowhere: %v", err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v", info, err)
	}
	gone(t, link+Part)
}

// Of two writers of one file the second is refused, and the first has its way.
func TestWriteOneAtATime(t *testing.T) {
	if !locks {
		t.Skip("this system has no locks")
	}
	path := filepath.Join(t.TempDir(), "file")
	err := Write(path, magic, func(f *os.File) error {
		_, err := f.WriteString("T: one")
		if err := Write(path, magic, put("T: two")); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), path) {
			t.Errorf("the second: %v", err)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	is(t, path, "T: one")
}

func TestText(t *testing.T) {
	field := []byte("0123456789")
	if err := PutText(field, "game", "chess"); err != nil || Text(field) != "chess" {
		t.Errorf("%q, %v", field, err)
	}
	for _, bad := range []string{"elevenbytes", "a\x00b"} {
		if err := PutText(field, "game", bad); err == nil || !strings.Contains(err.Error(), "game") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
