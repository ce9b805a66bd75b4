package analysis

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"trefoil/search"
)

const (
	ladder = "6k1/5ppp/8/8/8/8/8/R3K2R w KQ -" // Ra8 mates
	crown  = "8/5P1k/5K2/8/8/8/8/8 w - -"      // a queen would be stalemate
	golds  = "8k/9/7GG/9/9/9/9/9/K6R1 b G 1"
)

// TestProblem: what lines say, and what is wrong with them.
func TestProblem(t *testing.T) {
	for _, c := range []struct {
		list int
		line string
		want Problem
		err  string
	}{
		{0, ladder, Problem{}, ""},
		{0, ladder + " 0 1 bm Ra8#; id \"one; two\";", Problem{ID: "one; two", Best: []string{"a1a8"}}, ""},
		{0, ladder + ` bm a1a8, O-O  O-O-O! e1f1; am Kd1 Rh8+; bm Rh3`, Problem{Best: []string{"a1a8", "e1g1", "e1c1", "e1f1", "h1h3"}, Avoid: []string{"e1d1", "h1h8"}}, `am: move "Rh8+": illegal`},
		{0, ladder + ` bm a1a8, O-O  O-O-O! e1f1; am Kd1; bm Rh3`, Problem{Best: []string{"a1a8", "e1g1", "e1c1", "e1f1", "h1h3"}, Avoid: []string{"e1d1"}}, ""},
		{0, crown + ` bm f8=R f7f8r; dm 2; c0 "f8=R=10, f7f8q=1,Kf5 = 0"`, Problem{Best: []string{"f7f8r", "f7f8r"}, Mate: 2, Points: map[string]int{"f7f8r": 10, "f7f8q": 1, "f6f5": 0}}, ""},
		{0, crown + "\tbm\t#2;acd 5;;hmvc 7;", Problem{Mate: 2}, ""},
		{0, crown + ` c0 "depth=12"; c0 "f8=R"; c0 ""; c0; c9 "bm f8=Q;"; pv f8=R Kh6;`, Problem{}, ""},
		{0, crown + ` c0 "f8=R=10, e4=2"`, Problem{}, `c0: move "e4": illegal`},
		{0, crown + ` c0 "f8=R=-1, f8=Q=1001"`, Problem{}, ""},
		{0, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - bm e1f3", Problem{Best: []string{"e1f3"}}, ""},
		{0, crown + ` bm f8`, Problem{}, `bm: move "f8": illegal`},
		{0, crown + ` bm f8=R id "no semicolon"`, Problem{}, `bm: move "id": it cannot be read`},
		{0, crown + ` bm;`, Problem{}, "bm: no move"},
		{0, crown + ` am ,;`, Problem{}, "am: no move"},
		{0, crown + ` dm two;`, Problem{}, "dm two is not a number of moves"},
		{0, crown + ` id "open; bm f8=R;`, Problem{}, "id: the quotes are not closed"},
		{0, crown + ` "; bm f8=R;`, Problem{}, `";: the quotes are not closed`},
		{0, crown + ` bm ` + strings.Repeat("x", 1<<16), Problem{}, `bm: move "xxxxxxxxxxxxxxxxxxxx": it cannot be read`},
		{0, ladder + " bm Rd1 R1;", Problem{}, `bm: move "R1": it cannot be read`},
		{0, "4k3/8/8/8/8/8/4K3/R6R w - - bm Rd1;", Problem{}, `bm: move "Rd1": ambiguous, it may be a1d1 or h1d1`},
		{0, "4k3/8/8/8/8/8/4K3/R6R w - - bm --;", Problem{}, `bm: move "--": a null move, which the rules do not have`},
		{0, "8/8/8 w - - bm e4;", Problem{}, `FEN: placement "8/8/8" at 1: ends on rank 6 after 8 squares`},
		{0, ";", Problem{}, `FEN: placement ";" at 1: neither a piece nor a number of empty squares`},
		{0, "8/8/8/8/8/8/8/8", Problem{}, `FEN: placement "8/8/8/8/8/8/8/8" at 1: White has 0 kings`},
		{1, golds + ` bm G*1b 1c1b; dm 1; id "gold"`, Problem{ID: "gold", Best: []string{"G*1b", "1c1b"}, Mate: 1}, ""},
		{1, "sfen " + golds + " am 2i2h", Problem{Avoid: []string{"2i2h"}}, ""},
		{1, golds + ` c0 "G*1b=5,2i2h=1"`, Problem{Points: map[string]int{"G*1b": 5, "2i2h": 1}}, ""},
		{1, golds + " bm 2i9i;", Problem{}, `bm: move "2i9i": the piece on 2i cannot go there`},
		{1, golds + " bm P-1b;", Problem{}, `bm: move "P-1b": not of the form 7g7f, 8h2b+ or P*5e`},
		{1, golds + " moves 2i2h", Problem{}, `sfen: move number "moves" at 31: nothing may follow it`},
	} {
		got, err := Lists[c.list].Problem(c.line)
		if c.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%.200q: %v, want %s", c.line, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.line, err)
			continue
		}
		if c.want.Setup, c.want.board = got.Setup, got.board; fmt.Sprint(*got) != fmt.Sprint(c.want) {
			t.Errorf("%q: %+v, want %+v", c.line, *got, c.want)
		}
	}
}

// TestJudge: right and wrong moves and mates; a line that states several things is right only if all hold.
func TestJudge(t *testing.T) {
	cp := search.Score{Centipawns: 30}
	mate := func(plies int) search.Score { return search.Score{Mate: true, Plies: plies} }
	for _, c := range []struct {
		operations, move string
		score            search.Score
		wrong            string
		judged           bool
	}{
		{"", "f7f8r", cp, "", false},
		{`c0 "f8=R=1"`, "f7f8r", cp, "", false},
		{"bm f8=R Kf5", "f7f8r", cp, "", true},
		{"bm f8=R Kf5", "f7f8q", cp, "f8=Q, not f8=R or Kf5", true},
		{"bm f8=R", "", cp, "no move, not f8=R", true},
		{"am f8=Q f8=B", "f7f8q", cp, "f8=Q is to be avoided", true},
		{"am f8=Q", "f7f8r", cp, "", true},
		{"bm f8=R; am f8=R", "f7f8r", cp, "f8=R is to be avoided", true},
		{"dm 2", "f7f8r", mate(3), "", true},
		{"dm 2", "f7f8r", mate(1), "", true},
		{"dm 2", "f7f8r", mate(5), "mate 3, not mate 2", true},
		{"dm 2", "f7f8r", mate(-2), "mate -1, not mate 2", true},
		{"dm 2", "f7f8r", cp, "cp 30, not mate 2", true},
		{"dm -2", "f7f8r", mate(-4), "", true},
		{"dm -2", "f7f8r", mate(-6), "mate -3, not mate -2", true},
		{"dm -2", "f7f8r", mate(0), "mate 0, not mate -2", true},
		{"bm f8=R; dm 2", "f7f8r", cp, "cp 30, not mate 2", true},
	} {
		p, err := Lists[0].Problem(crown + " " + c.operations)
		if err != nil {
			t.Fatal(err)
		}
		if wrong, judged := p.Judge(c.move, c.score); wrong != c.wrong || judged != c.judged {
			t.Errorf("%s: %s, %v: %q, %v", c.operations, c.move, c.score, wrong, judged)
		}
	}
}

// TestRecogniseList: a list begins with a rank of 8 or 9 squares; games do not.
func TestRecogniseList(t *testing.T) {
	for text, want := range map[string]*List{
		"": nil, "/": nil, "8": nil, "startpos": nil, "9/": Lists[1], "7/": nil, "8/w": Lists[0],
		"\ufeff\r\n fen rnbqkbnr/pppp": Lists[0], "\"8/8": Lists[0], "[FEN \"8/8": nil, "sfen lnsgkgsnl/1r5b1/": Lists[1],
		"+P7+p/9": Lists[1], "1. e4 e5": nil, "[Event \"a/b\"]": nil, "V2.2\nN+a/b": nil, "+7776FU\n/": nil,
		"P1-KY/": nil, "# rnbqkbnr/": nil, "#\n\n#8/\n8/": Lists[0], "#KIF\n手合割": nil, "手合割：平手": nil, "rnbxkbnr/": nil,
	} {
		if got := RecogniseList([]byte(text)); got != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
	for path, want := range map[string]*List{
		"a.EPD": Lists[0], "a.fen": Lists[0], "b.sfen": Lists[1], "a.pgn": nil, "epd": nil,
	} {
		if got := ListOf(path); got != want {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

// FuzzProblem: a line is refused, or its position can be read again, and its moves are legal there.
func FuzzProblem(f *testing.F) {
	f.Add(0, crown+` bm f8=R f7f8r; dm 2; id "a; b"; c0 "f8=R=10, f7f8q=1"`)
	f.Add(0, ladder+` am O-O O-O-O, Rd1; bm #-3;`)
	f.Add(1, "sfen "+golds+` bm G*1b; am 2i2h; dm 1; id "open`)
	f.Fuzz(func(t *testing.T, list int, line string) {
		l := Lists[list&1]
		p, err := l.Problem(line)
		if err != nil {
			return
		}
		q, err := l.Problem(p.Setup)
		if err != nil || q.Setup != p.Setup {
			t.Fatalf("%q: %q, %v", line, p.Setup, err)
		}
		for _, move := range append(p.Best, p.Avoid...) {
			if again, err := q.board.parse(move); err != nil || again != move {
				t.Errorf("%q: %s, %s, %v", line, move, again, err)
			}
			if name, err := q.board.parse(p.Name(move)); err != nil || name != move {
				t.Errorf("%q: %s is named %s, %v", line, move, p.Name(move), err)
			}
			p.LineText([]string{move, "", "\x00"})
		}
		if again, err := l.Problem(line); err != nil || !reflect.DeepEqual(p.Points, again.Points) {
			t.Errorf("%q: %v, %v", line, again, err)
		}
	})
}
