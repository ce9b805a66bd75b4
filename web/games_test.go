package web

import (
	"net/http"
	"strings"
	"testing"

	"trefoil/engine"
	"trefoil/engine/registry"
	"trefoil/search"
)

// TestPosition: what a board shows of games of all kinds.
func TestPosition(t *testing.T) {
	c := serve(t, newFake(t))
	for _, test := range []struct {
		request string
		legal   int
		parts   []string // of the answer
	}{
		{`{"game":"chess"}`, 20, []string{`"side":0`, `"check":false`, `"result":null`, `"notes":[]`}},
		{`{"game":"chess","moves":["f2f3","e7e5","g2g4","d8h4"]}`, 0, []string{`"text":"Qh4#"`, `"result":{"reason":"checkmate","winner":1}`, `"check":true`}},
		{`{"game":"chess","setup":"k7/2K5/8/1Q6/8/8/8/8 w - - 0 1","moves":["b5b6"]}`, 0, []string{`"reason":"stalemate","winner":null`}},
		{`{"game":"chess","setup":"k7/8/K7/8/8/8/8/8 w - - 0 1"}`, 3, []string{"too little material"}},
		{`{"game":"chess","moves":["g1f3","g8f6","f3g1","f6g8","g1f3","g8f6","f3g1","f6g8"]}`, 20, []string{"third occurrence"}},
		{`{"game":"chess","setup":"4k3/8/8/8/8/8/8/R3K3 w Q - 99 80","moves":["a1a2"]}`, 5, []string{"fifty moves"}},
		{`{"game":"chess","setup":"8/4P3/8/8/8/k7/8/K7 w - - 0 1"}`, 5, []string{`"move":"e7e8q","text":"e8=Q"`, `"text":"e8=N"`}},
		{`{"game":"chess","setup":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1"}`, 20, []string{`"notes":["`}},
		{`{"game":"chess","setup":"chess960 518"}`, 20, []string{"rnbqkbnr/pppppppp"}},
		{`{"game":"shogi","moves":["7g7f","3c3d","8h2b+"]}`, 33, []string{`"text":"Bx2b+"`, `"kanji":"▲２二角成(88)"`, `"side":1`}},
		{`{"game":"shogi","setup":"4k4/9/4P4/9/9/9/9/9/4K4 b G 1","moves":["G*5b"]}`, 0, []string{`"text":"G*5b"`, "checkmate"}},
		{`{"game":"connect4","moves":["1","2","1","2","1","2","1"]}`, 0, []string{`"reason":"4 in a row","winner":0`, `"now":"1212121"`}},
		{`{"game":"connect4","setup":"4453"}`, 7, []string{`"now":"4453"`, `"setup":"4453"`}},
		{`{"game":"connect4","board":"6x5","connect":3,"moves":["1","2","1","2","1"]}`, 0, []string{`"3 in a row"`, `"board":"6x5"`}},
		{`{"game":"ultimate"}`, 81, []string{`"side":0`}},
		{`{"game":"ultimate","moves":["hf"]}`, 9, []string{`"move":"fa"`, `"side":1`}},
	} {
		answer := c.ok("/api/position", "%s", test.request)
		if n := len(answer["legal"].([]any)); n != test.legal {
			t.Errorf("%s: %d legal moves, want %d", test.request, n, test.legal)
		}
		for _, part := range test.parts {
			if !strings.Contains(text(answer), part) {
				t.Errorf("%s: no %s in %.600s", test.request, part, text(answer))
			}
		}
		again := c.ok("/api/position", "%s", text(map[string]any{
			"game": answer["game"], "setup": answer["setup"], "moves": answer["moves"], "board": answer["board"], "connect": answer["connect"]}))
		if again["now"] != answer["now"] {
			t.Errorf("%s: %v, again %v", test.request, answer["now"], again["now"])
		}
	}
}

// TestGames: the games with their sides.
func TestGames(t *testing.T) {
	c := serve(t, newFake(t))
	_, list := c.fetch("/api/games")
	for _, part := range []string{`"name":"chess"`, `"sides":["Black","White"]`, `"setup":"chess960"`,
		`"name":"connect4"`, `"name":"ultimate"`} {
		if !strings.Contains(list, part) {
			t.Errorf("no %s in %s", part, list)
		}
	}
}

// TestValues: the solvers' values of all moves.
func TestValues(t *testing.T) {
	e := newEngine(t)
	c := serve(t, e)
	events := c.events(1)
	values := func(game, setup string) string {
		c.ok("/api/search", `{"session":%q,"game":%q,"setup":%q,"mode":"values"}`, page(1), game, setup)
		for {
			if v := events.until("values"); v["done"] == true {
				return text(v["moves"])
			}
		}
	}
	if v := values("connect4", "112233"); !strings.Contains(v,
		`"4":{"plies":1,"result":"win","score":18,"text":"wins in 1"}`) || strings.Count(v, `"result"`) != 7 {
		t.Error(v)
	}
	v := values("ultimate",
		"O;O.X@..O.X;.XO.OXO.X/X.XOO.O.O/X..X..X.X/O.OO.X.OX/.XX....OX/O.OX...../OOOX...X./OXXXX.O../XO.X.OXOO")
	if strings.Count(v, `"result"`) != 3 {
		t.Error(v)
	}
	c.ok("/api/search", `{"session":%q,"game":"ultimate","mode":"values"}`, page(1))
	for {
		if v := text(events.until("values")); strings.Contains(v, `"goal":"loss","phi":`) &&
			strings.Contains(v, `"delta":`) {
			break
		}
	}
}

// TestScores: results of solvers have their plies if they are known; a mate has moves.
func TestScores(t *testing.T) {
	s := New(newFake(t), engine.Games())
	mate := func(plies int) search.Score { return search.Score{Mate: true, Plies: plies} }
	for _, c := range []struct {
		game  string
		score search.Score
		want  string
	}{
		{"connect4", mate(3), `{"plies":3,"result":"win"}`}, {"connect4", mate(-4), `{"plies":4,"result":"loss"}`},
		{"connect4", search.Score{}, `{"result":"draw"}`}, {"chess", mate(3), `{"mate":2,"plies":3}`},
		{"chess", mate(-4), `{"mate":-2,"plies":4}`}, {"chess", search.Score{Centipawns: -3}, `{"cp":-3}`},
	} {
		j := &job{game: s.games.find(c.game)}
		if got := text(j.score(&search.Info{Score: c.score, WDL: &search.WDL{}})); got != c.want {
			t.Errorf("%s, %v: %s, want %s", c.game, c.score, got, c.want)
		}
	}
}

// TestMate: forced mates of chess and shogi.
func TestMate(t *testing.T) {
	e := newEngine(t)
	c := serve(t, e)
	events := c.events(1)
	c.ok("/api/search",
		`{"session":%q,"game":"chess","setup":"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1","mode":"mate"}`, page(1))
	if b := events.until("best"); b["move"] != "a1a8" {
		t.Error(b)
	}
	c.ok("/api/search", `{"session":%q,"game":"shogi","setup":"4k4/9/4P4/9/9/9/9/9/4K4 b G 1","mode":"mate"}`, page(1))
	if b := events.until("best"); b["move"] != "G*5b" || text(b["line"]) != `["G*5b"]` {
		t.Error(b)
	}
	c.ok("/api/search", `{"session":%q,"game":"shogi","setup":"4k4/9/9/9/9/9/9/9/4K4 b P 1","mode":"mate"}`, page(1))
	if b := events.until("best"); b["reason"] != "no mate" || b["move"] != nil {
		t.Error(b)
	}
}

// TestBoards: the engine plays every game, on boards of all sizes one after another, and Chess960.
func TestBoards(t *testing.T) {
	c := serve(t, newEngine(t))
	c.ok("/api/option", `{"name":"Hash","value":"1"}`)
	events := c.events(1)
	for _, game := range []string{
		`"game":"connect4","board":"9x6","connect":5`,
		`"game":"connect4","board":"4x4","connect":3`,
		`"game":"connect4","board":"9x6","connect":5`,
		`"game":"connect4"`,
		`"game":"ultimate"`,
		`"game":"shogi","skill":0`,
		`"game":"chess","elo":1300`,
		`"game":"chess","setup":"chess960 0"`,
		`"game":"chess","setup":"r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1"`,
	} {
		id := c.ok("/api/search", `{"session":%q,%s,"mode":"play","nodes":2000}`, page(1), game)["id"]
		best := events.until("best")
		for best["id"] != id {
			best = events.until("best")
		}
		if best["move"] == nil || best["reason"] != nil {
			t.Errorf("%s: %v", game, best)
		}
	}
	answer := c.ok("/api/position",
		`{"game":"chess","setup":"r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1","moves":["c1e1"]}`)
	if played := text(answer["played"]); !strings.Contains(played, `"O-O"`) {
		t.Error(played)
	}
}

// TestTextBoard: a game without a board on the page is shown by the drawing and the moves of its player.
func TestTextBoard(t *testing.T) {
	four, err := engine.Games().Find("connect4")
	if err != nil {
		t.Fatal(err)
	}
	four.Name = "four" // of which no page knows
	games := registry.New(four)
	e := engine.NewWith(games)
	t.Cleanup(func() { _ = e.Close() })
	c := serveGames(t, e, games)
	if _, list := c.fetch("/api/games"); !strings.Contains(list, `"board":"text","sides":["First","Second"]`) {
		t.Error(list)
	}
	answer := c.ok("/api/position", `{"game":"four","setup":"44","moves":["5"]}`)
	if text := text(answer); len(answer["legal"].([]any)) != 7 || answer["side"] != 1.0 || !strings.Contains(text,
		`"drawing":["`) || !strings.Contains(text, `To move: o`) || !strings.Contains(text, `"now":"44 moves 5"`) {
		t.Error(text)
	}
	answer = c.ok("/api/position", `{"game":"four","moves":["1","2","1","2","1","2","1"]}`)
	if result := text(answer["result"]); result != `{"reason":"no move is left","unknown":true,"winner":null}` {
		t.Error(result)
	}
	if status, refused := c.post("/api/position", `{"game":"four","moves":["1","9"]}`); status !=
		http.StatusBadRequest || !strings.Contains(text(refused), "moves: ") {
		t.Error(status, refused)
	}
	if status, refused := c.post("/api/search",
		`{"session":"`+page(1)+`","game":"four","mode":"mate"}`); status == http.StatusOK {
		t.Error(refused)
	}
	if exported := c.ok("/api/export",
		`{"game":"four","moves":["1","2"],"format":"text"}`); exported["text"] != "startpos moves 1 2\n" {
		t.Error(exported)
	}
	events := c.events(1)
	c.ok("/api/search",
		`{"session":%q,"game":"four","moves":["1","2","1","2","1","2"],"mode":"play","movetime":2000}`, page(1))
	if best := events.until("best"); best["move"] != "1" {
		t.Error(best)
	}
}
