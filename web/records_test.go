package web

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"trefoil/engine"
	rules "trefoil/game"
	"trefoil/web/board"
)

// TestRecords: a game that is exported is the same when it is imported.
func TestRecords(t *testing.T) {
	c := serve(t, newFake(t))
	for _, test := range []struct{ game, format, part string }{
		{`{"game":"chess","moves":["e2e4","e7e5","g1f3"],"format":"pgn","tags":{"White":"A \"B\"","Result":"1-0"}}`, "pgn", "1. e4 e5 2. Nf3 1-0"},
		{`{"game":"chess","moves":["f2f3","e7e5","g2g4","d8h4"],"format":"pgn"}`, "pgn", "Qh4# 0-1"},
		{`{"game":"chess","setup":"4k3/P7/8/8/8/8/8/4K3 w - - 0 7","moves":["a7a8q"],"format":"pgn"}`, "pgn", `[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 7"]`},
		{`{"game":"chess","setup":"1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBhb - 0 1","moves":["f1g1","f8b8"],"format":"pgn"}`, "pgn", "1. O-O O-O-O *"},
		{`{"game":"chess","moves":["e2e4"],"format":"pgn","tags":{"White":"A \"B\""}}`, "pgn", "[White \"A \\\"B\\\"\"]\n[Black \"?\"]\n"},
		{`{"game":"chess","moves":["e2e4"],"format":"text"}`, "text", " moves e2e4"},
		{`{"game":"shogi","moves":["7g7f","3c3d"],"format":"kif","tags":{"Black":"A","Result":"0-1"}}`, "kif", "1 ７六歩(77)"},
		{`{"game":"shogi","setup":"4k4/9/4P4/9/9/9/9/9/4K4 b G 1","moves":["G*5b"],"format":"kif"}`, "kif", "詰み"},
		// The end of a game in KIF is about the side to move: 投了 is that it resigns.
		{`{"game":"shogi","moves":["7g7f"],"format":"kif","tags":{"Result":"1-0"}}`, "kif", "2 投了"},
		{`{"game":"shogi","moves":["7g7f"],"format":"kif","tags":{"Result":"1-0","Termination":"time forfeit"}}`, "kif", "2 切れ負け"},
		{`{"game":"chess","moves":["e2e4"],"format":"pgn","tags":{"Result":"1-0","Termination":"time forfeit"}}`, "pgn", "[Result \"1-0\"]\n[Termination \"time forfeit\"]"},
		{`{"game":"shogi","moves":["7g7f"],"format":"kif","tags":{"Result":"0-1"}}`, "kif", "1 ７六歩(77)\nまで1手で後手の勝ち\n"},
		{`{"game":"shogi","setup":"2K1G4/9/PPPPPPPPP/9/9/9/9/9/4k4 b 2R2BG2S2N2L2g2s2n2l9p 1","moves":[],"format":"kif","tags":{"Result":"1-0"}}`, "kif", "1 入玉勝ち"},
		{`{"game":"shogi","setup":"4k4/9/9/9/9/9/9/9/4K3R b - 1","moves":["1i1a","5a5b","1a1b","5b5a","1b1a","5a5b","1a1b","5b5a","1b1a","5a5b","1a1b","5b5a","1b1a"],"format":"kif"}`, "kif", "14 反則勝ち"},
		{`{"game":"shogi","setup":"4k4/9/9/9/9/9/9/9/4K3R b - 1","moves":["1i1a","5a5b","1a1b","5b5a","1b1a","5a5b","1a1b","5b5a","1b1a","5a5b","1a1b","5b5a","1b1a"],"format":"csa"}`, "csa", "\n%+ILLEGAL_ACTION\n"},
		{`{"game":"shogi","moves":["7g7f"],"format":"kif","headers":[["棋戦","x"],["下手","y"]],"tags":{"Black":"A"}}`, "kif", "棋戦：x\n下手：A\n"},
		{`{"game":"shogi","moves":["7g7f","3c3d"],"format":"csa","tags":{"Black":"A","Result":"0-1"}}`, "csa", "N+A\nN-\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n"},
		{`{"game":"shogi","setup":"4k4/9/4P4/9/9/9/9/9/4K4 b G 1","moves":["G*5b"],"format":"csa"}`, "csa", "+0052KI\n%TSUMI\n"},
		{`{"game":"shogi","moves":["7g7f"],"format":"text"}`, "text", " moves 7g7f"},
		{`{"game":"connect4","moves":["4","5"],"format":"text"}`, "text", "startpos moves 4 5"},
		{`{"game":"ultimate","moves":["hf","fa"],"format":"text"}`, "text", " moves hf fa"},
	} {
		exported := c.ok("/api/export", "%s", test.game)["text"].(string)
		if !strings.Contains(exported, test.part) {
			t.Errorf("%s: no %s in %s", test.game, test.part, exported)
		}
		body, _, _ := strings.Cut(test.game, `,"format"`)
		want := c.ok("/api/position", "%s}", body)
		request := map[string]any{"text": exported}
		if want["game"] == "connect4" {
			request["game"] = "connect4" // startpos is a position of every game
		}
		got := c.ok("/api/import", "%s", text(request))
		delete(got, "headers")
		delete(got, "tree")
		if text(got) != text(want) {
			t.Errorf("%s: %s, want %s", exported, text(got), text(want))
		}
	}
}

// TestImport: what is read, and what is refused.
func TestImport(t *testing.T) {
	c := serve(t, newFake(t))
	for _, test := range []struct{ request, game, now string }{
		{`{"text":"4k3/P7/8/8/8/8/8/4K3 w - - 0 7"}`, "chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 7"},
		{`{"text":"position startpos moves e2e4"}`, "chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{`{"text":"position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 7 moves a7a8q"}`, "chess", "Q3k3/8/8/8/8/8/8/4K3 b - - 0 7"},
		{`{"text":"sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"}`, "shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"},
		{`{"game":"chess","text":"sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"}`, "shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"},
		{`{"game":"chess","text":"V2.2\nPI\n+\n+7776FU\n%TORYO\n"}`, "shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"},
		{`{"game":"shogi","text":"手合割：平手\n手数----指手---------消費時間--\n1 ７六歩(77)\n"}`, "shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"},
		{`{"game":"chess","text":"手合割：平手\n手数----指手---------消費時間--\n1 ７六歩(77)\n"}`, "shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"},
		{`{"text":"手合割：平手\r1 ７六歩(77)\r2 ３四歩(33)\r"}`, "shogi", "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"},
		{`{"text":"▲７六歩\n△３四歩"}`, "shogi", "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"},
		{`{"text":"{\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6}}}]}"}`, "shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"},
		{`{"game":"shogi","text":"1. e4"}`, "chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{`{"game":"connect4","text":"startpos moves 4"}`, "connect4", "4"},
		{`{"text":"4453"}`, "connect4", "4453"},
		{`{"text":"4453 moves 5 1"}`, "connect4", "445351"},
		{`{"text":"V2.2\nPI\n+\n+7776FU\n%TORYO\n"}`, "shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"},
		{`{"text":"e4 e5 Nf3"}`, "chess", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"},
		{`{"game":"connect4","text":"e2e4 *"}`, "chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{`{"game":"connect4","board":"11x4","text":"a4"}`, "connect4", "a4"},
		{`{"text":"1. e4"}`, "chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{`{"text":"{a comment} 1. e4"}`, "chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{`{"text":"; a comment\ne4"}`, "chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{`{"text":"[Event \"x\"]\n\n1. e4 {a comment} (1. d4) *\n"}`, "chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
	} {
		if got := c.ok("/api/import", "%s", test.request); got["game"] != test.game ||
			strings.Replace(got["now"].(string), " e3 ", " - ", 1) != test.now {
			t.Errorf("%s: %v %v", test.request, got["game"], got["now"])
		}
	}
	c.refuses("/api/import", map[string]string{
		`{"text":""}`:                                "text is missing",
		`{"text":"hello"}`:                           "neither a game nor a position",
		`{"text":"position"}`:                        "neither a game nor a position",
		`{"game":"go","text":"hello"}`:               "is not one of",
		`{"game":"chess","text":"/etc/passwd"}`:      "FEN",
		`{"text":"[Event \"x\"]\n\n1. e4 e4 *\n"}`:   "pgn",
		`{"text":"startpos moves e2e4 e2e4"}`:        "neither",
		`{"game":"chess","format":"../x","text":""}`: "unknown field",
	})
	c.refuses("/api/export", map[string]string{
		`{"game":"chess","format":"kif"}`:                                                     "is not one of",
		`{"game":"connect4","format":"pgn"}`:                                                  "is not one of",
		`{"game":"chess","format":"pgn","tags":{"a b":"c"}}`:                                  "tag",
		`{"game":"chess","format":"pgn","tags":{"White":"A\n[Black \"x\"]"}}`:                 "tag",
		`{"game":"chess","format":"pgn","tags":{"White":"` + strings.Repeat("x", 201) + `"}}`: "tag",
	})
}

// wild are comments that could be taken for something else.
var wild = []string{"a comment", "<b onclick=\"x()\">bold</b> & more", "(not a variation) 1. e4",
	"[%clk 0:01:02] a clock", "% $5 ; \\\" ?!", "*解析 評価値", "[Event \"x\"]"}

// randomGame is a game with headers, comments, marks and nested variations, as POST /api/export reads it.
func randomGame(t *testing.T, r *rand.Rand, name string) map[string]any {
	t.Helper()
	found, _ := engine.Games().Lookup(name)
	g, tree := board.Of(found), rules.NewTree()
	lines := [][]string{nil} // the moves to each node
	some := func() (list []string) {
		for r.IntN(4) == 0 {
			list = append(list, wild[r.IntN(len(wild))])
		}
		return list
	}
	tree.Comment(0, some()...)
	var grow func(at, plies, depth int)
	grow = func(at, plies, depth int) {
		v, err := g.View(board.Start{Setup: "startpos"}, lines[at])
		if err != nil {
			t.Fatal(err)
		}
		children := []int{}
		for range min(1+r.IntN(2)*r.IntN(4-depth), plies) {
			move := v.Legal[r.IntN(len(v.Legal))].Move
			next := tree.Add(at, move)
			if next < len(lines) {
				continue // drawn twice
			}
			lines, children = append(lines, append(slices.Clone(lines[at]), move)), append(children, next)
			n := &tree.Nodes[next]
			if n.Comments = some(); name == "chess" {
				if n.Marks = []int{1 + r.IntN(139)}; r.IntN(3) > 0 {
					n.Marks = nil
				}
				if len(children) > 1 {
					n.Before = some()
				}
			} else if r.IntN(2) == 0 {
				n.Time = "( 0:12/00:00:34)"
			}
		}
		for i, next := range children {
			grow(next, plies-1-i, min(depth+i, 3))
		}
	}
	grow(0, 12, 0)
	end, headers := "1-0", [][2]string{{"Event", `A "quoted" \ <i>name</i>`}, {"Site", "?"},
		{"Date", "2026.11.??"}, {"Round", "1"},
		{"White", "甲"}, {"Black", "B"}, {"Result", "1-0"}, {"WhiteElo", "2500"}}
	format := "pgn"
	if name == "shogi" {
		end, format, headers = "投了", "kif", [][2]string{{"棋戦", "<i>名人戦</i>"}, {"先手", "甲"}, {"後手", "乙"}, {"備考", "a：b"}}
	}
	main := tree.Main()
	tree.Nodes[main[len(main)-1]].End = end
	return map[string]any{"game": name, "format": format, "headers": headers, "tree": tree.Nodes}
}

// shape is a tree of JSON as text, in which the order of nodes is the order of the variations.
func shape(tree any) string {
	nodes, children := tree.([]any), map[int][]int{}
	for i, n := range nodes {
		after := int(n.(map[string]any)["after"].(float64))
		delete(n.(map[string]any), "after")
		if i > 0 {
			children[after] = append(children[after], i)
		}
	}
	var write func(i int) string
	write = func(i int) string {
		s := text(nodes[i])
		for _, c := range children[i] {
			s += "(" + write(c) + ")"
		}
		return s
	}
	return write(0)
}

// TestTrees: headers, comments, marks and variations of games are the same when these are written and read again.
func TestTrees(t *testing.T) {
	c := serve(t, newFake(t))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 100 {
		game := randomGame(t, r, [...]string{"chess", "shogi"}[i%2])
		exported := c.ok("/api/export", "%s", text(game))["text"].(string)
		got := c.ok("/api/import", "%s", text(map[string]any{"text": exported}))
		want := object(t, text(game))
		if a, b := shape(got["tree"]), shape(want["tree"]); a != b || text(got["headers"]) != text(want["headers"]) {
			t.Fatalf("%s\n%s\n%s\n%v\n%v", exported, a, b, got["headers"], want["headers"])
		}
	}
}

// TestUnclaimed: the result of a file is kept where a draw was not claimed, but not where the game is over.
func TestUnclaimed(t *testing.T) {
	c := serve(t, newFake(t))
	const again = " Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 "
	for record, want := range map[string]string{
		"1." + again + "1-0": "1-0", "1." + again + "*": "1/2-1/2", "1. f3 e5 g4 Qh4# 1-0": "0-1", "1. f3 e5 0-1": "0-1",
	} {
		got := c.ok("/api/import", "%s", text(map[string]any{"text": record}))
		game := text(map[string]any{"game": "chess", "format": "pgn", "tree": got["tree"], "headers": got["headers"]})
		if pgn := c.ok("/api/export", "%s", game)["text"].(string); !strings.Contains(pgn, " "+want+"\n") ||
			!strings.Contains(pgn, `[Result "`+want+`"]`) {
			t.Errorf("%s: %s", record, pgn)
		}
	}
}

// TestUnplayable: what of a variation cannot be played stays as a comment; sides of CSA and times become those of KIF.
func TestUnplayable(t *testing.T) {
	c := serve(t, newFake(t))
	for record, want := range map[string]string{
		"1. e4 (1. d4 -- {why} 2. c4) (1. -- x) e5 (1... c5 *) *":               `{}({"comments":["-- x"],"move":"e2e4"}({"end":"*","move":"e7e5"})({"move":"c7c5"}))({"comments":["-- (why) 2. c4"],"move":"d2d4"})`,
		"1. e4 (({a}) 1. e4 {b} c5 1-0) *":                                      `{}({"comments":["((a)) 1. e4 (b) c5 1-0"],"end":"*","move":"e2e4"})`,
		"V2.2\nN+A\n$EVENT:x\nPI\n'*c\n+\n+7776FU\nT12\n'*d\n-3334FU\n%TORYO\n": `{"comments":["c"]}({"comments":["d"],"move":"7g7f","time":"( 0:12/00:00:12)"}({"end":"投了","move":"3c3d"}))`,
		"手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n\n変化：2手\n2 ８四歩(83)\n*x\n3 １一歩(99)\n\n変化：1手\n1 ２六歩(27)\n": `{}({"move":"7g7f"}({"move":"3c3d"})({"comments":["x","3 １一歩(99)"],"move":"8c8d"}))({"move":"2g2f"})`,
	} {
		got := c.ok("/api/import", "%s", text(map[string]any{"text": record}))
		if s := shape(got["tree"]); s != want {
			t.Errorf("%s: %s", record, s)
		}
	}
	c.refuses("/api/export", map[string]string{
		`{"game":"chess","format":"pgn","tree":[{"after":0},{"after":1,"move":"e2e4"}]}`:                        "no node before it",
		`{"game":"chess","format":"pgn","tree":[{"after":0},{"after":-1,"move":"e2e4"}]}`:                       "no node before it",
		`{"game":"chess","format":"pgn","tree":[{"after":0},{"after":0,"move":"e2e4","marks":[256]}]}`:          "from 0 to 255",
		`{"game":"chess","format":"pgn","tree":[{"after":0},{"after":0,"move":"e2e5"}]}`:                        "e2e5",
		`{"game":"chess","format":"pgn","tree":[{"after":0},{"after":0,"move":"e2e4"},{"after":0,"move":"x"}]}`: "x",
		`{"game":"chess","format":"pgn","tree":[{"after":0},{"after":0,"move":"e2e4","marks":[-1]}]}`:           "marks",
		`{"game":"chess","format":"pgn","tree":[{"after":0},{"after":0,"move":"e2e4","end":"won"}]}`:            "won",
		`{"game":"chess","format":"pgn","headers":[["a]","b"]]}`:                                                "header",
		`{"game":"shogi","format":"kif","headers":[["a","b\nc"]]}`:                                              "header",
	})
	c.ok("/api/export", `{"game":"chess","format":"pgn","tree":[{"after":0},{"after":0,"move":"e2e4","marks":[255]}]}`)
	h := c.ok("/api/import", "%s", text(map[string]any{"text": "[a\"b \"c\"]\n\n1. e4 *"}))["headers"]
	if text(h) != `[["a","b \"c"]]` {
		t.Errorf("a name that a quotation mark ends: %v", text(h))
	}
	deep := strings.Repeat("(1. e4 ", 5000) + strings.Repeat(")", 5000)
	got := c.ok("/api/import", "%s", text(map[string]any{"text": "1. d4 " + deep + " *"}))
	if s := shape(got["tree"]); !strings.Contains(s, "(1. e4 (1. e4") {
		t.Errorf("variations that are nested too deep are lost: %.300s", s)
	}
}

// TestLines: lines are written as people do, and null is one that is not legal.
func TestLines(t *testing.T) {
	got := serve(t, newFake(t)).ok("/api/lines", `{"game":"chess","lines":[["e2e4","e7e5"],["e2e5"],[]]}`)
	if s := text(got); s != `{"lines":[[{"move":"e2e4","text":"e4"},{"move":"e7e5","text":"e5"}],null,[]]}` {
		t.Error(s)
	}
}

// TestContents: the games of a file are listed, each where it can be read.
func TestContents(t *testing.T) {
	c := serve(t, newFake(t))
	const game = "[Event \"%d é\"]\n[White \"A\"]\n[Black \"B\"]\n[Date \"2026.11.??\"]\n\n{ c [x] } 1. e4 $1 ( 1. d4 d5 ) 1... e5 { 1. x } 2. Nf3 *\n\n"
	for _, test := range []struct{ text, want string }{
		{fmt.Sprintf(game+game, 1, 2) + "[Event \"3\"]\n[White broken]\n\n1. e4 {\n[Event \"4\"]\n\n1. d4 1-0\n",
			`A B * 2026.11.?? 1 é 3 e2e4,e7e5,g1f3; A B * 2026.11.?? 2 é 3 e2e4,e7e5,g1f3; error;   1-0  4 1 d2d4; `},
		{"V2.2\nN+a\nN-b\n$EVENT:e\n$START_TIME:2026/11/27\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n-3334FU\n/\nPI\n+\n+2726FU\n",
			`a b TORYO 2026/11/27 e 1 7g7f; error;      1 2g2f; `},
		{"開始日時：2026/11/27\n手合割：平手\n先手：a\n1 ７六歩(77)\n", `a   2026/11/27  1 7g7f; `},
		{"1. e4 e5", `  *   2 e2e4,e7e5; `},
	} {
		got := ""
		for _, entry := range c.ok("/api/contents", "%s", text(map[string]any{"text": test.text}))["games"].([]any) {
			e := entry.(map[string]any)
			if e["error"] != nil {
				got += "error; "
				continue
			}
			players := e["players"].([]any)
			line := fmt.Sprintf("%v %v %v %v %v %v", players[0], players[1], e["result"], e["date"], e["event"], e["plies"])
			part := test.text[int(e["from"].(float64)):int(e["to"].(float64))]
			moves := []string{}
			for _, m := range c.ok("/api/import", "%s", text(map[string]any{"text": part}))["moves"].([]any) {
				moves = append(moves, m.(string))
			}
			got += line + " " + strings.Join(moves, ",") + "; "
		}
		if got != test.want {
			t.Errorf("%s:\n%s\n%s", test.text, got, test.want)
		}
	}
	c.refuses("/api/contents", map[string]string{`{"text":"hello"}`: "begins like no game"})
}
