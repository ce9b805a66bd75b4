package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/engine"
	"trefoil/web/board"
)

// treeOf stores an entry for the position after each of the lines, as deep as given, and returns the tree of the
// first position.
func treeOf(t *testing.T, lines map[string]uint8) treeJSON {
	t.Helper()
	found, _ := engine.Games().Lookup("chess")
	g := &game{Game: found, board: board.Of(found)}
	view := func(moves []string) board.Keyed {
		v, err := g.board.View(board.Start{Setup: "startpos"}, moves)
		if err != nil {
			t.Fatal(err)
		}
		return v.Position.(board.Keyed)
	}
	c := table(t, 1)
	for line, depth := range lines {
		c.Store(view(strings.Fields(line)).Key(), cluster.Entry{Quality: cluster.Quality{Depth: depth, Bound: cluster.Exact}})
	}
	return clusterView{c}.tree(view(nil), g)
}

// drawn writes the lines of a tree, with the entries at and below each, and the joins.
func drawn(j treeJSON) string {
	var lines []string
	names := make([]string, len(j.Fields))
	for i, n := range j.Fields {
		if n.After >= 0 {
			names[i] = strings.TrimSpace(names[n.After] + " " + n.Move.Text)
		}
		lines = append(lines, fmt.Sprintf("%s:%d", names[i], n.Entries))
	}
	for _, join := range j.Joins {
		lines = append(lines, fmt.Sprintf("%s %s=%s", names[join.From], join.Move.Text, names[join.To]))
	}
	return strings.Join(lines, ", ")
}

// TestTree: a tree has the entries that lines of positions of the table reach; an entry belongs to the line in
// which it was found first, and other orders of moves are joins. A line that returns to one of its positions is
// none.
func TestTree(t *testing.T) {
	for _, c := range []struct {
		lines map[string]uint8
		want  string
	}{
		{map[string]uint8{"": 5}, ":1"},
		{map[string]uint8{"": 5, "e2e4": 4, "e2e4 e7e5": 3, "d2d4": 4, "d2d4 d7d5 c2c4": 9}, ":4, e4:2, d4:1, e4 e5:1"},
		{map[string]uint8{"": 5, "d2d4": 4, "d2d4 g8f6": 3, "d2d4 g8f6 c2c4": 2, "c2c4": 3, "c2c4 g8f6": 3, "d2d4 g8f6 c2c4 e7e6": 1},
			":7, d4:4, d4 Nf6:3, c4:2, d4 Nf6 c4:2, c4 Nf6:1, d4 Nf6 c4 e6:1, c4 Nf6 d4=d4 Nf6 c4"},
		{map[string]uint8{"": 5, "g1f3": 4, "g1f3 g8f6": 3, "g1f3 g8f6 f3g1": 2, "g1f3 g8f6 f3g1 f6g8": 1},
			":4, Nf3:3, Nf3 Nf6:2, Nf3 Nf6 Ng1:1"},
	} {
		if got := drawn(treeOf(t, c.lines)); got != c.want {
			t.Errorf("%v: %s, want %s", c.lines, got, c.want)
		}
	}
	if j := treeOf(t, map[string]uint8{"e2e4": 3}); j.Entries != 0 || len(j.Fields) != 0 {
		t.Errorf("a position without an entry: %+v", j)
	}
	moves, lines := strings.Fields("a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6"), map[string]uint8{}
	for i := range len(moves) + 1 {
		lines[strings.Join(moves[:i], " ")] = uint8(20 - i)
	}
	if j := treeOf(t, lines); j.Entries != 11 || len(j.Fields) != 1+maxPlies || j.Fields[0].Entries != 11 {
		t.Errorf("a line of ten plies: %s", drawn(j))
	}
}

// TestTreeOfSearch: the tree of a search is bounded, its fields are the entries of their lines, and both ends of a
// join are one.
func TestTreeOfSearch(t *testing.T) {
	for name, moves := range map[string][]string{"chess": {"e2e4"}, "shogi": {"7g7f"}, "ultimate": {"ee"}} {
		c := serve(t, newEngine(t))
		if j := c.ok("/api/tree", `{"game":%q}`, name); text(j["fields"]) != "[]" {
			t.Errorf("before a search: %s", text(j))
		}
		events := c.events(1)
		c.ok("/api/search", `{"session":%q,"game":%q,"moves":%s,"mode":"analyse","infinite":true,"noBook":true}`,
			page(1), name, text(moves))
		tree := func() (fields, joins []any) {
			j := c.ok("/api/tree", `{"game":%q,"moves":%s}`, name, text(moves))
			fields, joins = j["fields"].([]any), j["joins"].([]any)
			if len(fields) > maxFields || len(joins) > maxJoins || j["entries"].(float64) > maxWalked {
				t.Fatalf("%s: %d fields, %d joins, %v entries", name, len(fields), len(joins), j["entries"])
			}
			return fields, joins
		}
		joined := name != "ultimate" // where few of the fields are joined, and often none for minutes
		for fields, joins := tree(); len(fields) < 100 || joined && len(joins) == 0; fields, joins = tree() {
			events.until("info") // while the search runs
		}
		c.ok("/api/stop", `{"session":%q}`, page(1))
		events.until("best")
		fields, joins := tree()
		lines := [][]string{moves}
		at := func(i any) map[string]any { return fields[int(i.(float64))].(map[string]any) }
		line := func(after any, move any) []string {
			return append(slices.Clone(lines[int(after.(float64))]), move.(map[string]any)["move"].(string))
		}
		// entry is where the table has a line, and what.
		entry := func(line []string) (string, string) {
			place := c.ok("/api/cluster", `{"game":%q,"moves":%s}`, name, text(line))
			return text([]any{place["index"], place["found"]}),
				text(place["entries"].([]any)[int(place["found"].(float64))].(map[string]any)["content"])
		}
		for i := 1; i < len(fields); i++ {
			n := at(float64(i))
			lines = append(lines, line(n["after"], n["move"]))
			if i%40 > 0 {
				continue
			}
			if _, content := entry(lines[i]); content != text(n["content"]) {
				t.Errorf("%s: %v has %s, the tree %s", name, lines[i], content, text(n["content"]))
			}
		}
		for i := range min(len(joins), 10) {
			join := joins[i].(map[string]any)
			a, _ := entry(line(join["from"], join["move"]))
			if b, _ := entry(lines[int(join["to"].(float64))]); a != b {
				t.Errorf("%s: %v and %v are %s and %s", name, line(join["from"], join["move"]),
					lines[int(join["to"].(float64))], a, b)
			}
		}
	}
}
