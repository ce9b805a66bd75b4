package batch

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/cli"
	"trefoil/internal/disk/disktest"
	"trefoil/internal/filetest"
)

// TestFaultsOfResume: whatever fails, no record is lost that the file had or that was counted, and the same command
// completes the file.
func TestFaultsOfResume(t *testing.T) {
	_, _, whole := resumed(t, words, "", nil)
	lines := strings.SplitAfter(whole, "\n")
	for _, before := range []string{"", lines[0] + lines[1] + lines[2][:9]} { // a file that is not there, a torn line
		disktest.Each(t, func(t *testing.T, f *disktest.Fault) {
			path := filepath.Join(f.Dir, "file")
			if before != "" {
				filetest.Write(t, path, before)
			}
			run := func() (*shouting, error) {
				s := newShouting(words)
				s.Resume = path
				return s, s.File(t.Context(), "")
			}
			var s *shouting
			err := f.Do(t, path, func() (err error) {
				if s, err = run(); statusOf(err) == cli.StatusWrong {
					err = nil // as it is without a fault
				}
				return err
			})
			got, _ := os.ReadFile(path)
			if !strings.HasPrefix(whole, string(got)) || len(got) < len(lines[0]+lines[1]) && before != "" ||
				err == nil && !f.Killed() && string(got) != whole {
				t.Errorf("%q: %v", got, err)
			}
			if records := strings.Count(string(got), "\n"); records < s.added {
				t.Errorf("%d records of %d answers that were counted", records, s.added)
			}
			if s, err := run(); statusOf(err) != cli.StatusWrong || read(t, path) != whole {
				t.Errorf("continued: %v: %s%s", err, s.errs.String(), read(t, path))
			}
		})
	}
}

// TestFaultsOfMerge: a merge prints all records, or says what it cannot read or keep.
func TestFaultsOfMerge(t *testing.T) {
	_, _, whole := resumed(t, words, "", nil)
	lines := strings.SplitAfter(whole, "\n")
	disktest.Each(t, func(t *testing.T, f *disktest.Fault) {
		t.Setenv("TMPDIR", f.Dir)
		path := filepath.Join(f.Dir, "file")
		filetest.Write(t, path, lines[0]+lines[1])
		var out strings.Builder
		err := f.Do(t, f.Dir, func() error {
			std := &cli.Console{Out: &out, Err: io.Discard, In: strings.NewReader(strings.Join(lines[2:], ""))}
			return Merge(t.Context(), []string{path, "-"}, std,
				func(string) (*Summary, error) { return NewSummary(&shouting{}), nil })
		})
		if out.String() != whole && err == nil {
			t.Errorf("no error, and %q", out.String())
		}
		if got := read(t, path); got != lines[0]+lines[1] {
			t.Errorf("the file has %q", got)
		}
	})
}
