package main

import (
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

// TestLicenses: each program has the licences of its files and of the modules of go.mod that are linked, in
// their versions. The licence of the standard library may differ from one version of Go to another.
func TestLicenses(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	checkLicenses(t, root, ".", "command")
	checkLicenses(t, root, "./cmd/trefoil-queue", "cmd/trefoil-queue")
}

// checkLicenses compares the licences in a folder with the licences of a main package.
func checkLicenses(t *testing.T, root, main, folder string) {
	t.Helper()
	list, err := collect(root, main)
	if err != nil {
		t.Fatal(err)
	}
	name := folder + "/licenses.txt"
	source := filetest.Read(t, filepath.Join(root, name))
	renew := "run go generate ./" + folder
	got := string(source)
	if n := strings.Count(got, "\n==== "); n != len(list) {
		t.Errorf("%s has %d licences, not %d: %s", name, n, len(list), renew)
	}
	for _, l := range list {
		want := "\n" + l.heading() + "\n\n"
		if l.of != goName {
			want += strings.Trim(l.text, "\n") + "\n"
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s of %s, or has another text: %s", name, l.file, l.of, renew)
		}
	}
	for _, of := range []string{"Trefoil", goName, "github.com/alecthomas/kong v"} {
		if !strings.Contains(got, "\n==== "+of) {
			t.Errorf("%s: no licence of %s", name, of)
		}
	}
}
