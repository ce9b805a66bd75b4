package command

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/cli"
)

// TestBestColumn: of all columns' scores the best is the position's, also where the first
// column is full, every score is negative, or the game is over.
func TestBestColumn(t *testing.T) {
	for _, line := range []string{
		"2252576253462244111563365343671351441 -1", "41516 -18", "1122334 -18",
		"143771121216314355223556673536644445226777 0", "112233 18",
	} {
		var out, complaints strings.Builder
		status := Run([]string{"solve", "connect4", "--hash=1", "--analyze"},
			strings.NewReader(line), &out, &complaints)
		if status != 0 || complaints.Len() > 0 {
			t.Errorf("%s: %d %q %q", line, status, out.String(), complaints.String())
		}
	}
}

// full accepts left writes, then fails.
type full struct{ left int }

func (f *full) Write(b []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errors.New("the disk is full")
	}
	return len(b), nil
}

// TestFull: when the answers cannot be written, the run ends.
func TestFull(t *testing.T) {
	in := strings.NewReader(strings.Repeat("41516 -18\n", 10_000))
	var complaints strings.Builder
	status := Run([]string{"solve", "connect4", "--hash=1"}, in, &full{1}, &complaints)
	if status != cli.StatusFailed || complaints.String() != "trefoil: solve connect4: the disk is full\n" ||
		in.Len() == 0 {
		t.Errorf("%d %q, %d bytes of input are left", status, complaints.String(), in.Len())
	}
}

// TestOutputFails: output that could not be written is an error.
func TestOutputFails(t *testing.T) {
	for _, args := range []string{"--help", "--version", "help", "version", "perft 1", "hash plan 1",
		"hash errors", "completion bash", "complete h", "solve connect4"} {
		var errs strings.Builder
		if status := Run(strings.Fields(args), strings.NewReader(""), &full{}, &errs); status != cli.StatusFailed ||
			!strings.HasSuffix(errs.String(), ": the disk is full\n") {
			t.Errorf("%s: status %d, %q", args, status, errs.String())
		}
	}
}

// TestBook: solve takes the scores of a book's positions from it, and solves the others.
func TestBook(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book")
	err := book.Make(context.Background(), path, connect4.Standard, 2,
		book.Each(func(_ context.Context, p connect4.Position) (int, error) {
			return p.Ply() + 3, nil
		}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ flag, want string }{
		{"--book", "startpos 5 0 1\n4 -5 0 2\n41 5 0 3\n112233 18 "},
		{"--weak --book", "startpos 1 0 1\n4 -1 0 2\n41 1 0 3\n112233 1 "},
	} {
		var out, complaints strings.Builder
		args := append([]string{"solve", "connect4", "--hash=1"}, strings.Fields(c.flag)...)
		status := Run(append(args, path), strings.NewReader("startpos\n4 -5\n41\n112233 18\n"), &out, &complaints)
		got := regexp.MustCompile(`[0-9.]+ (\d+\n)`).ReplaceAllString(out.String(), "$1")
		if status != 0 || complaints.Len() > 0 || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %d %q %q", c.flag, status, out.String(), complaints.String())
		}
	}
}
