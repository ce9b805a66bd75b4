package ttanalysis

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

// TestTraceDocs holds the bits of a word in docs/formats.md: those that it says are used are those
// that a reader allows, for each kind.
func TestTraceDocs(t *testing.T) {
	_, table, found := strings.Cut(string(filetest.Read(t, filepath.Join("..", "docs", "formats.md"))),
		"| bits of the word | clear, search | probe | store |\n|---|---|---|---|\n")
	if !found {
		t.Fatal("docs/formats.md has no table of the bits of a word")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var used [kinds]uint64
	next := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		var first, last int
		switch bits := strings.TrimSpace(cells[0]); {
		case len(cells) != 4:
			t.Fatalf("docs/formats.md: %q has %d cells", line, len(cells))
		case strings.Contains(bits, ","):
			fmt.Sscanf(bits, "%d, %d", &first, &last)
		case strings.Contains(bits, "to"):
			fmt.Sscanf(bits, "%d to %d", &first, &last)
		default:
			fmt.Sscanf(bits, "%d", &first)
			last = first
		}
		if first != next || last < first {
			t.Fatalf("docs/formats.md: after bit %d stands %q", next-1, cells[0])
		}
		next = last + 1
		for kind, column := range map[Kind]int{KindClear: 1, KindSearch: 1, KindProbe: 2, KindStore: 3} {
			if strings.TrimSpace(cells[column]) != "0" {
				used[kind] |= 1<<next - 1<<first
			}
		}
	}
	if next != 64 || used != usedBits {
		t.Errorf("docs/formats.md: %d bits, used are %#x, want %#x", next, used, usedBits)
	}
}
