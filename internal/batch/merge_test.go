package batch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"trefoil/internal/cli"
	"trefoil/internal/disk"
	"trefoil/internal/filetest"
)

// merged merges files with these texts, the last of them as standard input if its text begins with a dash.
func merged(t *testing.T, texts ...string) (out, errs string, status int) {
	t.Helper()
	dir := t.TempDir()
	std := &cli.Console{Prefix: "test"}
	var o, e strings.Builder
	std.Out, std.Err = &o, &e
	var files []string
	for i, text := range texts {
		if in, ok := strings.CutPrefix(text, "-"); ok {
			std.In = strings.NewReader(in)
			files = append(files, "-")
			continue
		}
		path := filepath.Join(dir, fmt.Sprint("f", i+1))
		filetest.Write(t, path, text)
		files = append(files, path)
	}
	err := Merge(t.Context(), files, std, func(command string) (*Summary, error) {
		if command != "shout" {
			return nil, errors.New("another command")
		}
		return NewSummary(&shouting{}), nil
	})
	if status = statusOf(err); status == cli.StatusFailed {
		e.WriteString(err.Error())
	}
	return o.String(), strings.ReplaceAll(e.String(), dir+string(filepath.Separator), ""), status
}

// shards returns the records of n shards of an input.
func shards(t *testing.T, in string, n int) (parts []string) {
	t.Helper()
	for i := range n {
		s := newShouting(in)
		s.JSON, s.Shard = true, Shard{i + 1, n}
		if err := s.File(t.Context(), ""); statusOf(err) == cli.StatusFailed {
			t.Fatal(err)
		}
		parts = append(parts, s.out.String())
	}
	return parts
}

// TestMerge: shards in any order, also of standard input, make what one run makes, with its summary.
func TestMerge(t *testing.T) {
	want := shards(t, words, 1)[0]
	for n := 1; n < 8; n++ {
		parts := shards(t, words, n)
		for i := range parts {
			parts = append(parts[1:], parts[0])
			if i == 1 {
				parts[0] = "-" + parts[0]
			}
			out, errs, status := merged(t, parts...)
			if out != want || errs != "# 4, 1 wrong, 1 bad\n" || status != 0 {
				t.Errorf("%d shards: status %d, %s%s", n, status, out, errs)
			}
			parts[0] = strings.TrimPrefix(parts[0], "-")
		}
	}
}

// TestMergeLeaves: the files stay as they are, and no temporary one is left.
func TestMergeLeaves(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv("TMP", temporary)
	parts := shards(t, words, 2)
	path := write(t, parts[0])
	std := &cli.Console{In: strings.NewReader(parts[1]), Out: &strings.Builder{}, Err: &strings.Builder{}}
	err := Merge(t.Context(), []string{path, "-"}, std,
		func(string) (*Summary, error) { return NewSummary(&shouting{}), nil })
	if err != nil || read(t, path) != parts[0] {
		t.Errorf("%v, %q", err, read(t, path))
	}
	if entries, err := os.ReadDir(temporary); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestMergeMany: of thousands of files only some are open at a time.
func TestMergeMany(t *testing.T) {
	const n = maxOpen + 10
	in := strings.Repeat("a\n", n)
	var open atomic.Int32
	disk.Inject(func(op, _ string, _ int) (int, error) {
		switch {
		case op == "close":
			open.Add(-1)
		case op == "open" && open.Add(1) > maxOpen+1:
			return 0, errors.New("too many open files")
		}
		return 0, nil
	})
	defer disk.Inject(nil)
	out, errs, status := merged(t, shards(t, in, n)...)
	if out != shards(t, in, 1)[0] || status != 0 {
		t.Errorf("status %d, %s", status, errs)
	}
}

// TestMergeChanged: a file that changes meanwhile is named.
func TestMergeChanged(t *testing.T) {
	path := write(t, strings.Join(shards(t, words, 1), ""))
	text := read(t, path)
	std := &cli.Console{Out: &strings.Builder{}, Err: &strings.Builder{}}
	made := 0
	err := Merge(t.Context(), []string{path}, std, func(string) (*Summary, error) {
		if made++; made == 2 { // all records are read
			if err := os.WriteFile(path, []byte(strings.Replace(text, `"number":2`, `"number":1`, 1)),
				0o666); err != nil {
				t.Fatal(err)
			}
		}
		return NewSummary(&shouting{}), nil
	})
	if err == nil || !strings.Contains(err.Error(), path+": line 2: the file has changed") {
		t.Error(err)
	}
}

// TestMergeWrong: what is missing, contradicts another record, or belongs to something else is named.
func TestMergeWrong(t *testing.T) {
	const summary = "# 4, 1 wrong, 1 bad\n"
	whole := shards(t, words, 1)[0]
	three := shards(t, words, 3)
	many := shards(t, strings.Repeat("a\n", 60), 2)
	first, rest, _ := strings.Cut(whole, "\n")
	first += "\n"
	for _, c := range []struct {
		what, errs string
		status     int
		files      []string
		out        string
	}{
		{"the same twice", summary, 0, []string{whole, whole}, whole},
		{"other times", summary, 0, []string{whole, strings.ReplaceAll(whole, `"length"`, `"seconds":7,"nodes":1,"pv":"x","moves":[],"length"`)}, whole},
		{"of is not known", summary, 0, []string{whole, strings.ReplaceAll(whole, `"of":5,`, "")}, whole},
		{"of is nowhere known", "test: the records do not say how many positions the input has\n" + summary, 0, []string{strings.ReplaceAll(whole, `"of":5,`, "")}, strings.ReplaceAll(whole, `"of":5,`, "")},
		{"a shard is missing", "test: 2 of 5 positions have no record: 2, 5\n# 3, 1 wrong, 0 bad\n", 1, []string{three[0], three[2]}, ""},
		{"the last one is missing", "test: 1 of 5 positions have no record: 5\n# 3, 1 wrong, 1 bad\n", 1, []string{whole[:strings.LastIndex(whole[:len(whole)-1], "\n")+1]}, ""},
		{"the first ones are missing", "test: 4 of 5 positions have no record: 1 to 4\n# 1, 0 wrong, 0 bad\n", 1, []string{whole[strings.LastIndex(whole[:len(whole)-1], "\n")+1:]}, ""},
		{"many are missing", "test: 30 of 60 positions have no record: 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and 20 more\n# 30, 0 wrong, 0 bad\n", 1, []string{many[0]}, many[0]},
		{"a torn line", "test: f1: line 5 is cut off and left out\ntest: 1 of 5 positions have no record: 5\n# 3, 1 wrong, 1 bad\n", 1, []string{whole[:len(whole)-5]}, ""},
		{"a torn line that is elsewhere", "test: f1: line 5 is cut off and left out\n" + summary, 0, []string{whole[:len(whole)-5], whole}, whole},
		{"no line end", "test: f1: line 5 is cut off and left out\ntest: 1 of 5 positions have no record: 5\n# 3, 1 wrong, 1 bad\n", 1, []string{whole[:len(whole)-1]}, ""},
		{"a contradiction", "test: f2: line 1 contradicts line 1 of f1: position 1\n" + summary, 1, []string{whole, strings.Replace(whole, `"A"`, `"B"`, 1)}, whole},
		{"no position there", "test: f2: line 2 contradicts line 2 of f1: position 2\n" + summary, 1, []string{whole, strings.Replace(whole, "not a word", "a word", 1)}, whole},
		{"other lines", "test: f2: line 1 contradicts line 1 of f1: position 2 is on line 2, but position 1 on line 3\n", 1, []string{strings.Replace(first, `"line":1`, `"line":3`, 1), strings.Replace(rest, `"line":3`, `"line":2`, 1)}, ""},
		{"nothing", "test: no records\n", 1, []string{"", ""}, ""},
		{"an empty file", summary, 0, []string{"", whole}, whole},
		{"the input", "f2: line 1: it is not a record: invalid character 'a' looking for beginning of value: \"a\"", 2, []string{whole, words}, ""},
		{"text", "f1: line 1: it is not a record: \"hello\"", 2, []string{"hello"}, ""},
		{"an empty line", "f1: line 1: it is not a record: unexpected end of JSON input: \"\"", 2, []string{"\n" + whole}, ""},
		{"too long", "f1: line 1: it is not a record: it has more than 4 MiB", 2, []string{`{"line":` + strings.Repeat(" ", 5<<20)}, ""},
		{"a number beyond the last", "f1: line 1: it is not a record: line 1, number 1 of 0, command \"\"", 2, []string{`{"line":1,"number":1}` + "\n"}, ""},
		{"line 0", "f1: line 1: it is not a record: line 0, number 1 of 5, command \"shout\"", 2, []string{strings.Replace(whole, `"line":1`, `"line":0`, 1)}, ""},
		{"another subcommand", `f2: line 1: it belongs to the command "shout --loud", but line 1 of f1 to "shout"`, 2, []string{whole, strings.ReplaceAll(whole, `"shout"`, `"shout --loud"`)}, ""},
		{"an unknown subcommand", "f1: line 1: another command", 2, []string{strings.ReplaceAll(whole, `"shout"`, `"whisper"`)}, ""},
		{"another input", "f2: line 1: it belongs to an input of 6 positions, but line 1 of f1 to one of 5", 2, []string{whole, strings.ReplaceAll(whole, `"of":5`, `"of":6`)}, ""},
		{"other fields", "f1: line 4: it is not a record of shout: json: cannot unmarshal string into Go struct field word.length of type int", 2, []string{strings.Replace(whole, `"length":3`, `"length":""`, 1)}, ""},
	} {
		out, errs, status := merged(t, c.files...)
		if !strings.HasPrefix(errs, c.errs) || status != c.status || c.out != "" && out != c.out ||
			status == cli.StatusFailed && out != "" {
			t.Errorf("%s: status %d: %s%s", c.what, status, out, errs)
		}
	}
}

// TestMergeNoFile: what cannot be read is named.
func TestMergeNoFile(t *testing.T) {
	dir := t.TempDir()
	for path, says := range map[string]string{dir: "it is a directory", filepath.Join(dir, "nowhere"): "nowhere"} {
		err := Merge(t.Context(), []string{path}, &cli.Console{Out: &strings.Builder{}, Err: &strings.Builder{}}, nil)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// endless is a stream of one byte again and again, which counts what is read.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	e.read += len(b)
	return len(b), nil
}

// TestMergeEndless: a stream that holds no records is refused before it fills the disk.
func TestMergeEndless(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	in := new(endless)
	std := &cli.Console{Prefix: "test", In: in, Out: io.Discard, Err: io.Discard}
	if err := Merge(t.Context(), []string{"-"}, std, nil); err == nil || !strings.Contains(err.Error(), "4 MiB") ||
		in.read > 2*maxRecord {
		t.Errorf("%v, after %d bytes", err, in.read)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}
