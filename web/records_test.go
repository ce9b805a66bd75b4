package web

import (
	"net/http"
	"strings"
	"testing"
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
		if got := c.ok("/api/import", "%s", text(request)); text(got) != text(want) {
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
		{`{"text":"▲７六歩\n△３四歩"}`, "shogi", "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"},
		{`{"text":"{\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6}}}]}"}`, "shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"},
		{`{"game":"shogi","text":"1. e4"}`, "chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{`{"game":"connect4","text":"startpos moves 4"}`, "connect4", "4"},
		{`{"text":"4453"}`, "connect4", "4453"},
		{`{"text":"V2.2\nPI\n+\n+7776FU\n%TORYO\n"}`, "shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"},
		{`{"text":"1. e4"}`, "chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{`{"text":"[Event \"x\"]\n\n1. e4 {a comment} (1. d4) *\n"}`, "chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
	} {
		if got := c.ok("/api/import", "%s", test.request); got["game"] != test.game ||
			strings.Replace(got["now"].(string), " e3 ", " - ", 1) != test.now {
			t.Errorf("%s: %v %v", test.request, got["game"], got["now"])
		}
	}
	for request, want := range map[string]string{
		`{"text":""}`:                                "text is missing",
		`{"text":"hello"}`:                           "neither a game nor a position",
		`{"text":"position"}`:                        "neither a game nor a position",
		`{"game":"go","text":"hello"}`:               "is not one of",
		`{"game":"chess","text":"/etc/passwd"}`:      "FEN",
		`{"text":"[Event \"x\"]\n\n1. e4 e4 *\n"}`:   "pgn",
		`{"text":"startpos moves e2e4 e2e4"}`:        "neither",
		`{"game":"chess","format":"../x","text":""}`: "unknown field",
	} {
		if status, answer := c.post("/api/import", request); status != http.StatusBadRequest ||
			!strings.Contains(text(answer), want) {
			t.Errorf("%s: %d %v", request, status, answer)
		}
	}
	for request, want := range map[string]string{
		`{"game":"chess","format":"kif"}`:                                                     "is not one of",
		`{"game":"connect4","format":"pgn"}`:                                                  "is not one of",
		`{"game":"chess","format":"pgn","tags":{"a b":"c"}}`:                                  "tag",
		`{"game":"chess","format":"pgn","tags":{"White":"A\n[Black \"x\"]"}}`:                 "tag",
		`{"game":"chess","format":"pgn","tags":{"White":"` + strings.Repeat("x", 201) + `"}}`: "tag",
	} {
		if status, answer := c.post("/api/export", request); status != http.StatusBadRequest ||
			!strings.Contains(text(answer), want) {
			t.Errorf("%s: %d %v", request, status, answer)
		}
	}
}
