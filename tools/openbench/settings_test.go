package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

// TestTrefoil reads the settings of this engine.
func TestTrefoil(t *testing.T) {
	if _, err := readSettings(filepath.Join("..", "..", filepath.FromSlash(defaultSettings))); err != nil {
		t.Error(err)
	}
}

// checkout is the folder of OpenBench's sources. Tests that run them are skipped without it.
func checkout(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TREFOIL_OPENBENCH")
	if dir == "" {
		t.Skip("TREFOIL_OPENBENCH names no checkout of OpenBench")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// loadEngine reads a file of settings with OpenBench's own function, and prints them. The function ends the
// process, with status 0, if it finds errors.
const loadEngine = `
import json, sys
sys.path.insert(0, sys.argv[1])
from OpenBench import config
config.PROJECT_PATH = sys.argv[2]
print(json.dumps(config.load_engine_config("Trefoil")))
`

// TestOwnCode compares how this program and OpenBench read settings: the presets of this engine are the same, and what
// OpenBench refuses is refused here too.
func TestOwnCode(t *testing.T) {
	dir := checkout(t)
	load := func(text []byte) (conf map[string]json.RawMessage, output string) {
		project := t.TempDir()
		if err := os.Mkdir(filepath.Join(project, "Engines"), 0o755); err != nil {
			t.Fatal(err)
		}
		filetest.Write(t, filepath.Join(project, "Engines", "Trefoil.json"), text)
		cmd := exec.Command("python3", "-B", "-c", loadEngine, dir, project)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		json.Unmarshal(out, &conf)
		return conf, string(out)
	}
	text := filetest.Read(t, filepath.Join("..", "..", filepath.FromSlash(defaultSettings)))
	s, err := parseSettings(text)
	if err != nil {
		t.Fatal(err)
	}
	conf, out := load(text)
	if conf == nil {
		t.Fatalf("OpenBench refuses the settings: %s", out)
	}
	for kind, presets := range s.presets {
		var theirs map[string]map[string]any
		if err := json.Unmarshal(conf[kind], &theirs); err != nil {
			t.Fatal(err)
		}
		for name, p := range presets {
			for key := range theirs[name] {
				if p[key] == "" {
					t.Errorf("%s: %s has %s only in OpenBench", kind, name, key)
				}
			}
			if len(theirs[name]) != len(p) {
				t.Errorf("%s: %s has %d keys in OpenBench, %d here", kind, name, len(theirs[name]), len(p))
			}
		}
	}
	refused := 0
	for _, c := range mistakes {
		wrong := strings.Replace(good, c.old, c.new, 1)
		if conf, _ := load([]byte(wrong)); conf == nil {
			refused++
		} else if !c.loads {
			t.Errorf("OpenBench reads %q", c.new)
		}
	}
	if refused == 0 {
		t.Error("OpenBench refuses nothing")
	}
}

// good are settings without mistakes.
const good = `{
  "private": false,
  "nps": 1000000,
  "source": "https://github.com/OWNER/trefoil",
  "build": {"path": "", "compilers": ["go>=1.26"], "cpuflags": [], "systems": ["Linux"]},
  "test_presets": {
    "default": {
      "base_branch": "main", "book_name": "a.epd", "test_bounds": "[0.00, 5.00]", "test_confidence": "[0.05, 0.05]",
      "win_adj": "movecount=3 score=400", "draw_adj": "None", "workload_size": 32
    },
    "STC": {"both_options": "Threads=1 Hash=16", "both_time_control": "10.0+0.10"}
  }
}`

// mistakes are changes of good, with what is said of them. Some are of a kind that OpenBench reads without a word.
var mistakes = []struct {
	old, new, message string
	loads             bool
}{
	{`"private": false`, `"private": 0`, "private: must be true or false", false},
	{`"nps": 1000000`, `"nps": 1e6`, "nps: 1e6 is not a whole number above 0", false},
	{`"nps": 1000000`, `"nps": 0`, "nps: 0 is not a whole number above 0", false},
	{`"nps": 1000000`, `"nps": "1"`, "nps: must be a number", false},
	{`https://github.com/OWNER/trefoil`, `https://example.org/trefoil`, `source: "https://example.org/trefoil" is not of the form https://github.com/OWNER/NAME`, true},
	{`"path": "", `, ``, "build.path: must be a string", false},
	{`["go>=1.26"]`, `["go>=new"]`, `build.compilers: "go>=new": the version must be numbers with points between`, true},
	{`["Linux"]`, `["linux"]`, `build.systems: "linux" is not Linux, Windows or Darwin`, true},
	{`"cpuflags": []`, `"cpuflags": [1]`, "build.cpuflags[0]: must be a string", false},
	{`"cpuflags": []`, `"cpuflags": [], "flags": []`, "build.flags: unknown key", true},
	{`"test_presets"`, `"test_preset"`, "test_preset: unknown key", true},
	{`"default": {`, `"Default": {`, `test_presets: has no preset "default"`, true},
	{`"base_branch"`, `"base_brunch"`, "test_presets.default.base_brunch: unknown key", false},
	{`"base_branch": "main", `, ``, "test_presets.STC: neither it nor the default has base_branch", true},
	{`"[0.00, 5.00]"`, `"[5.00, 0.00]"`, `test_presets.default.test_bounds: "[5.00, 0.00]": the first bound is not below the second`, true},
	{`"[0.00, 5.00]"`, `"[-400, 0]"`, `test_presets.default.test_bounds: "[-400, 0]": the server cannot compute with a bound beyond 230`, true},
	{`"[0.00, 5.00]"`, `"0 5"`, `test_presets.default.test_bounds: "0 5" is not of the form [0.00, 5.00]`, true},
	{`"[0.05, 0.05]"`, `"[0.05, 1]"`, `test_presets.default.test_confidence: "[0.05, 1]": the probabilities are not between 0 and 1`, true},
	{`movecount=3 score=400`, `movecount=3`, `test_presets.default.win_adj: "movecount=3" is not movecount=N score=CENTIPAWNS, or None`, true},
	{`"workload_size": 32`, `"workload_size": 0`, `test_presets.default.workload_size: "0" is not a whole number above 0`, true},
	{`"workload_size": 32`, `"workload_size": true`, "test_presets.default.workload_size: must be a string or a number", true},
	{`Threads=1 Hash=16`, `Hash=16`, `test_presets.STC.both_options: "Hash=16" does not set Threads`, true},
	{`Threads=1 Hash=16`, `Threads=1 Hash=16 HashIndx=auto`, "test_presets.STC.both_options: the engine lists no option HashIndx", true},
	{`Threads=1 Hash=16`, `Threads=1 Hash=0`, "test_presets.STC.both_options: ", true},
	{`10.0+0.10`, `nodes=5000`, `test_presets.STC.both_time_control: "nodes=5000" is not N=NODES`, true},
	{`"STC": {`, `"S T C": {"x": "",`, `test_presets["S T C"].x: unknown key`, false},
	{"\n}", "\n", "line 13: unexpected EOF", false},
	{"\n}", "\n}\n}", "line 14: there is something behind the last bracket", false},
}

func TestMistakes(t *testing.T) {
	if _, err := parseSettings([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range mistakes {
		if !strings.Contains(good, c.old) {
			t.Fatalf("%q is not in the settings", c.old)
		}
		_, err := parseSettings([]byte(strings.Replace(good, c.old, c.new, 1)))
		if err == nil {
			t.Errorf("%q instead of %q: no error", c.new, c.old)
		} else if !slices.ContainsFunc(strings.Split(err.Error(), "\n"),
			func(line string) bool { return strings.HasPrefix(line, c.message) }) {
			t.Errorf("%q instead of %q: %v, not %q", c.new, c.old, err, c.message)
		}
	}
}

func FuzzSettings(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(`{"build": [], "test_presets": {"default": 1}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if strings.Contains(string(text), "_options") {
			t.Skip() // an option may name a file
		}
		parseSettings(text)
	})
}

// TestForm compares forms of presets with what the page of the server fills in.
func TestForm(t *testing.T) {
	s, err := parseSettings([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	form, err := s.form("STC", preset{"dev_branch": "next", "base_options": "Threads=2 Hash=8"})
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{
		"dev_branch": "next", "base_branch": "main", "dev_options": "Threads=1 Hash=16", "base_options": "Threads=2 Hash=8",
		"dev_time_control": "10.0+0.10", "base_time_control": "10.0+0.10", "test_mode": "SPRT", "workload_size": "32",
		"scale_nps": "1000000", "draw_adj": "None",
	} {
		if form[field] != want {
			t.Errorf("%s is %q, not %q", field, form[field], want)
		}
	}
	if form, err = s.form("STC", preset{"test_max_games": "40"}); err != nil || form["test_mode"] != "GAMES" {
		t.Errorf("with test_max_games the mode is %q, %v", form["test_mode"], err)
	}
	if _, err := s.form("default", nil); err == nil {
		t.Error("a form of the preset default")
	}
}
