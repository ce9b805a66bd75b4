package ttanalysis

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/internal/filetest"
)

// example compiles a program of trace/example and returns its path. Without the compilers the test is skipped.
func example(t *testing.T, language string) string {
	t.Helper()
	if language == "rust" {
		return rustExample(t)
	}
	return compiledC(t, language, filepath.Join("..", "trace", "example", "table.c"))
}

// rustExample is the example in Rust, linked with the shim in C.
func rustExample(t *testing.T) string {
	t.Helper()
	compiler := cmp.Or(os.Getenv("CC"), "cc")
	for _, name := range []string{compiler, "rustc"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("trace/example/table.rs is not tested: %v", err)
		}
	}
	dir, temp := filepath.Join("..", "trace", "example"), t.TempDir()
	shim, program := filepath.Join(temp, "shim.o"), filepath.Join(temp, "table.exe")
	for _, args := range [][]string{
		{compiler, "-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-I", filepath.Join("..", "trace"), "-c",
			filepath.Join(dir, "shim.c"), "-o", shim},
		{"rustc", "-O", "--edition", "2021", "-C", "linker=" + compiler, "-C", "link-arg=" + shim,
			"-o", program, filepath.Join(dir, "table.rs")},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", args[0], err, out)
		}
	}
	return program
}

// tableRows runs a program of trefoil_replay.h, and returns what it should print: the counts of a design.
func tableRows(t *testing.T, program, path, design string) (got, want string) {
	t.Helper()
	const sizes = "0.01574,0.046875" // the first is no even number of clusters
	out, err := exec.Command(program, path, sizes).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := compared(t, design, sizes)
	if err := c.Replay(context.Background(), opened(t, path), 1<<30, nil); err != nil {
		t.Fatal(err)
	}
	want = "design\tMiB\tprobes\tstores\thits\tcutoffs\tfalse hits\tfalse cutoffs\tmismatches\tkind\n"
	for i, r := range c.Runs[0] {
		if r.Cutoffs == c.Plain[0][i].Cutoffs || r.FalseHits == 0 || r.FalseCutoffs == 0 {
			t.Errorf("%+v: no store was repeated, or there are no false hits", r.ReplayCounts)
		}
		want += fmt.Sprintf("table\t%g\t%d\t%d\t%d\t%d\t%d\t%d\t%d\tdesign\n", c.MiB[i], r.Probes, r.Stores, r.Hits,
			r.Cutoffs, r.FalseHits, r.FalseCutoffs, r.Mismatches)
	}
	return string(out), want
}

// A table in C, C++ or Rust has the counts of the design that it is, on a trace of this program and on one of another.
// The program in Rust also writes the trace that testdata/trace.c writes with one thread.
func TestTableOfC(t *testing.T) {
	const design = "berserk+age=8+victim=store+generations=64"
	dir := t.TempDir()
	first := filepath.Join(dir, "first.trace")
	recordForPresets(t, first, true)
	head, records, err := readAll(first)
	if err != nil {
		t.Fatal(err)
	}
	large := tableOf(t, DefaultDesign(), 1<<20)
	for i, r := range records { // hits and cutoffs of a large table, and keys that share check bits
		if k := r.Kind(); k >= KindProbe && mix(r.Key)%64 == 0 {
			records[i].Key = traceKey(randomKey(r.Key)&^0xFFFF | 77)
		}
		r = records[i]
		switch r.Kind() {
		case KindClear:
			large.Clear()
		case KindSearch:
			large.NewSearch()
		case KindStore:
			large.Store(r)
		case KindProbe:
			if found, hit := large.Probe(r); hit {
				records[i].Word |= 1<<hitShift | bit(AllowsCutoff(r, found))<<cutShift
			}
		}
	}
	ours, other := filepath.Join(dir, "ours.trace"), filepath.Join(dir, "other.trace")
	writeAll(t, ours, head, records)
	for i, r := range records {
		if r.Kind() >= KindProbe {
			records[i].Key = randomKey(r.Key)
		}
	}
	head.Index, head.KeyBits = cluster.Auto, 0
	head.Note = `"key_bits":`
	writeAll(t, other, head, records)
	for _, language := range []string{"c", "c++", "rust"} {
		t.Run(language, func(t *testing.T) {
			program := example(t, language)
			if got, want := tableRows(t, program, ours, design); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
			if got, want := tableRows(t, program, other, design+"+side=key"); got != want {
				t.Errorf("keys of another program:\n%s\nwant\n%s", got, want)
			}
			if language == "rust" {
				rustRecords(t, program)
			}
		})
	}
}

// rustRecords compares the trace that the example in Rust writes.
func rustRecords(t *testing.T, program string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rust.trace")
	if out, err := exec.Command(program, "record", path, "5000").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := []Record{{0, uint64(KindSearch)}}
	want = append(append(want, cRecords(0, 0, 5000)...), Record{0, uint64(KindClear)}, Record{1, uint64(KindSearch)})
	sameBytes(t, path, TraceHeader{Game: "none", MiB: 3, Note: `a "note" \ ä`}, append(want, cRecords(0, 1, 5000)...))
}

// trefoil_replay.h says what is wrong with its arguments and with a trace.
func TestTableOfCErrors(t *testing.T) {
	program, dir := example(t, "c"), t.TempDir()
	good := filepath.Join(dir, "good.trace")
	recordForPresets(t, good, false)
	data := filetest.Read(t, good)
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		filetest.Write(t, path, data)
		return path
	}
	changed := func(at int) []byte {
		data := bytes.Clone(data)
		data[at] ^= 0x40
		return data
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "usage: "},
		{[]string{good, "1", "2"}, "usage: "},
		{[]string{good, "1,"}, `size "" is not a number of MiB`},
		{[]string{good, "1;2"}, `size "1;2" is not a number of MiB`},
		{[]string{good, "nan"}, `size "nan" is not a number of MiB`},
		{[]string{good, "1,0"}, `size "0" is not a number of MiB`},
		{[]string{"--results", good, "1,2"}, `size "1,2" is not a number of MiB`},
		{[]string{filepath.Join(dir, "none"), "1"}, "none, 1 MiB: No such file"},
		{[]string{file("text", []byte(strings.Repeat("text", 10))), "1"}, "not a trace"},
		{[]string{file("version", changed(16)), "1"}, "a trace of another version"},
		{[]string{file("header", changed(30)), "1"}, "damaged"},
		{[]string{file("block", changed(len(data)/2)), "1"}, "damaged"},
		{[]string{file("end", changed(len(data)-100)), "1"}, "damaged"},
		{[]string{file("short", data[:len(data)-1]), "1"}, "incomplete"},
		{[]string{file("shorter", data[:len(data)/2]), "1"}, "incomplete"},
	} {
		out, err := exec.Command(program, c.args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.says) {
			t.Errorf("%q: %v: %s, want %s", c.args, err, out, c.says)
		}
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		return // another system
	}
	defer func() { _ = full.Close() }()
	for _, args := range [][]string{{good, "1"}, {"--results", good, "1"}} {
		var said bytes.Buffer
		cmd := exec.Command(program, args...)
		cmd.Stdout, cmd.Stderr = full, &said
		if err := cmd.Run(); err == nil || !strings.Contains(said.String(), "the results could not be written") {
			t.Errorf("%q: %v: %s", args, err, &said)
		}
	}
}
