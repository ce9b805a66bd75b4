package kifu

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/shogi"
)

// TestWriteCSA: a game that is written in CSA has the same position, moves, headers, comments, times and end when it is
// read again.
func TestWriteCSA(t *testing.T) {
	for _, c := range []struct {
		setup string
		moves []string
		end   string
	}{
		{shogi.StartSFEN, []string{"7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"}, "投了"},
		{shogi.StartSFEN, nil, "引分け"},
		{"4k4/9/4P4/9/9/9/9/9/4K4 b G 1", []string{"G*5b"}, "詰み"},
		{"+P+R+B+S+N+L1k1/9/9/9/9/9/9/9/4K4 w 2S11Pr3g 1", []string{"R*5b"}, "まで1手で後手の勝ち"},
		{"4k4/9/9/9/9/9/9/9/4K4 b R10Pb 1", nil, ""},
	} {
		tree := game.Line(c.moves, c.end)
		tree.Headers = [][2]string{{"先手", "甲,乙"}, {"上手", "B"}, {"棋戦", "x"}, {"備考", "a：b:c"}}
		tree.Comment(0, "first", "*star\n+7776FU", "")
		if len(c.moves) > 1 {
			tree.Nodes[2].Time = "( 1:02/00:01:02)"
			tree.Add(1, "8c8d") // a variation, which CSA does not have
		}
		var b strings.Builder
		if err := WriteCSA(&b, c.setup, tree); err != nil {
			t.Fatal(err)
		}
		g, err := NewReader(strings.NewReader(b.String()), CSA).Next()
		if err != nil {
			t.Fatalf("%s\n%v", b.String(), err)
		}
		read := g.Tree()
		if g.Setup != c.setup || !slices.Equal(g.Moves, c.moves) || len(read.Nodes) != len(c.moves)+1 {
			t.Errorf("%s\n%+v", b.String(), g)
		}
		if want := [][2]string{{"先手", "甲,乙"}, {"後手", "B"}, {"棋戦", "x"}, {"備考", "a：b:c"}}; !slices.Equal(read.Headers, want) {
			t.Errorf("%s\n%q", b.String(), read.Headers)
		}
		comments, end := []string{"first", "*star", "+7776FU", ""}, c.end
		switch end {
		case "引分け":
			end = "引き分け"
		case "まで1手で後手の勝ち": // no word of CSA
			if end = ""; !slices.Equal(read.Nodes[1].Comments, []string{c.end}) {
				t.Errorf("%s\n%q", b.String(), read.Nodes[1].Comments)
			}
		}
		if last := read.Nodes[len(read.Nodes)-1]; last.End != end || !slices.Equal(read.Nodes[0].Comments, comments) {
			t.Errorf("%s\n%q %q", b.String(), last.End, read.Nodes[0].Comments)
		}
		if len(c.moves) > 1 && read.Nodes[2].Time != "( 1:02/00:01:02)" {
			t.Errorf("%s\n%q", b.String(), read.Nodes[2].Time)
		}
	}
	const want = "'CSA encoding=UTF-8\nV2.2\nN+A\nN-B\nP1 *  *  *  * -OU *  *  *  * \n"
	tree := game.Line([]string{"G*5b"}, "詰み")
	tree.Headers = [][2]string{{"先手", "A"}, {"後手", "B"}}
	var b strings.Builder
	if err := WriteCSA(&b, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", tree); err != nil || !strings.HasPrefix(b.String(), want) ||
		!strings.HasSuffix(b.String(), "P+00KI\n+\n+0052KI\n%TSUMI\n") {
		t.Errorf("%v: %s", err, b.String())
	}
	if err := WriteCSA(new(strings.Builder), shogi.StartSFEN, game.Line([]string{"7g7f", "7g7f"}, "")); err == nil ||
		!strings.HasPrefix(err.Error(), "move 2: ") {
		t.Error(err)
	}
}

// TestCarriageReturns: lines of CSA may end with CR alone, and do when they are written.
func TestCarriageReturns(t *testing.T) {
	parts := []string{"V2.2\rPI\r+\r+7776FU\rT1\r/\r", "'second\rPI\r+\r+2726FU\r%TORYO\r"}
	games, errs := readAll(strings.Join(parts, ""), CSA)
	if len(errs) > 0 || len(games) != len(parts) {
		t.Fatalf("%d games, %q", len(games), errs)
	}
	for i, g := range games {
		var b strings.Builder
		if _, err := g.WriteTo(&b); err != nil || b.String() != parts[i] || len(g.Moves) != 1 {
			t.Errorf("%q is written as %q, %v", parts[i], b.String(), err)
		}
	}
	if _, errs := readAll(parts[0]+"hello\r", CSA); len(errs) != 1 || !strings.HasPrefix(errs[0], "game 2, line 7: ") {
		t.Errorf("%q", errs)
	}
}

// TestEnds: the words for the ends of games, which for a foul depend on the side to move.
func TestEnds(t *testing.T) {
	const move = `{"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}}},{"special":"%s"}]}`
	for _, c := range []struct{ special, end string }{ // White is to move
		{"+ILLEGAL_ACTION", "反則勝ち"}, {"-ILLEGAL_ACTION", "反則負け"}, {"ILLEGAL_ACTION", "反則勝ち"}, {"ILLEGAL_MOVE", "反則負け"},
		{"MATTA", "中断"}, {"ERROR", "中断"}, {"TIME_UP", "切れ負け"}, {"MAX_MOVES", "持将棋"},
	} {
		for text, format := range map[string]Format{"PI\n+\n+7776FU\n%" + c.special: CSA, fmt.Sprintf(move, c.special): JKF} {
			games, errs := readAll(text, format)
			if len(errs) > 0 || len(games) != 1 {
				t.Errorf("%s: %q", text, errs)
			} else if n := games[0].Tree().Nodes[1]; n.End != c.end || games[0].Drawn != (c.end == "持将棋") {
				t.Errorf("%s: %+v, drawn: %v, want %s", text, n, games[0].Drawn, c.end)
			}
		}
	}
	for _, c := range []struct {
		end   string
		plies int
		want  string
	}{
		{"反則勝ち", 1, "%+ILLEGAL_ACTION"}, {"反則勝ち", 2, "%-ILLEGAL_ACTION"}, {"反則負け", 1, "%ILLEGAL_MOVE"},
		{"中断", 1, "%CHUDAN"}, {"時間切れ", 1, "%TIME_UP"}, {"宣言勝ち", 1, "%KACHI"}, {"封じ手", 1, "'*封じ手"},
	} {
		var b strings.Builder
		err := WriteCSA(&b, shogi.StartSFEN, game.Line([]string{"7g7f", "3c3d"}[:c.plies], c.end))
		if err != nil || !strings.HasSuffix(b.String(), "\n"+c.want+"\n") {
			t.Errorf("%s: %v, %s", c.end, err, b.String())
		}
	}
}
