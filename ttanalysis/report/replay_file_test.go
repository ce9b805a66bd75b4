package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// trefoil_replay.h prints the columns of SaveComparison.
func TestColumnsOfC(t *testing.T) {
	columns := `"design\tMiB\t`
	for _, c := range replayColumns {
		columns += c.name + `\t`
	}
	header, err := os.ReadFile(filepath.Join("..", "..", "trace", "trefoil_replay.h"))
	if err != nil || !strings.Contains(string(header), columns+`kind\n"`) {
		t.Errorf("%v; there are no columns %s", err, columns)
	}
}
