package batch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"trefoil/internal/atomicfile"
	"trefoil/internal/cli"
	"trefoil/internal/filetest"
)

const words = "a\n# comment\nbad\nwrong\n\nodd\nlonger word\n"

// write writes a file of a test and returns its path.
func write(t testing.TB, text string) string {
	t.Helper()
	return filetest.New(t, "file", text)
}

func read(t testing.TB, path string) string {
	t.Helper()
	return string(filetest.Read(t, path))
}

// resumed runs the input behind what a file has, and returns the run, its status and the file.
func resumed(t *testing.T, in, before string, prepare func(*shouting)) (*shouting, int, string) {
	t.Helper()
	s := newShouting(in)
	s.Resume = write(t, before)
	if prepare != nil {
		prepare(s)
	}
	err := s.File(t.Context(), "")
	if statusOf(err) == cli.StatusFailed {
		s.errs.WriteString(err.Error())
	}
	if entries, _ := os.ReadDir(filepath.Dir(s.Resume)); len(entries) != 1 {
		t.Errorf("files: %v", entries)
	}
	return s, statusOf(err), read(t, s.Resume)
}

// TestResume: a file that is cut off anywhere is completed to the same bytes, with the same summary and
// status, and no line is answered twice.
func TestResume(t *testing.T) {
	first, status, whole := resumed(t, words, "", nil)
	if status != cli.StatusWrong || strings.Count(whole, "\n") != 5 || first.out.Len() > 0 {
		t.Fatalf("status %d: %s%s", status, whole, first.out.String())
	}
	for i := range len(whole) + 1 {
		done := strings.Count(whole[:i], "\n")
		jobs := Jobs(1 + i%2)
		if near := whole[max(0, i-2):min(i+2, len(whole))]; strings.Contains(near, "\n") || i%5 == 0 {
			s, status, got := resumed(t, words, whole[:i], func(s *shouting) { s.Jobs = jobs })
			if jobs > 1 { // in any order
				got = sorted(got)
			}
			if want := sorted(whole); jobs == 1 && got != whole || jobs > 1 && got != want ||
				status != cli.StatusWrong {
				t.Fatalf("%d bytes, jobs %d: status %d: %s%s", i, jobs, status, got, s.errs.String())
			}
			if !strings.HasSuffix(s.errs.String(), "# 4, 1 wrong, 1 bad\n") {
				t.Errorf("%d bytes: %s", i, s.errs.String())
			}
			if message := fmt.Sprintf("has records of %d of 5 positions\n", done); done > 0 &&
				!strings.Contains(s.errs.String(), message) {
				t.Errorf("%d bytes: %s", i, s.errs.String())
			}
		}
	}
}

// TestResumePrints: the records are in the file and not printed, also with --json, as the help says.
func TestResumePrints(t *testing.T) {
	s, _, whole := resumed(t, words, "", func(s *shouting) { s.JSON = true })
	if s.out.Len() > 0 || strings.Count(whole, "\n") != 5 {
		t.Errorf("%q is printed, %q in the file", s.out.String(), whole)
	}
	field, _ := reflect.TypeFor[Flags]().FieldByName("Resume")
	if help := field.Tag.Get("help"); !strings.Contains(help, "instead of printing them") {
		t.Error(help)
	}
}

func sorted(text string) string {
	lines := slices.Collect(strings.Lines(text))
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// TestResumeNew: a file that does not exist is created; a regular file is read as standard input is.
func TestResumeNew(t *testing.T) {
	s := newShouting("")
	s.Resume = filepath.Join(t.TempDir(), "new")
	s.Shard = Shard{2, 2}
	if err := s.File(t.Context(), write(t, words)); statusOf(err) != cli.StatusWrong {
		t.Error(err)
	}
	if got := read(t, s.Resume); strings.Count(got, "\n") != 2 ||
		!strings.Contains(got, `"line":3,"input":"bad","number":2,"of":5,`) {
		t.Error(got)
	}
}

// TestResumeRefused: a file that does not fit is named and left as it is.
func TestResumeRefused(t *testing.T) {
	_, _, whole := resumed(t, words, "", nil)
	first, rest, _ := strings.Cut(whole, "\n")
	for _, c := range []struct {
		what, before, in, says string
		prepare                func(*shouting)
	}{
		{what: "text", before: "hello\n", says: `line 1: it is not a record: invalid character 'h' looking for beginning of value: "hello"`},
		{what: "text without a line end", before: "hello", says: `line 1: it is not a record: "hello"`},
		{what: "text behind a record", before: first + "\nhello", says: `line 2: it is not a record: "hello"`},
		{what: "an empty line", before: first + "\n\n" + rest, says: "line 2: it is not a record"},
		{what: "an object", before: "{}\n", says: `line 1: it is not a record: line 0, number 0 of 0, command ""`},
		{what: "an array", before: "[]\n", says: "line 1: it is not a record"},
		{what: "zeros", before: first + "\n\x00\x00\n", says: "line 2: it is not a record"},
		{what: "the input", before: words, says: "line 1: it is not a record"},
		{what: "a long line", before: strings.Repeat("x", 5<<20), says: "line 1: it is not a record: it has more than 4 MiB"},
		{what: "twice", before: whole + first + "\n", says: "line 6: position 1 occurs again, after line 1"},
		{what: "another input", in: strings.Replace(words, "odd", "even", 1), says: `line 4: it does not match line 6 of the input: "even"`},
		{what: "a line before", in: "\n" + words, says: `line 1: it does not match line 2 of the input: "a"`},
		{what: "a longer input", in: words + "more\n", says: "line 1: it belongs to another input: this one has 6 positions"},
		{what: "a shorter input", in: "a\n", says: "it belongs to another input: this one has 1 position"},
		{what: "an empty input", in: "#\n", says: "it belongs to another input: this one has 0 positions"},
		{what: "another command", prepare: func(s *shouting) { s.Console.Command = "shout --loud" }, says: `line 1: it belongs to the command "shout", not "shout --loud"`},
		{what: "another shard", prepare: func(s *shouting) { s.Shard = Shard{2, 2} }, says: "line 1: position 1 is not of shard 2/2"},
		{what: "other fields", before: strings.Replace(whole, `"length":1`, `"length":"one"`, 1), says: "line 1: it is not a record of shout: json: cannot unmarshal string"},
	} {
		if c.before == "" {
			c.before = whole
		}
		if c.in == "" {
			c.in = words
		}
		s, status, after := resumed(t, c.in, c.before, c.prepare)
		if status != cli.StatusFailed || after != c.before || !strings.Contains(s.errs.String(),
			"--resume: "+s.Resume) || !strings.Contains(s.errs.String(), c.says) || s.added > 5 {
			t.Errorf("%s: status %d: %s", c.what, status, s.errs.String())
		}
	}
}

// TestResumeNoFile: links, folders and a file that another run writes are refused.
func TestResumeNoFile(t *testing.T) {
	dir, file := t.TempDir(), write(t, "")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	release, err := atomicfile.Lock(file)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for path, says := range map[string]string{
		link: "it is a symbolic link", dir: "it is a directory", file: atomicfile.ErrBusy.Error(),
		filepath.Join(dir, "no", "folder"): "no such file",
	} {
		s := newShouting(words)
		s.Resume = path
		if err := s.File(t.Context(), ""); err == nil || !strings.Contains(err.Error(), path) ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestResumeInputFails: nothing is created when the input cannot be read.
func TestResumeInputFails(t *testing.T) {
	s := newShouting("")
	s.Console.In = io.MultiReader(strings.NewReader("a\n"), &failing{})
	s.Resume = filepath.Join(t.TempDir(), "new")
	if err := s.File(t.Context(), ""); !errors.Is(err, errFailing) {
		t.Error(err)
	}
	if _, err := os.Lstat(s.Resume); err == nil {
		t.Error("the file is there")
	}
}

type failing struct{}

var errFailing = errors.New("it fails")

func (*failing) Read([]byte) (int, error) { return 0, errFailing }

// FuzzRecords: whatever a file has, it is refused and unchanged, or all of it was records; nothing of it is lost by
// a merge but records that occur twice and a torn last line.
func FuzzRecords(f *testing.F) {
	s := newShouting(words)
	s.JSON = true
	_ = s.File(f.Context(), "")
	whole := s.out.String()
	f.Add([]byte(whole))
	f.Add([]byte(whole[:len(whole)-9]))
	f.Add([]byte(whole + whole))
	f.Add([]byte(strings.ReplaceAll(whole, `"shout"`, `"solve mate"`)))
	f.Add([]byte(`{"line":1,"input":"a","number":1,"command":"shout","word":[]}` + "\n"))
	f.Add([]byte(`{"line":9223372036854775807,"number":9223372036854775807,"command":"shout"}` + "\n" + `{"line`))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := write(t, string(data))
		total := &shouting{}
		if r, err := resume(path, "shout", Shard{}, NewSummary(total).Add); err == nil {
			if lines := bytes.Count(data, []byte("\n")); lines != len(r.done) || r.whole > int64(len(data)) {
				t.Errorf("%d of %d lines, %d of %d bytes", len(r.done), lines, r.whole, len(data))
			}
			if err := r.close(); err != nil {
				t.Error(err)
			}
		}
		if read(t, path) != string(data) {
			t.Error("the file has changed")
		}
		var out, errs strings.Builder
		std := &cli.Console{Out: &out, Err: &errs}
		err := Merge(t.Context(), []string{path}, std,
			func(string) (*Summary, error) { return NewSummary(&shouting{}), nil })
		if status := statusOf(err); status == cli.StatusFailed && out.Len() > 0 {
			t.Errorf("refused after output: %v", err)
		}
		last := 0
		for line := range strings.Lines(out.String()) {
			r, err := decode([]byte(strings.TrimSuffix(line, "\n")))
			if err != nil || r.Number <= last || !bytes.Contains(data, []byte(strings.TrimSuffix(line, "\n"))) {
				t.Errorf("%q: %v", line, err)
			}
			last = r.Number
		}
	})
}
