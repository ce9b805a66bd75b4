package bench_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/engine/bench"
	"trefoil/engine/chess"
	"trefoil/internal/filetest"
)

// TestReadSetups: empty lines, comments, line ends and a byte order mark are no part of positions.
func TestReadSetups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "positions")
	for _, c := range []struct {
		text string
		want []string
	}{
		{"one\n\n # a comment\ntwo", []string{"one", "two"}},
		{"\ufeffone\r\n two \r\n", []string{"one", "two"}},
		{"\ufeff# a comment\none\n", []string{"one"}},
		{"\ufeff", nil},
	} {
		filetest.Write(t, path, c.text)
		got, err := bench.ReadSetups(t.Context(), path, nil)
		if !slices.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%q: %q, %v; expected %q", c.text, got, err, c.want)
		}
	}
	filetest.Write(t, path, "one\n\n"+strings.Repeat("x", 1<<17))
	if _, err := bench.ReadSetups(t.Context(), path, nil); err == nil ||
		err.Error() != path+": line 3: a line of 64 KiB or more" {
		t.Errorf("a long line: %v", err)
	}
}

// TestNewSuite: without positions a suite has the positions of the bench; the error names a position that
// cannot be read.
func TestNewSuite(t *testing.T) {
	g := chess.Game()
	suite, err := bench.NewSuite(g, nil)
	if err != nil || suite.Game != "chess" || !slices.Equal(suite.Setups, g.AlphaBeta.Setups) || suite.NewRoot == nil {
		t.Errorf("%+v, %v", suite, err)
	}
	const start = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
	if suite, err = bench.NewSuite(g, []string{start}); err != nil || !slices.Equal(suite.Setups, []string{start}) ||
		suite.KeySeed != g.AlphaBeta.Seed {
		t.Errorf("%+v, %v", suite, err)
	}
	_, err = bench.NewSuite(g, []string{start, "8/8 w"})
	if err == nil || !strings.HasPrefix(err.Error(), "position 2: ") {
		t.Error(err)
	}
}
