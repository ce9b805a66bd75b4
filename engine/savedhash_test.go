package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/options"
	"trefoil/search"
)

// kept is an engine of a game with a file for its table.
func kept(t *testing.T, game, path string) *Engine {
	t.Helper()
	e := started(t)
	set(t, e, "UCI_Variant", game)
	set(t, e, "Hash", "4")
	set(t, e, "Hash File", path)
	return e
}

// refused presses a button that has to say why nothing happens.
func refused(t *testing.T, e *Engine, name string, says ...string) {
	t.Helper()
	err := e.Options().Set(options.UCI, name, "")
	if err == nil {
		t.Fatalf("%s: nothing is wrong, want %q", name, says)
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%s: %v, want %q", name, err, s)
		}
	}
}

func deep(e *Engine, depth int) (r search.Result, last search.Info) {
	r = e.Search(context.Background(), search.Limits{Depth: depth}, func(i search.Info) {
		if i.Text == "" && i.CurrMove == "" {
			last = i
		}
	})
	return r, last
}

// A search after loading is that of an engine whose table was never cleared, and of fewer
// nodes than the one before saving.
func TestHashGoesThroughAFile(t *testing.T) {
	for game, moves := range map[string][]string{
		"chess": strings.Fields("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 e1g1 e8g8"),
		"shogi": strings.Fields("7g7f 3c3d 2g2f 4c4d 3i4h 8b4b 5i6h 5a6b 6h7h 6b7b 5g5f 7b8b"),
	} {
		path := filepath.Join(t.TempDir(), "hash")
		e := kept(t, game, path)
		if err := e.SetPosition("startpos", moves); err != nil {
			t.Fatal(err)
		}
		cold, _ := deep(e, 10)
		set(t, e, "Save Hash", "")
		if said := strings.Join(e.Notices(), "|"); !strings.Contains(said, "the hash is saved in "+path+": 4 MiB, ") {
			t.Errorf("%s: %q", game, said)
		}
		e.NewGame() // clears
		again, _ := deep(e, 10)
		if again.Nodes != cold.Nodes {
			t.Errorf("%s: %d nodes, then %d", game, cold.Nodes, again.Nodes)
		}

		set(t, e, "NeverClearHash", "true")
		e.NewGame()
		warm, last := deep(e, 10)

		e = kept(t, game, path)
		if err := e.SetPosition("startpos", moves); err != nil {
			t.Fatal(err)
		}
		set(t, e, "Load Hash", "")
		if said := strings.Join(e.Notices(), "|"); !strings.Contains(said, "the hash is loaded from "+path+": 4 MiB, ") {
			t.Errorf("%s: %q", game, said)
		}
		loaded, now := deep(e, 10)
		if loaded.Nodes != warm.Nodes || loaded.Best != warm.Best || now.Score != last.Score || now.Depth != last.Depth {
			t.Errorf("%s: %d nodes, loaded %d; %+v, then %+v", game, warm.Nodes, loaded.Nodes, last, now)
		}
		if warm.Nodes >= cold.Nodes {
			t.Errorf("%s: %d nodes, then %d", game, cold.Nodes, warm.Nodes)
		}
		set(t, e, "Clear Hash", "") // and what was loaded is forgotten
		e.NewGame()
		if again, _ := deep(e, 10); again.Nodes != cold.Nodes {
			t.Errorf("%s: %d nodes, after clearing %d", game, cold.Nodes, again.Nodes)
		}
	}
}

func TestWhatIsNotKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hash")
	e := started(t)
	refused(t, e, "Save Hash", "no file is named: set Hash File first")
	refused(t, e, "Load Hash", "no file is named")
	set(t, e, "Hash File", path)
	refused(t, e, "Save Hash", "no table yet")
	refused(t, e, "Load Hash", path, "no such file")
	set(t, e, "Hash File", filepath.Dir(path))
	refused(t, e, "Save Hash", filepath.Dir(path), "directory")
	refused(t, e, "Load Hash", filepath.Dir(path), "directory")

	set(t, e, "Hash File", path)
	set(t, e, "Hash", "3")
	set(t, e, "HashIndex", "mul64")
	set(t, e, "Save Hash", "")
	set(t, e, "Hash", "4")
	refused(t, e, "Load Hash", "size is 3 MiB with index mul64, want 4 MiB with index mul64: set Hash to 3 and HashIndex to mul64")
	set(t, e, "Hash", "3")
	set(t, e, "HashIndex", "auto")
	refused(t, e, "Load Hash", "set Hash to 3 and HashIndex to mul64")
	set(t, e, "HashIndex", "mul64")
	set(t, e, "HashKeyBits", "16")
	refused(t, e, "Load Hash", "count of key bits is 21, want 16: set HashKeyBits to 21")
	set(t, e, "HashKeyBits", "21")
	set(t, e, "UCI_Variant", "shogi")
	refused(t, e, "Load Hash", "game is chess, want shogi")
	for _, game := range []string{"connect4", "ultimate"} {
		set(t, e, "UCI_Variant", game)
		refused(t, e, "Load Hash", "the table of "+game+" cannot be saved")
		refused(t, e, "Save Hash", "the table of "+game+" cannot be saved")
	}
	set(t, e, "UCI_Variant", "chess")
	set(t, e, "Load Hash", "")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	refused(t, e, "Load Hash", path, "cut short")
}

func TestNeverClearHash(t *testing.T) {
	e := started(t)
	set(t, e, "NeverClearHash", "true")
	cold, _ := deep(e, 9)
	e.NewGame()
	if warm, _ := deep(e, 9); 2*warm.Nodes > cold.Nodes {
		t.Errorf("%d nodes, in the next game %d", cold.Nodes, warm.Nodes)
	}
	refused(t, e, "Clear Hash", "NeverClearHash is on: set it to false first")
	for _, game := range []string{"shogi", "connect4", "ultimate", "chess"} { // which gives the table back
		set(t, e, "UCI_Variant", game)
		e.NewGame()
	}
	if again, _ := deep(e, 9); again.Nodes != cold.Nodes {
		t.Errorf("%d nodes, after another game %d", cold.Nodes, again.Nodes)
	}
	set(t, e, "NeverClearHash", "false")
	set(t, e, "Clear Hash", "")
	e.NewGame()
	if again, _ := deep(e, 9); again.Nodes != cold.Nodes {
		t.Errorf("%d nodes, after clearing %d", cold.Nodes, again.Nodes)
	}
}
