package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"trefoil/engine"
)

// FuzzRequests: no body of a request makes a handler panic, and none is an error of the server.
func FuzzRequests(f *testing.F) {
	for _, seed := range []struct{ path, body string }{
		{"position", `{"game":"chess","setup":"chess960 5","moves":["e2e4"]}`},
		{"position", `{"game":"chess","setup":"r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1"}`},
		{"position", `{"game":"shogi","setup":"4k4/9/4P4/9/9/9/9/9/4K4 b G 1","moves":["G*5b"]}`},
		{"position", `{"game":"connect4","board":"6x5","connect":3,"moves":["1","2"]}`},
		{"position", `{"game":"ultimate","setup":"O;O.X@..O.X;.XO.OXO.X/X.XOO.O.O/X..X..X.X/O.OO.X.OX/.XX....OX/O.OX...../OOOX...X./OXXXX.O../XO.X.OXOO"}`},
		{"export", `{"game":"chess","moves":["e2e4"],"format":"pgn","tags":{"White":"A"}}`},
		{"export", `{"game":"shogi","setup":"4k4/9/4P4/9/9/9/9/9/4K4 b G 1","format":"kif"}`},
		{"export", `{"game":"chess","format":"pgn","headers":[["a","b"]],"tree":[{"after":0},{"after":0,"move":"e2e4","marks":[4]},{"after":0,"move":"d2d4","before":["x"]}]}`},
		{"export", `{"game":"shogi","format":"kif","tree":[{"after":0},{"after":0,"move":"7g7f","end":"投了"},{"after":0,"move":"2g2f","time":"x"}]}`},
		{"contents", `{"text":"[Event \"x\"]\n\n1. e4 *\n[Event \"y\"]\n"}`},
		{"lines", `{"game":"chess","lines":[["e2e4"],["e2e5"]]}`},
		{"import", `{"text":"[Event \"x\"]\n\n1. e4 {a} (1. d4) *\n"}`},
		{"import", `{"text":"手合割：香落ち\n1 ３四歩(33)\n"}`},
		{"import", `{"text":"V2.2\nPI\n+\n+7776FU\n"}`},
		{"import", `{"game":"connect4","text":"startpos moves 4 4"}`},
		{"search", `{"session":"00000000000000000000000000000001","game":"chess","mode":"play","clock":{"time":[1,2],"inc":[0,0]},"skill":3}`},
		{"search", `{"session":"00000000000000000000000000000001","game":"ultimate","mode":"values","nodes":5}`},
		{"stop", `{"session":"00000000000000000000000000000001"}`},
	} {
		f.Add(seed.path, seed.body)
	}
	e := engine.New()
	f.Cleanup(func() { _ = e.Close() })
	s := New(e, engine.Games())
	if _, _, err := s.sessions.attach(page(1)); err != nil {
		f.Fatal(err)
	}
	h := s.handler()
	f.Fuzz(func(t *testing.T, path, body string) {
		switch path {
		case "position", "lines", "contents", "export", "import", "search", "stop":
		default:
			return
		}
		r := httptest.NewRequest(http.MethodPost, "/api/"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Errorf("%s %s: %d %s", path, body, w.Code, w.Body)
		}
	})
}
