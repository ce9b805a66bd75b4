package engine

import (
	"os"
	"path/filepath"
	"testing"

	"trefoil/game/shogi/halfkp/halfkptest"
	shoginnue "trefoil/game/shogi/nnue"
)

// evalFolder writes a random evaluation file of YaneuraOu to a folder.
func evalFolder(t *testing.T, seed uint64) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "nn.bin"), halfkptest.File(seed, halfkptest.Usual),
		0o666); err != nil {
		t.Fatal(err)
	}
	return folder
}

// EvalDir and FV_SCALE change the search, in any order of the options. EvalFile counts while EvalDir is empty.
func TestEvalDir(t *testing.T) {
	e := started(t)
	set(t, e, "UCI_Variant", "shogi")
	set(t, e, "Hash", "2")
	hand := fresh(t, e, "shogi")
	set(t, e, "FV_SCALE", "24")
	if got := fresh(t, e, "shogi"); got != hand {
		t.Errorf("FV_SCALE without EvalDir: %q, want %q", got, hand)
	}
	folder, net := evalFolder(t, 1), netFile(t, shoginnue.Shape, 1)
	set(t, e, "EvalDir", folder)
	at24 := fresh(t, e, "shogi")
	set(t, e, "FV_SCALE", "16")
	at16 := fresh(t, e, "shogi")
	if at24 == hand || at16 == hand || at24 == at16 {
		t.Errorf("equal among %q, %q, %q", hand, at24, at16)
	}
	set(t, e, "Shogi EvalFile", net)
	if got := fresh(t, e, "shogi"); got != at16 {
		t.Errorf("EvalFile while EvalDir is set: %q, want %q", got, at16)
	}
	set(t, e, "EvalDir", "")
	byNet := fresh(t, e, "shogi")
	if byNet == hand || byNet == at16 {
		t.Errorf("EvalFile has no effect: %q", byNet)
	}
	set(t, e, "FV_SCALE", "24")
	set(t, e, "EvalDir", folder)
	set(t, e, "Shogi EvalFile", "none")
	if got := fresh(t, e, "shogi"); got != at24 {
		t.Errorf("set once more: %q, want %q", got, at24)
	}

	missing := filepath.Join(t.TempDir(), "eval")
	refusedValue(t, e, "EvalDir", missing, "there is no "+filepath.Join(missing, "nn.bin"), "it stays "+folder)
	refusedValue(t, e, "FV_SCALE", "0", "outside 1 to 128", "it stays 24")
	if got := fresh(t, e, "shogi"); got != at24 {
		t.Errorf("after refusals %q, want %q", got, at24)
	}
}

// A change of the evaluation by EvalDir or FV_SCALE empties the table, and nothing else does.
func TestEvalDirEmptiesTheTable(t *testing.T) {
	e := started(t)
	set(t, e, "UCI_Variant", "shogi")
	set(t, e, "Hash", "2")
	set(t, e, "NeverClearHash", "true")
	folder, again, other := evalFolder(t, 1), evalFolder(t, 1), evalFolder(t, 2)
	for _, change := range []struct {
		option, value string
		changes       bool
	}{
		{"FV_SCALE", "24", false},
		{"EvalDir", folder, true},
		{"EvalDir", again, false},
		{"FV_SCALE", "24", false},
		{"FV_SCALE", "16", true},
		{"Shogi EvalFile", "none", false},
		{"EvalDir", other, true},
		{"EvalDir", "", true},
		{"FV_SCALE", "24", false},
	} {
		if empty := emptied(t, e, change.option, change.value, "9g9f"); empty != change.changes {
			t.Errorf("%s %q: empty %v, changed %v", change.option, filepath.Base(change.value), empty, change.changes)
		}
	}
}

// The fingerprint of a saved hash covers the file and FV_SCALE.
func TestEvalDirAndSavedHash(t *testing.T) {
	e := started(t)
	set(t, e, "UCI_Variant", "shogi")
	set(t, e, "Hash", "2")
	set(t, e, "Hash File", filepath.Join(t.TempDir(), "hash"))
	set(t, e, "EvalDir", evalFolder(t, 1))
	nodes(e, 1000)
	set(t, e, "Save Hash", "")
	set(t, e, "Load Hash", "")
	set(t, e, "FV_SCALE", "17")
	refused(t, e, "Load Hash", "evaluation is ")
	set(t, e, "FV_SCALE", "16")
	set(t, e, "Load Hash", "")
}
