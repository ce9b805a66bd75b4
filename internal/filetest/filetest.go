// Package filetest writes and reads the files of tests, which end if that fails.
package filetest

import (
	"os"
	"path/filepath"
	"testing"
)

// Write writes a file.
func Write[D string | []byte](t testing.TB, path string, data D) {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

// New writes a file in a new folder, and returns its path.
func New[D string | []byte](t testing.TB, name string, data D) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	Write(t, path, data)
	return path
}

// Read returns the content of a file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
