package deploytest

import (
	"fmt"
	"testing"
)

// TestParallel runs the commands for GNU parallel. One shard is killed; parallel runs it again.
func TestParallel(t *testing.T) {
	needs(t, "bash", "parallel")
	w := newWorkspace(t)
	blocks := commands(t, "GNU parallel")
	s := w.start(t, blocks[0])
	shard := fmt.Sprintf("results/%d.jsonl", victim)
	record := firstRecord(t, w.path(shard))
	if !kill(t, shard) {
		t.Log("the shard was done before it was killed")
	}
	if err := s.wait(t); err != nil {
		t.Fatal(err)
	}
	w.checkMerged(t, "merged.jsonl", shard, record)
}
