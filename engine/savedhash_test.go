package engine

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/filetest"
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
	refusedValue(t, e, name, "", says...)
}

// refusedValue sets an option to a value that has to be refused with these texts.
func refusedValue(t *testing.T, e *Engine, name, value string, says ...string) {
	t.Helper()
	err := e.Options().Set(context.Background(), options.UCI, name, value)
	if err == nil {
		t.Fatalf("%s: nothing is wrong, want %q", name, says)
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%s: %v, want %q", name, err, s)
		}
	}
}

// deep searches to a depth and returns the answer and the last report.
func deep(e *Engine, depth int) (r search.Result, last search.Info) {
	r = e.Search(context.Background(), search.Limits{Depth: depth}, func(i search.Info) {
		if i.Text == "" && i.CurrMove == "" {
			last = i
		}
	})
	return r, last
}

// middlegames are moves that lead to a middlegame of each game.
var middlegames = map[string][]string{
	"chess": strings.Fields("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 e1g1 e8g8"),
	"shogi": strings.Fields("7g7f 3c3d 2g2f 4c4d 3i4h 8b4b 5i6h 5a6b 6h7h 6b7b 5g5f 7b8b"),
}

// A search after loading is the search of an engine whose table was never cleared. It takes fewer nodes
// than the search before saving.
func TestHashGoesThroughAFile(t *testing.T) {
	for game, moves := range middlegames {
		path := filepath.Join(t.TempDir(), "hash")
		e := kept(t, game, path)
		setUp(t, e, "startpos", moves...)
		cold, _ := deep(e, 12)
		set(t, e, "Save Hash", "")
		if said := strings.Join(e.Notices(), "|"); !strings.Contains(said, "the hash is saved in "+path+": 4 MiB, ") {
			t.Errorf("%s: %q", game, said)
		}
		e.NewGame() // clears
		again, _ := deep(e, 12)
		if again.Nodes != cold.Nodes {
			t.Errorf("%s: %d nodes, then %d", game, cold.Nodes, again.Nodes)
		}

		set(t, e, "NeverClearHash", "true")
		e.NewGame()
		warm, last := deep(e, 12)

		e = kept(t, game, path)
		setUp(t, e, "startpos", moves...)
		set(t, e, "Load Hash", "")
		if said := strings.Join(e.Notices(), "|"); !strings.Contains(said,
			"the hash is loaded from "+path+": 4 MiB, ") {
			t.Errorf("%s: %q", game, said)
		}
		loaded, now := deep(e, 12)
		if loaded.Nodes != warm.Nodes || loaded.Best != warm.Best || now.Score != last.Score ||
			now.Depth != last.Depth {
			t.Errorf("%s: %d nodes, loaded %d; %+v, then %+v", game, warm.Nodes, loaded.Nodes, last, now)
		}
		if warm.Nodes >= cold.Nodes {
			t.Errorf("%s: %d nodes, then %d", game, cold.Nodes, warm.Nodes)
		}
		set(t, e, "Clear Hash", "") // and what was loaded is forgotten
		e.NewGame()
		if again, _ := deep(e, 12); again.Nodes != cold.Nodes {
			t.Errorf("%s: %d nodes, after clearing %d", game, cold.Nodes, again.Nodes)
		}
	}
}

// A save is complete also if its context has ended; a load then leaves the table as it is.
func TestStoppedHashFiles(t *testing.T) {
	e := kept(t, "chess", filepath.Join(t.TempDir(), "hash"))
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(stopped)
	deep(e, 5)
	if err := e.Options().Set(ctx, options.UCI, "Save Hash", ""); err != nil {
		t.Fatal(err)
	}
	e.NewGame() // clears in the background
	if err := e.Options().Set(ctx, options.UCI, "Load Hash", ""); !errors.Is(err, stopped) {
		t.Error(err)
	}
	set(t, e, "Load Hash", "")
	if said := strings.Join(e.Notices(), "|"); !strings.Contains(said, "the hash is loaded from ") {
		t.Errorf("%q", said)
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
	set(t, e, "HashIndex", "auto")
	refused(t, e, "Load Hash",
		"index mul64 does not store the key bits that index mul32 needs: set HashIndex to mul64 for it")
	set(t, e, "HashIndex", "pow2")
	set(t, e, "Save Hash", "")
	set(t, e, "Hash", "4")
	refused(t, e, "Load Hash", "index pow2 does not preserve the order of keys", "of the same size, 2 MiB")
	set(t, e, "HashIndex", "auto")
	set(t, e, "HashKeyBits", "16")
	set(t, e, "Save Hash", "")
	set(t, e, "HashKeyBits", "21")
	refused(t, e, "Load Hash", "16 key bits were compared, expected at least 21: set HashKeyBits to 16 for it")
	set(t, e, "Save Hash", "")
	set(t, e, "HashKeyBits", "16")
	set(t, e, "Load Hash", "")
	set(t, e, "HashKeyBits", "21")
	set(t, e, "UCI_Variant", "shogi")
	refused(t, e, "Load Hash", "game is chess, expected shogi")
	for game, title := range map[string]string{"connect4": "Connect Four", "ultimate": "Ultimate Tic-Tac-Toe"} {
		set(t, e, "UCI_Variant", game)
		refused(t, e, "Load Hash", "the table of "+title+" cannot be saved")
		refused(t, e, "Save Hash", "the table of "+title+" cannot be saved")
	}
	set(t, e, "UCI_Variant", "chess")
	set(t, e, "Load Hash", "")
	whole := filetest.Read(t, path)
	filetest.Write(t, path, whole[:len(whole)-1])
	refused(t, e, "Load Hash", path, "cut short")
}

func TestNeverClearHash(t *testing.T) {
	const depth = 12
	e := started(t)
	set(t, e, "NeverClearHash", "true")
	cold, _ := deep(e, depth)
	e.NewGame()
	if warm, _ := deep(e, depth); 2*warm.Nodes > cold.Nodes {
		t.Errorf("%d nodes, in the next game %d", cold.Nodes, warm.Nodes)
	}
	refused(t, e, "Clear Hash", "NeverClearHash is on: set it to false first")
	for _, game := range []string{"shogi", "connect4", "ultimate", "chess"} { // which gives the table back
		set(t, e, "UCI_Variant", game)
		e.NewGame()
	}
	if again, _ := deep(e, depth); again.Nodes != cold.Nodes {
		t.Errorf("%d nodes, after another game %d", cold.Nodes, again.Nodes)
	}
	set(t, e, "NeverClearHash", "false")
	set(t, e, "Clear Hash", "")
	e.NewGame()
	if again, _ := deep(e, depth); again.Nodes != cold.Nodes {
		t.Errorf("%d nodes, after clearing %d", cold.Nodes, again.Nodes)
	}
}

// keptDepths are the depths to which searches with a kept table are compared with those before. Only their sum
// counts: with some evaluations the search to one of the depths fails low, and then takes as long as the first one.
var keptDepths = []int{9, 10, 11, 12, 13}

// searched is an engine that has searched a middlegame to a depth with that Hash, and the nodes that took.
func searched(t *testing.T, game, hash string, depth int) (e *Engine, nodes int64) {
	t.Helper()
	e = started(t)
	set(t, e, "UCI_Variant", game)
	set(t, e, "NeverClearHash", "true")
	set(t, e, "Hash", hash)
	setUp(t, e, "startpos", middlegames[game]...)
	r, _ := deep(e, depth)
	return e, int64(r.Nodes)
}

// TestResizeKeepsEntries: after a change of Hash the same search takes a part of the nodes, in whatever
// steps the size changes; where entries cannot be kept, a notice says so.
func TestResizeKeepsEntries(t *testing.T) {
	for game := range middlegames {
		for _, sizes := range [][]string{{"3"}, {"6"}, {"16"}, {"1"}, {"64", "2", "300", "5"}} {
			var cold, warm int64
			for _, depth := range keptDepths {
				e, nodes := searched(t, game, "4", depth)
				for _, size := range sizes {
					set(t, e, "Hash", size)
				}
				var texts []string // the last notice comes before the search or during it
				again := e.Search(context.Background(), search.Limits{Depth: depth},
					func(i search.Info) { texts = append(texts, i.Text) })
				if said := strings.Join(append(texts, e.Notices()...), "|"); !strings.Contains(said, " entries") {
					t.Errorf("%s, Hash 4 to %v: %q", game, sizes, said)
				}
				cold, warm = cold+nodes, warm+int64(again.Nodes)
			}
			if warm*2 > cold {
				t.Errorf("%s, Hash 4 to %v: %d nodes, then %d", game, sizes, cold, warm)
			}
		}
	}
	const depth = 11
	e, cold := searched(t, "chess", "4", depth)
	set(t, e, "HashIndex", "mul32") // as before
	set(t, e, "HashKeyBits", "20")
	if warm, _ := deep(e, depth); int64(warm.Nodes)*2 > cold {
		t.Errorf("%d nodes, then %d", cold, warm.Nodes)
	}
	e.Notices()
	for _, change := range []struct{ name, value, says string }{
		{"HashKeyBits", "21", "the entries of the hash are not kept: 20 key bits were compared, expected at least 21"},
		{"HashIndex", "mul64", "the entries of the hash are not kept: index mul32 does not store the key bits that index mul64 needs"},
	} {
		set(t, e, change.name, change.value)
		if said := e.Notices(); len(said) == 0 || said[0] != change.says {
			t.Errorf("%q, want %q", said, change.says)
		}
		e.NewGame() // resets the histories, and keeps the table
		if again, _ := deep(e, depth); int64(again.Nodes) < cold*9/10 {
			t.Errorf("%s %s: %d nodes, then %d", change.name, change.value, cold, again.Nodes)
		}
	}
}

// TestResizeKeepsProofs: so does the table of proof search.
func TestResizeKeepsProofs(t *testing.T) {
	e := started(t)
	set(t, e, "UCI_Variant", "ultimate")
	set(t, e, "Hash", "4")
	setUp(t, e, "O;.O..XX...;X.XX.OO../OOX.O..XO/OXXOX..OO/OXXOX...X/XO.X.OX../.X..X.XX./.XOOO..OX/.XO..OOX./..O.OOX.X")
	cold, first := deep(e, 30)
	for _, size := range []string{"6", "100", "1"} {
		set(t, e, "Hash", size)
		if warm, last := deep(e, 30); warm.Nodes*4 > cold.Nodes || warm.Best != cold.Best || last.Score != first.Score {
			t.Errorf("Hash %s: %d nodes, then %d; %+v, then %+v", size, cold.Nodes, warm.Nodes, first, last)
		}
	}
}

// TestLoadOtherSize: a file serves a table of any size.
func TestLoadOtherSize(t *testing.T) {
	for game := range middlegames {
		cold, warm := int64(0), map[string]int64{}
		for _, depth := range keptDepths {
			path := filepath.Join(t.TempDir(), "hash")
			e, nodes := searched(t, game, "16", depth)
			cold += nodes
			set(t, e, "Hash File", path)
			set(t, e, "Save Hash", "")
			for _, size := range []string{"4", "3", "24"} {
				e := kept(t, game, path)
				setUp(t, e, "startpos", middlegames[game]...)
				set(t, e, "Hash", size)
				set(t, e, "Load Hash", "")
				said := strings.Join(e.Notices(), "|")
				if !strings.Contains(said, ": 16 MiB, ") || !strings.Contains(said, "hash "+size+" MiB: ") {
					t.Errorf("%s, 16 MiB to %s: %q", game, size, said)
				}
				again, _ := deep(e, depth)
				warm[size] += int64(again.Nodes)
			}
		}
		for size, nodes := range warm {
			if nodes*2 > cold {
				t.Errorf("%s, 16 MiB to %s: %d nodes, then %d", game, size, cold, nodes)
			}
		}
	}
}

// TestClearEndsRehash: a new game after a new size is searched like the first one.
func TestClearEndsRehash(t *testing.T) {
	e, cold := searched(t, "chess", "8", 11)
	set(t, e, "NeverClearHash", "false")
	set(t, e, "Hash", "4")
	set(t, e, "Hash", "8")
	e.NewGame()
	if again, _ := deep(e, 11); int64(again.Nodes) != cold {
		t.Errorf("%d nodes, then %d", cold, again.Nodes)
	}
}
