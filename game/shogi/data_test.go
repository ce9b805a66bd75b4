package shogi

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// dataLines returns the lines, but comments, of a file in the directory shogi of the
// one that TREFOIL_TESTDATA names.
func dataLines(t *testing.T, name string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(os.Getenv("TREFOIL_TESTDATA"), "shogi", name))
	if err != nil {
		t.Skipf("TREFOIL_TESTDATA names no directory with shogi/%s", name)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestPerftFile compares the counts of lines of "name ; sfen ; D1 n ; D2 n … ; # remark".
func TestPerftFile(t *testing.T) {
	for _, line := range dataLines(t, "perft.txt") {
		parts := strings.Split(line, ";")
		if len(parts) < 3 {
			t.Fatalf("no counts in %q", line)
		}
		c := count{sfen: strings.TrimSpace(parts[1])}
		for _, part := range parts[2:] {
			words := strings.Fields(part)
			if len(words) != 2 || words[0] != "D"+strconv.Itoa(len(c.counts)+1) {
				break
			}
			n, err := strconv.ParseUint(words[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			c.counts = append(c.counts, n)
		}
		t.Run(strings.TrimSpace(parts[0]), func(t *testing.T) { c.check(t, 3e5) })
	}
}

// TestOpenings: the moves of played openings are legal.
func TestOpenings(t *testing.T) {
	for _, line := range dataLines(t, "openings.txt") {
		p := parse(t, StartSFEN)
		_, moves, _ := strings.Cut(line, " moves ")
		play(t, p, moves)
		sound(t, p)
	}
}

// TestMates: solved lines of lines of "sfen | … | length | moves | …" are legal and
// mate, if they are not cut off, and first moves of "sfen | length | move" mate if 1.
func TestMates(t *testing.T) {
	check := func(sfen, moves string, length string) {
		p := parse(t, sfen)
		play(t, p, moves)
		if length == strconv.Itoa(len(strings.Fields(moves))) && !p.Mated() {
			t.Errorf("%s: %s does not mate", sfen, moves)
		}
	}
	for _, line := range dataLines(t, "tsume_public.txt") {
		f := strings.Split(line, " | ")
		check(f[0], f[3], f[2])
	}
	for _, line := range dataLines(t, "tsume_selfplay.txt") {
		f := strings.Split(line, " | ")
		check(f[0], f[2], f[1])
	}
}
