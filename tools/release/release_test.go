package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestPack: both kinds of archive have the files with their modes and the given time, and are the same each time.
func TestPack(t *testing.T) {
	at := time.Unix(1_700_000_000, 0).UTC()
	files := []file{{"trefoil", []byte("program"), true}, {"LICENSES.txt", []byte("text"), false}}
	const want = "x/trefoil 755 program 1700000000\nx/LICENSES.txt 644 text 1700000000\n"
	for _, zipped := range []bool{false, true} {
		archive, err := pack("x", zipped, at, files)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := pack("x", zipped, at, files); !bytes.Equal(archive.data, again.data) {
			t.Errorf("%s: two archives differ", archive.name)
		}
		list := listTar
		if zipped {
			list = listZip
		}
		if got := list(t, archive.data); got != want {
			t.Errorf("%s:\n%swant\n%s", archive.name, got, want)
		}
	}
}

// TestUnlink: links between packed documents and to the web stay; others become text.
func TestUnlink(t *testing.T) {
	const document = "[a](docs/a.md#x), [b](docs/b.go), [web](https://example.org/c), ![p](d.png) [`e`](#e) [A](../LICENSE)"
	const want = "[a](docs/a.md#x), b, [web](https://example.org/c), p [`e`](#e) A"
	if got := string(unlink([]byte(document), "README.md", []string{"README.md", "docs/a.md", "LICENSE"})); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := string(unlink([]byte("[A](../LICENSE)"), "docs/a.md", []string{"LICENSE"})); got != "[A](../LICENSE)" {
		t.Error(got)
	}
}

func listTar(t *testing.T, archive []byte) string {
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		line(t, &b, h.Name, h.Mode, r, h.ModTime)
	}
}

func listZip(t *testing.T, archive []byte) string {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range r.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		line(t, &b, f.Name, int64(f.Mode().Perm()), from, f.Modified)
	}
	return b.String()
}

// line writes a file of an archive: name, mode, text, time.
func line(t *testing.T, b *strings.Builder, name string, mode int64, from io.Reader, at time.Time) {
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(b, "%s %o %s %d\n", name, mode, text, at.Unix())
}

// TestTargets: targets have the names that users know, and no setting of the user changes a build.
func TestTargets(t *testing.T) {
	t.Setenv("GOFLAGS", "-race")
	t.Setenv("GOAMD64", "v4")
	names := map[string]bool{}
	for _, target := range targets {
		names[target.name()] = true
		last := map[string]string{}
		for _, s := range target.environment() {
			name, value, _ := strings.Cut(s, "=")
			last[name] = value
		}
		if last["GOFLAGS"] != "" || last["GOOS"] != target.system ||
			target.level != "" && last["GOAMD64"] != target.level || last["CGO_ENABLED"] != "0" {
			t.Errorf("%s: %q", target.name(), last)
		}
	}
	if len(names) != 9 || !names["macos-arm64"] || !names["windows-amd64-v3"] {
		t.Errorf("the targets are %v", names)
	}
}

// TestDocuments: an archive has what its README.md links to in docs, once, and the manual page of its program.
func TestDocuments(t *testing.T) {
	t.Chdir("../..")
	for _, p := range programs {
		checkDocuments(t, p.name, p.folder)
	}
}

func checkDocuments(t *testing.T, program, folder string) {
	t.Helper()
	list, err := documents(t.Context(), program, folder, "v9.9")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range list {
		if _, twice := texts[f.name]; twice || len(f.data) == 0 || f.program {
			t.Errorf("%s: twice %v, %d bytes, program %v", f.name, twice, len(f.data), f.program)
		}
		texts[f.name] = string(f.data)
	}
	links := regexp.MustCompile(`\((docs/[^)#]*)`).FindAllStringSubmatch(texts["README.md"], -1)
	for _, link := range links {
		if texts[link[1]] == "" {
			t.Errorf("README.md links to %s, which is not in the archive", link[1])
		}
	}
	for _, name := range []string{"README.ja.md", "CHANGELOG.md", "LICENSES.txt", program + ".1"} {
		if texts[name] == "" {
			t.Errorf("no %s", name)
		}
	}
	if heading, _, _ := strings.Cut(texts[program+".1"], "\n"); !strings.HasSuffix(heading, ` 9.9" ""`) {
		t.Errorf("the manual page begins with %s", heading)
	}
	if len(links) < 20 {
		t.Errorf("%d links to docs", len(links))
	}
}

// TestMisuse: wrong arguments are named before anything is built.
func TestMisuse(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("SOURCE_DATE_EPOCH", "1")
	for args, want := range map[string]string{
		"x":                             `unexpected argument "x"`,
		"-only (":                       "-only: ",
		"-only plan9 -o " + t.TempDir(): `-only "plan9": no target matches`,
	} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	t.Setenv("SOURCE_DATE_EPOCH", "today")
	if err := run(t.Context(), nil, io.Discard, io.Discard); err == nil ||
		!strings.Contains(err.Error(), `SOURCE_DATE_EPOCH: "today"`) {
		t.Errorf("%v", err)
	}
}
