package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game/shogi/halfkp/halfkptest"
	shoginnue "trefoil/game/shogi/nnue"
	"trefoil/internal/filetest"
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

// eval_options.txt in the folder has precedence over FV_SCALE; a wrong value there is refused.
func TestEvalOptions(t *testing.T) {
	e := started(t)
	set(t, e, "UCI_Variant", "shogi")
	set(t, e, "Hash", "2")
	folder := t.TempDir()
	write := func(name string, data []byte) {
		t.Helper()
		filetest.Write(t, filepath.Join(folder, name), data)
	}
	write("nn.bin", halfkptest.KP.File(1, halfkptest.Usual))
	set(t, e, "EvalDir", folder)
	at16 := fresh(t, e, "shogi")
	set(t, e, "FV_SCALE", "24")
	at24 := fresh(t, e, "shogi")
	if at16 == at24 {
		t.Fatalf("FV_SCALE has no effect: %q", at16)
	}
	for _, c := range []struct{ text, want string }{
		{"", at24},
		{"Threads 2\r\n", at24},
		{"FV_SCALE 16\n", at16},
		{"\ufeffThreads=2\r\n\r\nfv_scale = 16\r\nBookFile\r\n", at16},
		{"option name FV_SCALE type spin default 16 min 1 max 128", at16},
		{"FV_SCALE=99\nFV_SCALE=24", at24},
	} {
		write("eval_options.txt", []byte(c.text))
		set(t, e, "EvalDir", "")
		set(t, e, "FV_SCALE", "24")
		set(t, e, "EvalDir", folder)
		if got := fresh(t, e, "shogi"); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
		if c.want == at16 {
			set(t, e, "FV_SCALE", "30")
			if got := fresh(t, e, "shogi"); got != c.want {
				t.Errorf("%q, then FV_SCALE 30: %q, want %q", c.text, got, c.want)
			}
		}
	}
	set(t, e, "EvalDir", "")
	for text, want := range map[string]string{
		"FV_SCALE 0": `FV_SCALE "0", expected 1 to 128`, "FV_SCALE=129": `FV_SCALE "129"`, "FV_SCALE": `FV_SCALE ""`,
		"option name FV_SCALE type spin": `FV_SCALE ""`, "FV_SCALE 2x": `FV_SCALE "2x"`,
		strings.Repeat(" ", 1<<17): "131072 bytes, more than 65536",
	} {
		write("eval_options.txt", []byte(text))
		refusedValue(t, e, "EvalDir", folder, filepath.Join(folder, "eval_options.txt")+": "+want, "it stays <empty>")
	}
}
