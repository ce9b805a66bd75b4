package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"trefoil/internal/filetest"
)

// testPackage packs a program for the architecture of the machine.
func testPackage(t *testing.T, architecture string) file {
	t.Helper()
	documents := []file{{name: "README.md", data: []byte("read")}, {name: "docs/uci.md", data: []byte("UCI")},
		{name: "LICENSES.txt", data: []byte("licences")},
		{name: "x-y.1", data: []byte(".TH \"X\\-Y\"\n.SH \"NAME\"\nx\\-y \\- plays Tic\\-Tac\\-Toe\n")}}
	binary := file{"any", []byte("program"), true}
	deb, err := packDebian("x-y", "0.1-2-gabc", architecture, time.Unix(1_700_000_000, 0), binary, documents)
	if err != nil {
		t.Fatal(err)
	}
	return deb
}

// unpackAr returns the files of an archive of ar.
func unpackAr(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	data, ok := bytes.CutPrefix(data, []byte("!<arch>\n"))
	files := map[string][]byte{}
	for ok && len(data) > 0 {
		var name string
		var at, user, group, mode, size int
		n, err := fmt.Sscanf(string(data[:60]), "%s %d %d %d %o %d `\n", &name, &at, &user, &group, &mode, &size)
		if err != nil || n != 6 || at != 1_700_000_000 || user != 0 || group != 0 || mode != 0o100644 {
			t.Fatalf("%q: %v", data[:60], err)
		}
		files[name] = data[60 : 60+size]
		data = data[60+size+size%2:]
	}
	return files
}

// TestDebian: a package has the binary, the manual page, the licences and the documents where Debian wants them, with
// all folders, and is the same each time.
func TestDebian(t *testing.T) {
	deb := testPackage(t, "amd64")
	if deb.name != "x-y_0.1-2-gabc_amd64.deb" || !bytes.Equal(deb.data, testPackage(t, "amd64").data) {
		t.Errorf("%s, or two packages differ", deb.name)
	}
	files := unpackAr(t, deb.data)
	if len(files) != 3 || string(files["debian-binary"]) != "2.0\n" {
		t.Errorf("%d files, version %q", len(files), files["debian-binary"])
	}
	control := listTar(t, files["control.tar.gz"])
	for _, want := range []string{"./control 644 Package: x-y\nVersion: 0.1-2-gabc\nArchitecture: amd64\n",
		"Installed-Size: 1\n", "Description: plays Tic-Tac-Toe\n",
		"a9c449d4fa44e9e5a41c574ae55ce4d9  usr/bin/x-y\n", "  usr/share/man/man1/x-y.1.gz\n"} {
		if !strings.Contains(control, want) {
			t.Errorf("no %q in %q", want, control)
		}
	}
	data := listTar(t, files["data.tar.gz"])
	last := -1
	for _, want := range []string{"./usr/ 755  ", "./usr/bin/ 755  ", "./usr/bin/x-y 755 program ", "./usr/share/ 755  ",
		"./usr/share/doc/ 755  ", "./usr/share/doc/x-y/ 755  ", "./usr/share/doc/x-y/README.md 644 read ",
		"./usr/share/doc/x-y/copyright 644 licences ", "./usr/share/doc/x-y/docs/ 755  ",
		"./usr/share/doc/x-y/docs/uci.md 644 UCI ", "./usr/share/man/ 755  ", "./usr/share/man/man1/ 755  ",
		"./usr/share/man/man1/x-y.1.gz 644 "} {
		at := strings.Index(data, want)
		if at <= last {
			t.Errorf("%q is at %d after %d in\n%q", want, at, last, data)
		}
		last = at
	}
	_, err := packDebian("x", "0.1_a", "amd64", time.Time{}, file{}, nil)
	if err == nil || !strings.Contains(err.Error(), `"0.1_a"`) {
		t.Error(err)
	}
}

// TestDebianInstalls: dpkg installs a package, finds its files as they were, and removes it.
func TestDebianInstalls(t *testing.T) {
	if _, err := exec.LookPath("dpkg"); err != nil {
		t.Skip(err)
	}
	root := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		args = append([]string{"--root=" + root, "--force-not-root", "--log=/dev/null"}, args...)
		out, err := exec.CommandContext(t.Context(), "dpkg", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("dpkg %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	architecture := strings.TrimSpace(run("--print-architecture"))
	deb := testPackage(t, architecture)
	name := filepath.Join(t.TempDir(), deb.name)
	admin := filepath.Join(root, "var/lib/dpkg")
	for _, folder := range []string{"info", "updates"} {
		if err := os.MkdirAll(filepath.Join(admin, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for file, data := range map[string][]byte{name: deb.data, filepath.Join(admin, "status"): nil} {
		filetest.Write(t, file, data)
	}
	run("-i", name)
	program := filepath.Join(root, "usr/bin/x-y")
	if info, err := os.Stat(program); err != nil || info.Mode() != 0o755 {
		t.Errorf("the program is %v, %v", info, err)
	}
	if out := run("--verify", "x-y"); out != "" {
		t.Errorf("dpkg --verify: %s", out)
	}
	if out := run("-s", "x-y"); !strings.Contains(out, "Status: install ok installed") {
		t.Errorf("dpkg -s: %s", out)
	}
	run("-P", "x-y")
	if _, err := os.Stat(program); !os.IsNotExist(err) {
		t.Errorf("after dpkg -P: %v", err)
	}
}
