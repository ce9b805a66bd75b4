package analysis

import (
	"io"
	"strings"
	"testing"

	"trefoil/search"
)

const shortKIF = `手合割：平手
先手：甲
手数----指手---------消費時間--
**解析 深さ 1 ノード数 1 評価値 1 読み筋 ▲７六歩(77)
   1 ７六歩(77)
*a comment
   2 ３四歩(33)
*#詰み=先手勝ち:1手
   3 ２二角成(88)
*【悪手】of before
   4 投了
`

// TestKIF: scores are Black's, mates are named, and the lines of an earlier analysis are replaced.
func TestKIF(t *testing.T) {
	e := &fake{infos: map[int]search.Info{
		0: centipawns(50, "2g2f"), 1: centipawns(-20, "3c3d"), 2: centipawns(400, "2g2f", "8c8d"), 3: mateIn(3, "3a2b"),
	}}
	record, err := kifFormat.Open(strings.NewReader(shortKIF))()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(t.Context(), e, record.Game(), record.Scale(), search.Limits{}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	record.Annotate(r, "Test")
	var b strings.Builder
	if _, err := record.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	const want = `手合割：平手
先手：甲
手数----指手---------消費時間--
**解析 深さ 5 ノード数 10 評価値 50 読み筋 ▲２六歩(27)
   1 ７六歩(77)
*a comment
**解析 深さ 5 ノード数 10 評価値 20 読み筋 △３四歩(33)
   2 ３四歩(33)
**解析 深さ 5 ノード数 10 評価値 400 読み筋 ▲２六歩(27) △８四歩(83)
   3 ２二角成(88)
*【悪手】期待勝率 -66% 最善手 ▲２六歩(27)
*#詰み=後手勝ち:3手
**解析 深さ 5 ノード数 10 評価値 -30000 読み筋 △２二銀(31)
   4 投了
`
	if b.String() != want {
		t.Error(b.String())
	}
	if record.Title() != "甲 - ? 投了" || record.MoveText(0) != "1 ▲７六歩(77)" ||
		record.MoveText(2) != "3 ▲２二角成(88)" || len(record.Positions()) != 4 {
		t.Errorf("%s, %s, %v", record.Title(), record.MoveText(2), record.Positions())
	}
}

// TestLongLine: a best line is written up to its twelfth move.
func TestLongLine(t *testing.T) {
	for _, c := range []struct {
		open       func(io.Reader) func() (Record, error)
		game, line string
		words      int
	}{
		{kifFormat.Open, shortKIF, "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h 8e8f 8g8f", 12},
		{openPGN, legal, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3", 18}, // with numbers
	} {
		record, err := c.open(strings.NewReader(c.game))()
		if err != nil {
			t.Fatal(err)
		}
		if text := record.LineText(0, strings.Fields(c.line)); len(strings.Fields(text)) != c.words {
			t.Error(text)
		}
	}
}

// TestCSA: White moves first, and the comments are in the form of CSA.
func TestCSA(t *testing.T) {
	record, err := csaFormat.Open(strings.NewReader("PI82HI22KA\n-\n-3122GI\n%SENNICHITE\n"))()
	if err != nil {
		t.Fatal(err)
	}
	g := record.Game()
	if g.First != 1 || !g.Drawn {
		t.Errorf("%+v", g)
	}
	r, err := Analyse(t.Context(), &fake{infos: map[int]search.Info{0: centipawns(50, "3a2b"),
		1: centipawns(9, "7g7f")}}, g, record.Scale(), search.Limits{}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	record.Annotate(r, "Test")
	var b strings.Builder
	if _, err := record.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if want := "PI82HI22KA\n-\n'**解析 深さ 5 ノード数 10 評価値 -50 読み筋 △２二銀(31)\n-3122GI\n%SENNICHITE\n"; b.String() != want {
		t.Errorf("%s", b.String())
	}
}

// TestChecks: a file that is no game is not replaced.
func TestChecks(t *testing.T) {
	for _, c := range []struct {
		format *Format
		head   string
		want   bool
	}{
		{&pgnFormat, "[Event", true}, {&pgnFormat, "\ufeff[Event", true}, {&pgnFormat, "Event", false},
		{&kifFormat, "# KIF", true}, {&kifFormat, "手合割：平手", true}, {&kifFormat, "\x8e\xe8\x8d\x87\x8a\x84\x81\x46", true}, {&kifFormat, "hello", false},
		{&csaFormat, "V2.2", true}, {&csaFormat, "'CSA encoding=UTF-8", true}, {&csaFormat, "hello", false},
	} {
		if err := c.format.Check([]byte(c.head)); (err == nil) != c.want {
			t.Errorf("%s %q: %v", c.format.Name, c.head, err)
		}
	}
}
