package tests

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// house is the name of the module; libraries of the standard library have no dot
// in the first part of their path.
const house = "trefoil"

// arrows says what each room may import besides the standard library. A new arrow
// is a decision: it changes this table and docs/design.md.
var arrows = map[string][]string{
	"zobrist":            nil,
	"options":            nil,
	"search":             nil,
	"game":               nil,
	"game/chess":         {"game", "zobrist"},
	"game/chess/eval":    {"game", "game/chess"},
	"game/connect4":      nil,
	"game/shogi":         {"game", "zobrist"},
	"game/shogi/eval":    {"game", "game/shogi"},
	"game/ultimate":      nil,
	"search/alphabeta":   {"search", "search/clock", "game", "cluster"},
	"search/clock":       {"search"},
	"search/exact":       {"game/connect4", "remainder"},
	"search/proof":       {"game", "window"},
	"search/mate":        {"search/proof", "game", "window"},
	"cluster":            {"internal/mem", "internal/intact"},
	"remainder":          {"internal/mem"},
	"window":             {"internal/mem", "internal/intact"},
	"ttanalysis":         {"cluster", "search/alphabeta", "internal/mem"},
	"ttanalysis/plot":    {"github.com/go-analyze/charts"},
	"internal/intact":    nil,
	"internal/mem":       {"golang.org/x/sys/unix", "golang.org/x/sys/windows", "github.com/klauspost/cpuid/v2", "github.com/pbnjay/memory"},
	"protocol":           {"search", "options"},
	"game/connect4/book": {"game/connect4"},
	"engine/table":       {"cluster", "window", "internal/mem"},
	"engine/config":      {"options", "cluster"},
	"engine": {"search/proof/ultimategoal", "engine/table", "search", "search/alphabeta", "search/clock", "search/exact", "search/mate", "search/proof", "game", "game/chess", "game/chess/eval", "game/connect4",
		"game/shogi", "game/shogi/eval",
		"game/ultimate", "cluster", "remainder", "window", "game/connect4/book", "ttanalysis", "internal/mem", "options", "engine/config"},
	"command": {"engine/config", "search/proof/ultimategoal", "engine", "ttanalysis", "search", "search/exact", "search/mate", "search/proof", "game", "game/chess", "game/shogi", "game/connect4", "game/ultimate",
		"cluster", "remainder", "window", "internal/intact", "game/connect4/book", "zobrist", "ttanalysis/plot",
		"github.com/notnil/chess", "golang.org/x/term"},

	// the goals of proof search
	"search/proof/ultimategoal": {"game", "game/ultimate", "zobrist"},

	"": {"command", "protocol", "engine"},
}

// testArrows says what the tests of a room may import besides that.
var testArrows = map[string][]string{
	"search/alphabeta": {"game/chess"},                                 // a game to search
	"search/proof":     {"search/proof/ultimategoal", "game/ultimate"}, // likewise
	"search/mate":      {"game/chess", "game/shogi"},                   // likewise
	"ttanalysis":       {"game/chess", "game/chess/eval", "search"},
}

// testLibraries are for tests and developer tools alone.
var testLibraries = []string{
	"github.com/google/go-cmp/", "github.com/rogpeppe/go-internal/", "pgregory.net/rapid",
}

// free are the rooms whose arrows are not held: they look at the whole house.
// Nothing else may import them.
func free(room string) bool {
	return room == "tests" || room == "tools" || strings.HasPrefix(room, "tools/")
}

type listed struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// TestArrows holds the imports of every package, on every system that we build
// for, to the table.
func TestArrows(t *testing.T) {
	seen := map[string]bool{}
	for _, system := range []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64"} {
		goos, goarch, _ := strings.Cut(system, "/")
		for _, p := range list(t, goos, goarch) {
			room := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, house), "/")
			seen[room] = true
			if free(room) {
				continue
			}
			allowed, known := arrows[room]
			if !known {
				t.Errorf("%s: room %q is not in the table of arrows", system, room)
				continue
			}
			check(t, room, p.Imports, allowed)
			inTests := slices.Concat(allowed, testArrows[room], testLibraries, []string{room})
			check(t, "the tests of "+room, slices.Concat(p.TestImports, p.XTestImports), inTests)
		}
	}
	for room := range arrows {
		if !seen[room] {
			t.Errorf("room %q of the table does not exist", room)
		}
	}
}

// check fails on every import that is neither of the standard library nor allowed;
// an allowed path that ends in a slash allows all below it.
func check(t *testing.T, who string, imports, allowed []string) {
	t.Helper()
	for _, path := range imports {
		first, _, _ := strings.Cut(path, "/")
		ours := first == house
		if !ours && !strings.Contains(first, ".") {
			continue
		}
		path = strings.TrimPrefix(path, house+"/")
		if !slices.ContainsFunc(allowed, func(a string) bool {
			return path == a || strings.HasSuffix(a, "/") && strings.HasPrefix(path, a)
		}) {
			t.Errorf("new arrow: %s → %s", who, path)
		}
	}
}

// list asks the go command for the packages of the module.
func list(t *testing.T, goos, goarch string) (packages []listed) {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-pgo=off", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = ".."
	cmd.Env = append(cmd.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
