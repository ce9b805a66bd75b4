package atomicfile

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

// TestOpenRegular: a regular file is read with the size that it had, until its context ends unless it is detached;
// nothing else is opened.
func TestOpenRegular(t *testing.T) {
	path := filetest.New(t, "file", "a text")
	ctx, cancel := context.WithCancelCause(t.Context())
	f, err := OpenRegular(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, path, "a text that has grown")
	if text, err := io.ReadAll(f); string(text) != "a text" || f.Size() != 6 || err != nil {
		t.Errorf("%q, size %d, %v", text, f.Size(), err)
	}
	b, ended := make([]byte, 4), errors.New("ended")
	cancel(ended)
	if _, err := f.ReadAt(b, 2); err != ended {
		t.Errorf("after the end: %v", err)
	}
	f.Detach()
	if n, err := f.ReadAt(b, 2); string(b[:n]) != "text" || err != nil {
		t.Errorf("detached: %q, %v", b[:n], err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Error(err)
	}
	if text, err := io.ReadAll(f); string(text) != "a text" || err != nil {
		t.Errorf("detached: %q, %v", text, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := OpenRegular(ctx, path); err != ended {
		t.Errorf("opened after the end: %v", err)
	}
	for path, want := range map[string]string{filepath.Dir(path): "it is a directory", path + "2": "no such file",
		os.DevNull: "it is not a regular file"} {
		if _, err := OpenRegular(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) ||
			!strings.Contains(err.Error(), want) && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
