package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

func TestRun(t *testing.T) {
	folder := t.TempDir()
	var out strings.Builder
	if err := run(folder, []string{"KvKR"}, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "KRvK: ") {
		t.Errorf("printed %q", out.String())
	}
	for _, name := range []string{"KRvK.rtbw", "KRvK.rtbz"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	file := filepath.Join(folder, "KQvK.rtbw")
	filetest.Write(t, file, "something else")
	for _, bad := range []struct {
		folder string
		names  []string
		want   string
	}{
		{folder, []string{"KvK"}, "KvK has no table"},
		{folder, []string{"KRvK", "KXvK"}, `"KXvK"`},
		{filepath.Join(folder, "missing"), []string{"KRvK"}, "missing"},
		{file, []string{"KRvK"}, "not a folder"},
		{folder, []string{"KQvK"}, "not replaced"},
	} {
		out.Reset()
		err := run(bad.folder, bad.names, &out)
		if err == nil || !strings.Contains(err.Error(), bad.want) || out.Len() > 0 {
			t.Errorf("%v in %s: %v, printed %q, want an error with %q", bad.names, bad.folder, err,
				out.String(), bad.want)
		}
	}
}
