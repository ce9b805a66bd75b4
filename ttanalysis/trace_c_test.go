package ttanalysis

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/internal/filetest"
)

// cProgram is testdata/trace.c, which includes trace/trefoil_trace.h.
func cProgram(t *testing.T, language string) string {
	t.Helper()
	return compiledC(t, language, filepath.Join("testdata", "trace.c"))
}

// compiledC compiles a program that includes a header of trace, and returns its path. Without a compiler
// the test is skipped. CC and CXX name other compilers than cc and c++.
func compiledC(t *testing.T, language, source string) string {
	t.Helper()
	compiler, standard := cmp.Or(os.Getenv("CC"), "cc"), "-std=c99"
	if language == "c++" {
		compiler, standard = cmp.Or(os.Getenv("CXX"), "c++"), "-std=c++11"
	}
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("%s is not tested: no %s compiler: %v", source, strings.ToUpper(language), err)
	}
	program := filepath.Join(t.TempDir(), "program.exe")
	out, err := exec.Command(compiler, "-x", language, standard, "-O2", "-Wall", "-Wextra", "-pedantic",
		"-Wconversion", "-Wshadow", "-Werror", "-pthread",
		"-I", filepath.Join("..", "trace"), "-o", program, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", compiler, err, out)
	}
	return program
}

// cRecords are the records of a thread in a search of testdata/trace.c.
func cRecords(thread, search uint64, nodes int) (list []Record) {
	field := func(r uint64, from, count int) int { return int(r >> from & (1<<count - 1)) }
	for i := range nodes {
		key := thread<<56 | search<<48 | uint64(i)
		r := mix(key)
		alpha, depth, hit := field(r, 0, 17)-65536, field(r, 17, 9)-100, field(r, 26, 1) != 0
		list = append(list, ProbeRecord(key, depth, alpha, alpha+field(r, 27, 8), field(r, 35, 1) != 0, hit,
			hit && field(r, 36, 1) != 0))
		r = mix(r)
		list = append(list, StoreRecord(key, cluster.Entry{
			Move: uint16(field(r, 45, 16)), Value: int16(clamp16(field(r, 11, 17) - 65536)), Eval: int16(clamp16(field(r, 28, 17) - 65536)),
			Quality: cluster.Quality{Depth: uint8(max(0, min(field(r, 0, 9)-100, 255))), Bound: cluster.Bound(field(r, 9, 2)), PV: field(r, 61, 1) != 0},
		}))
	}
	return list
}

// A trace of trefoil_trace.h has the bytes that a TraceWriter writes of the same records. It has the
// records of each thread in order, between the records of its search.
func TestTraceOfC(t *testing.T) {
	head := TraceHeader{Game: "none", MiB: 3, Note: `a "note" \ ä`}
	for _, language := range []string{"c", "c++"} {
		t.Run(language, func(t *testing.T) {
			program := cProgram(t, language)
			for _, size := range [][2]int{{1, 0}, {1, 1}, {1, 10_000}, {1, perBlock / 2}, {2, 5},
				{4, 10_000}, {16, 1000}} {
				threads, nodes := size[0], size[1]
				path := filepath.Join(t.TempDir(), "c.trace")
				if out, err := exec.Command(program, path, fmt.Sprint(threads),
					fmt.Sprint(nodes)).CombinedOutput(); err != nil {
					t.Fatalf("%d threads: %v: %s", threads, err, out)
				}
				_, all, err := readAll(path)
				if err != nil {
					t.Fatal(err)
				}
				sameBytes(t, path, head, all)
				var want []Record
				for search := range uint64(2) {
					want = append(want, Record{search, uint64(KindSearch)})
					for thread := range uint64(threads) {
						want = append(want, cRecords(thread, search, nodes)...)
					}
					if search == 0 {
						want = append(want, Record{0, uint64(KindClear)})
					}
				}
				if !slices.Equal(byThread(all), want) {
					t.Errorf("%d threads, %d nodes: other records", threads, nodes)
				}
			}
		})
	}
}

// Opening and writing report what went wrong.
func TestTraceOfCErrors(t *testing.T) {
	program, dir := cProgram(t, "c"), t.TempDir()
	for _, c := range []struct{ path, threads, nodes, says string }{
		{filepath.Join(dir, "no", "t.trace"), "1", "1", "No such file or directory"},
		{filepath.Join(dir, "t.trace"), "0", "1", "Invalid argument"},
		{"/dev/full", "1", "1", "the trace could not be written"}, // at the end
		{"/dev/full", "2", "10000", "the trace could not be written"},
	} {
		if _, err := os.Stat(c.path); c.path == "/dev/full" && err != nil {
			continue
		}
		out, err := exec.Command(program, c.path, c.threads, c.nodes).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.says) {
			t.Errorf("%s, %s threads: %v: %s, want %q", c.path, c.threads, err, out, c.says)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "t.trace")); err == nil {
		t.Error("a file was made for arguments that are out of range")
	}
}

// The header accepts a text if and only if TraceHeader does, up to its limit of 1000 bytes, and a probe
// if and only if a reader does.
func TestTraceOfCRefuses(t *testing.T) {
	program, dir := cProgram(t, "c"), t.TempDir()
	path := filepath.Join(dir, "t.trace")
	run := func(note, alpha, beta, hit, cutoff string) (string, error) {
		out, err := exec.Command(program, path, "1", "1", note, alpha, beta, hit, cutoff).CombinedOutput()
		return string(out), err
	}
	for _, r := range []rune{'\x01', '\n', '\x1F', ' ', '~', '\x7F', '\u0080', '\u009B', '\u009F', '\u00A0',
		'ÿ', 'ƀ', '語', '🙂'} {
		note := "a" + string(r)
		_, err := run(note, "0", "1", "0", "0")
		if refused := (TraceHeader{MiB: 1, Note: note}).check() != nil; refused != (err != nil) {
			t.Errorf("note %q: %v, TraceHeader refuses it: %v", note, err, refused)
		}
	}
	for length, ok := range map[int]bool{0: true, 1000: true, 1001: false} {
		if _, err := run(strings.Repeat("a", length), "0", "1", "0", "0"); (err == nil) != ok {
			t.Errorf("a note of %d bytes: %v", length, err)
		}
	}
	for _, c := range []struct{ alpha, beta, hit, cutoff, says string }{
		{"5", "5", "1", "1", ""},
		{"0", "1", "0", "1", "a probe has a cutoff and no hit"},
		{"2", "1", "0", "0", "alpha of a probe is above beta"},
	} {
		out, err := run("note", c.alpha, c.beta, c.hit, c.cutoff)
		if (err != nil) != (c.says != "") || !strings.Contains(out, c.says) {
			t.Errorf("%+v: %v: %s", c, err, out)
		}
		if _, _, err := readAll(path); (err != nil) != (c.says != "") {
			t.Errorf("%+v: the reader says %v", c, err)
		}
	}
}

// byThread sorts the records between two that are of no thread by thread, without changing the
// order within a thread.
func byThread(list []Record) []Record {
	list = slices.Clone(list)
	for rest := list; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(r Record) bool { return r.Kind() < KindProbe })
		if n < 0 {
			n = len(rest)
		}
		slices.SortStableFunc(rest[:n], func(a, b Record) int { return cmp.Compare(a.Key>>56, b.Key>>56) })
		rest = rest[min(n+1, len(rest)):]
	}
	return list
}

// sameBytes fails unless a TraceWriter writes a file with the bytes of the one at path.
func sameBytes(t *testing.T, path string, head TraceHeader, list []Record) {
	t.Helper()
	ours := path + ".go"
	writeAll(t, ours, head, list)
	if a, b := filetest.Read(t, path), filetest.Read(t, ours); !bytes.Equal(a, b) {
		t.Errorf("%d bytes, and %d other ones of a TraceWriter", len(a), len(b))
	}
}
