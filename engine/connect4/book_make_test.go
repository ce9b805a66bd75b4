package connect4

import (
	"io"
	"strings"
	"testing"
	"time"

	rules "trefoil/game/connect4"
	"trefoil/game/gametest"
	"trefoil/internal/cli"
	"trefoil/internal/filetest"
)

// TestBookProgress: the rate and the time left are of the positions that were solved since the start.
func TestBookProgress(t *testing.T) {
	p := BookProgress{Progress: cli.NewProgress(io.Discard, 0)}
	start := time.Now()
	for _, c := range []struct {
		done  int
		after time.Duration
		note  string
	}{
		{100, 0, ""},
		{110, 20 * time.Second, "0.5 positions/s, 29m40s left"},
		{500, 100 * time.Second, "4 positions/s, 2m5s left"},
		{1000, 1000 * time.Second, "0.9 positions/s, 0s left"},
	} {
		if p.solved(c.done, 1000, start.Add(c.after)); p.Note != c.note || p.Total != 1000 {
			t.Errorf("%d after %v: %q, want %q", c.done, c.after, p.Note, c.note)
		}
		if done, total, note := p.State(); done != c.done || total != 1000 || note != c.note {
			t.Errorf("%d of %d, %q", done, total, note)
		}
	}
}

// TestKnownScores: the scores of records, and what is wrong with them.
func TestKnownScores(t *testing.T) {
	record := func(input, score string) string {
		return `{"line":1,"input":"` + input + `","number":1,"command":"book connect4 --ply=2"` + score + "}\n"
	}
	const contradiction = `position "14" has the score -1, and -2 before`
	for _, c := range []struct{ records, err string }{
		{record("41", `,"score":-2`) + record("44", `,"lower":-2,"upper":2`) + record("47", `,"score":-2`), ""},
		{record("41 3", `,"score":42`) + record("14", `,"score":-42`), ""},
		{record("14", `,"score":-2`) + record("14", `,"score":-1`), contradiction},
		{record("74", `,"score":-2`) + record("14", `,"score":-1`), contradiction}, // the mirror image
		{record("14", `,"score":43`), "score 43"},
		{record("14", `,"score":-43`), "score -43"},
		{record("144", `,"score":1`), `position "144" has 3 stones, not 2`},
		{record("18", `,"score":1`), "not a column"},
		{strings.ReplaceAll(record("14", `,"score":1`), "ply=2", "ply=3"), "it belongs to the command"},
		{strings.ReplaceAll(record("14", `,"score":1`), "book connect4 --ply=2", "solve connect4"), ""},
	} {
		path := filetest.New(t, "records", c.records)
		flags := BookFlags{Ply: 2, Scores: []string{path}}
		known, err := flags.knownScores(t.Context(), &cli.Console{Command: "book connect4 --ply=2"}, rules.Standard)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want %s", c.records, err, c.err)
		}
		if _, ok := known[gametest.ConnectFour(t, "44").Key()]; ok || err == nil && len(known) == 0 {
			t.Errorf("%s: %v", c.records, known)
		}
	}
}
