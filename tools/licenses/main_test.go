package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLicenses: the licences of the program are those of its files and of the modules of go.mod that are linked, in
// their versions. That of the standard library may differ from one version of Go to another.
func TestLicenses(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	list, err := collect(root)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../../command/licenses.txt")
	if err != nil {
		t.Fatal(err)
	}
	const renew = "run go generate ./command"
	got := string(source)
	if n := strings.Count(got, "\n==== "); n != len(list) {
		t.Errorf("command/licenses.txt has %d licences, not %d: %s", n, len(list), renew)
	}
	for _, l := range list {
		want := "\n" + l.heading() + "\n\n"
		if l.of != goName {
			want += strings.Trim(l.text, "\n") + "\n"
		}
		if !strings.Contains(got, want) {
			t.Errorf("command/licenses.txt lacks %s of %s, or has another text: %s", l.file, l.of, renew)
		}
	}
	for _, of := range []string{"Trefoil", goName, "github.com/alecthomas/kong v"} {
		if !strings.Contains(got, "\n==== "+of) {
			t.Errorf("no licence of %s", of)
		}
	}
}
