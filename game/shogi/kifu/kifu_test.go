package kifu

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"

	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
)

// readAll returns the games of a text and its errors.
func readAll(text string, format Format) (games []*Game, errs []string) {
	for r := NewReader(strings.NewReader(text), format); ; {
		g, err := r.Next()
		if err == io.EOF {
			return games, errs
		}
		if err != nil {
			errs = append(errs, err.Error())
			if bad := (*Error)(nil); !errors.As(err, &bad) {
				return games, errs
			}
			continue
		}
		games = append(games, g)
	}
}

const kif = `# KIF version=2.0 encoding=UTF-8
開始日時：2026/11/22 10:00:00
手合割：平手
先手：甲
後手：乙
手数----指手---------消費時間--
*before
   1 ７六歩(77)   ( 0:01/00:00:01)
*first
*second
   2 ３四歩(33)   ( 0:02/00:00:02)
   3 ２二角成(88) ( 0:01/00:00:02)
   4 同　銀(31)   ( 0:01/00:00:03)
&mark
   5 ４五角打     ( 0:01/00:00:03)
   6 中断
まで5手で中断

変化：3手
   3 ２六歩(27)
*of the variation
`

const csa = `V2.2
N+Black
N-White
$EVENT:made up
PI
'a comment
+
'*before
+7776FU
T1
'** 30 -3334FU
-3334FU,T2
+8822UM
-3122GI
+0045KA
%CHUDAN
`

const moves = "7g7f 3c3d 8h2b+ 3a2b B*4e"

// TestSetupLines: the pieces of a first position may share a line, as moves may.
func TestSetupLines(t *testing.T) {
	games, errs := readAll("P1-KY-KE-GI-KI-OU-KI-GI-KE-KY,P2 * -HI,P9 *  *  *  * +OU\nP+00FU,-\n-8222HI", CSA)
	if len(errs) > 0 || len(games) != 1 || games[0].Setup != "lnsgkgsnl/1r7/9/9/9/9/9/9/4K4 w P 1" {
		t.Errorf("%+v, %q", games, errs)
	}
}

// annotate comments all positions.
func annotate(g *Game) string {
	for i := 0; i <= len(g.Moves); i++ {
		g.Comment(i, "new "+string(rune('0'+i)))
	}
	var b strings.Builder
	if _, err := g.WriteTo(&b); err != nil {
		return err.Error()
	}
	return b.String()
}

// TestKIF: comments are added behind those that are there; everything else stays.
func TestKIF(t *testing.T) {
	games, errs := readAll(kif, KIF)
	if len(errs) > 0 || len(games) != 1 {
		t.Fatal(errs)
	}
	g := games[0]
	if strings.Join(g.Moves, " ") != moves || g.Names != [2]string{"甲", "乙"} || g.End != "中断" || g.Drawn ||
		g.Setup != shogi.StartSFEN {
		t.Errorf("%+v", g)
	}
	if line := g.Line(2, []string{"8h2b+", "3a2b", "B*4e", "9a9a"}, 9); line != "▲２二角成(88) △２二銀(31) ▲４五角打" {
		t.Error(line)
	}
	if p := g.Positions(); len(p) != 6 || p[0] != shogi.StartSFEN ||
		p[5] != "lnsgkg1nl/1r5s1/pppppp1pp/6p2/5B3/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6" {
		t.Errorf("%q", p)
	}
	want := kif
	for _, c := range [][2]string{
		{"*before\n", "*before\n*new 0\n"}, {"*second\n", "*second\n*new 1\n"}, {"   3 ２二", "*new 2\n   3 ２二"}, {"   4 同", "*new 3\n   4 同"},
		{"&mark\n", "&mark\n*new 4\n"}, {"   6 中断", "*new 5\n   6 中断"},
	} {
		want = strings.Replace(want, c[0], c[1], 1)
	}
	got := annotate(g)
	if got != want {
		t.Errorf("%s", got)
	}
	again, _ := readAll(got, KIF)
	again[0].RemoveComments(func(line string) bool { return strings.HasPrefix(line, "new ") })
	var b strings.Builder
	if _, err := again[0].WriteTo(&b); err != nil || b.String() != kif {
		t.Errorf("%v: %s", err, b.String())
	}
}

// TestCommentsOfTheFile: comments that stay keep their places when others are removed, also in a game without an end.
func TestCommentsOfTheFile(t *testing.T) {
	const game = "*a\n手合割：平手\n*b\n*a\n1 ７六歩(77)\n*a\n*b\n2 ３四歩(33)\n*b\n*a\n\nまで2手\n\n"
	const want = "手合割：平手\n*b\n*new 0\n1 ７六歩(77)\n*b\n*new 1\n2 ３四歩(33)\n*b\n*new 2\n\nまで2手\n"
	games, errs := readAll(game, KIF)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	games[0].RemoveComments(func(line string) bool { return line == "a" })
	if got := annotate(games[0]); got != want {
		t.Errorf("%s", got)
	}
}

// TestSeparators: more than one separator of games is as good as one.
func TestSeparators(t *testing.T) {
	games, errs := readAll("/\n\n/\n+\n+7776FU\n/\n \n/ \r\n+\n%TORYO\n/\n/\n", CSA)
	if len(errs) > 0 || len(games) != 2 || len(games[0].Moves) != 1 || games[1].End != "TORYO" {
		t.Errorf("%d games, %q", len(games), errs)
	}
}

// TestLongLine: a line may be long; errors after it have the right number.
func TestLongLine(t *testing.T) {
	_, errs := readAll("手合割：平手\n*"+strings.Repeat("long ", 4000)+"\n1 謎の手\n", KIF)
	if len(errs) != 1 || !strings.HasPrefix(errs[0], "game 1, line 3: ") {
		t.Errorf("%q", errs)
	}
	for _, text := range []string{"+\n+7776FU\n", "+\n'" + strings.Repeat("long ", 4000) + "\n"} {
		_, errs = readAll(text+"/\nhello\n", CSA)
		if len(errs) != 1 || !strings.HasPrefix(errs[0], "game 2, line 4: ") {
			t.Errorf("%q", errs)
		}
	}
}

// TestLongGame: a game that is too long is skipped.
func TestLongGame(t *testing.T) {
	games, errs := readAll("+\n'"+strings.Repeat("x", maxGame)+"\n/\n+\n+7776FU\n", CSA)
	if len(games) != 1 || len(games[0].Moves) != 1 || len(errs) != 1 || errs[0] != "game 1: it has more than 16 MiB" {
		t.Errorf("%d games, %q", len(games), errs)
	}
}

// TestCSA is the same for CSA; statements that share a line are separated.
func TestCSA(t *testing.T) {
	games, errs := readAll(csa, CSA)
	if len(errs) > 0 || len(games) != 1 {
		t.Fatal(errs)
	}
	g := games[0]
	if strings.Join(g.Moves, " ") != moves || g.Names != [2]string{"Black", "White"} || g.End != "CHUDAN" ||
		g.Side(0) != shogi.Black {
		t.Errorf("%+v", g)
	}
	want := strings.Replace(csa, "FU,T2", "FU\nT2", 1)
	for _, c := range [][2]string{
		{"'*before\n", "'*before\n'*new 0\n"}, {"-3334FU\nT2", "'*new 1\n-3334FU\nT2\n'*new 2"}, {"-3122", "'*new 3\n-3122"}, {"+0045", "'*new 4\n+0045"}, {"%C", "'*new 5\n%C"},
	} {
		i := strings.LastIndex(want, c[0])
		want = want[:i] + c[1] + want[i+len(c[0]):]
	}
	if got := annotate(g); got != want {
		t.Errorf("%s", got)
	}
}

// TestEncodings: files are written in the encoding and with the line ends in which they were read.
func TestEncodings(t *testing.T) {
	sjis, err := japanese.ShiftJIS.NewEncoder().String(kif)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{sjis, "\ufeff" + kif, strings.ReplaceAll(kif, "\n", "\r\n"),
		strings.ReplaceAll(sjis, "\n", "\r\n")} {
		games, errs := readAll(text, KIF)
		if len(errs) > 0 || strings.Join(games[0].Moves, " ") != moves {
			t.Fatalf("%v", errs)
		}
		var b strings.Builder
		if _, err := games[0].WriteTo(&b); err != nil || b.String() != text {
			t.Errorf("%v: %q, want %q", err, b.String(), text)
		}
	}
	if games, errs := readAll("\ufeff+\n+7776FU\n", CSA); len(games) != 1 {
		t.Errorf("CSA behind a byte order mark: %q", errs)
	}
	for _, text := range []string{"\xff\xff\xff", sjis + "\x80"} {
		if _, errs := readAll(text, KIF); len(errs) != 1 || errs[0] != "game 1: it is neither UTF-8 nor Shift_JIS" {
			t.Error(errs)
		}
	}
	games, _ := readAll(sjis, KIF)
	games[0].Comment(0, "♜")
	if n, err := games[0].WriteTo(io.Discard); n != 0 || err == nil {
		t.Errorf("a comment that is not in Shift_JIS: %d bytes, %v", n, err)
	}
}

// TestPositions: first positions by handicap, by diagram and by the statements of CSA.
func TestPositions(t *testing.T) {
	const diagram = `後手の持駒：角　金二　歩十六
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・ ・ ・ ・v桂v玉|一
| ・ ・ ・ ・ ・ ・v歩 ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ 龍 ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ 全 ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：飛
`
	const rows = "7nk/6p2/7+R1/9/9/9/9/7+S1/9"
	const csaRows = "P1 *  *  *  *  *  *  * -KE-OU\nP2 *  *  *  *  *  * -FU\nP3 *  *  *  *  *  *  * +RY *\nP4\nP5\nP6\nP7\nP8 *  *  *  *  *  *  * +NG *\nP9\n"
	for text, want := range map[string]string{
		"手合割：香落ち\n":                                   "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
		"手合割：六枚落ち\n上手：x\n":                            "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
		"手合割：平手　　\n":                                  shogi.StartSFEN,
		"手合割：平手\n後手番\n":                               strings.Replace(shogi.StartSFEN, " b ", " w ", 1),
		"手合割：三枚落ち\n":                                  "1nsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
		"手合割：五枚落ち\n":                                  "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
		"手合割：左五枚落ち\n":                                 "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
		"手合割：左七枚落ち\n":                                 "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
		"手合割：右七枚落ち\n":                                 "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
		"手合割：詰将棋\n" + diagram:                         rows + " b Rb2g16p 1",
		strings.ReplaceAll(diagram, "・v", "・V"):       rows + " b Rb2g16p 1",
		diagram + "後手番\n":                             rows + " w Rb2g16p 1",
		"V2.2\nPI82HI22KA\n-\n":                       "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
		"V2.2\n+\n":                                   shogi.StartSFEN,
		csaRows + "P+00HI\nP-00KA00KI00KI\n+\n":       rows + " b Rb2g 1",
		"P-21KE11OU32FU00HI\nP+23RY28NG\nP+00AL\n+\n": rows + " b 2B4G3S3N4L17Pr 1",
		"P-21KE11OU32FU\nP+23RY28NG00HI\nP-00AL\n+\n": rows + " b R2b4g3s3n4l17p 1",
	} {
		format := KIF
		if strings.HasSuffix(text, "+\n") || strings.HasSuffix(text, "-\n") {
			format = CSA
		}
		games, errs := readAll(text, format)
		if len(errs) > 0 || len(games) != 1 || games[0].Setup != want {
			t.Errorf("%q: %v", text, errs)
			for _, g := range games {
				t.Errorf("  %s, want %s", g.Setup, want)
			}
		}
	}
}

// TestMoves: what programs write, and how games end.
func TestMoves(t *testing.T) {
	for text, want := range map[string]string{
		"1 ▲７六歩(77)\n2 △３四歩(33)\n3 ▲２二角不成(88)\n4 △同銀(31)\n5 千日手": "7g7f 3c3d 8h2b 3a2b 千日手 true",
		"1 76歩(77)\n2 投了 ( 0:01/0:0:1)\n":                        "7g7f 投了 false",
		"1 ７六歩(77)\n変化：1手\n1 ２六歩(27)":                            "7g7f false",
		"1 ７六歩(77)+\n": "",
		"":             " false",
	} {
		games, errs := readAll("手合割：平手\n"+text, KIF)
		got := ""
		if len(games) > 0 {
			got = strings.TrimLeft(strings.Join(games[0].Moves, " ")+" "+games[0].End+
				map[bool]string{true: " true", false: " false"}[games[0].Drawn], "")
		}
		if want != "" && (len(errs) > 0 ||
			strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ")) ||
			want == "" && len(errs) != 1 {
			t.Errorf("%q: %q, %v", text, got, errs)
		}
	}
}

// TestCut: a game with an error is read up to it, and written with all its lines.
func TestCut(t *testing.T) {
	for text, format := range map[string]Format{
		"手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角(22)\n4 反則負け\n":   KIF,
		"手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n▲２六歩\n":                KIF,
		"V2.2\nPI\n+\n+7776FU,T1\n-3334FU\n+2288KA\n%TORYO\n": CSA,
		// A second game.
		"手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\nまで2手で後手の勝ち\n手合割：平手\n1 ２六歩(27)\n":  KIF,
		"手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n\n1 ２六歩(27)\n":                    KIF,
		"PI\n+\n+7776FU\n-3334FU\n%TORYO\nT1\n'*end\nPI\n+\n+2726FU\n%TORYO\n": CSA,
	} {
		g, err := NewReader(strings.NewReader(text), format).Next()
		var out strings.Builder
		switch {
		case g == nil || err == nil:
			t.Errorf("%q: game %v, error %v", text, g, err)
		case strings.Join(g.Moves, " ") != "7g7f 3c3d":
			t.Errorf("%q: moves %q", text, g.Moves)
		default:
			want := strings.ReplaceAll(text, ",T", "\nT") // each statement of CSA gets a line
			if _, err := g.WriteTo(&out); err != nil || out.String() != want {
				t.Errorf("%q is written as %q, %v", text, out.String(), err)
			}
		}
	}
	for _, word := range []string{"宣言勝ち", "トライ", "時間切れ"} {
		games, errs := readAll("手合割：平手\n　1　７六歩(77)\n　2　"+word+"\n", KIF)
		if len(errs) > 0 || len(games) != 1 || games[0].End != word || len(games[0].Moves) != 1 {
			t.Errorf("%s: %v, %q", word, games, errs)
		}
	}
}

// TestErrors: an error names the line and the move; of several games in a file the others are read.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"手合割：平手\n1 ７六歩(77)\n2 ３四歩(34)":                             `game 1, line 3: move 2 "３四歩(34)": there is no 歩 on 3d`,
		"手合割：平手\n1 ７五歩(77)":                                        `game 1, line 2: move 1 "７五歩(77)": the piece on 7g cannot go there`,
		"手合割：平手\n1 ７六歩":                                            `game 1, line 2: move 1 "７六歩": the square that it comes from is missing`,
		"手合割：平手\n1 同　歩(77)":                                        `game 1, line 2: move 1 "同 歩(77)": there is no move before it`,
		"手合割：平手\n1 ５五角打":                                           `game 1, line 2: move 1 "５五角打": `,
		"手合割：平手\n1 ７六歩(77)\n△３四歩\n":                                `game 1, line 3: "△３四歩": a move without its number`,
		"手合割：平手\n1 ７六歩(77)\n2 投了\n手合割：平手\n":                        `game 1, line 4: a second game; a KIF file has one`,
		"変化：1手\n1 ７六歩(77)":                                         `game 1: it has neither a KIF move nor a header`,
		"[Event \"?\"]\n\n1. e4 *":                                 `game 1: it has neither a KIF move nor a header`,
		"手合割：平手\n1 謎の手":                                            `game 1, line 2: move 1 "謎の手": it cannot be read`,
		"手合割：謎\n1 ７六歩(77)":                                         `game 1: 手合割 "謎" is unknown, and there is no diagram`,
		"|v香|一\n1 ７六歩(77)":                                         `game 1: the diagram has 1 rows, not 9`,
		strings.Repeat("|v香|一\n", 9):                               `game 1: row 1 of the diagram has fewer than 9 squares: `,
		strings.Repeat("|謎謎謎謎謎謎謎謎謎謎謎謎謎謎謎謎謎謎|\n", 9):                `game 1: row 1 of the diagram: "謎" is not a piece`,
		strings.Repeat("| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n", 9):                `game 1: sfen: `,
		strings.Repeat("| ・ ・ ・ ・ ・ ・ ・ ・ 玉|\n", 9) + "先手の持駒：王":    `game 1: "王" are not pieces in hand`,
		strings.Repeat("| ・ ・ ・ ・ ・ ・ ・ ・ 玉|\n", 9) + "先手の持駒：歩１２３": `game 1: "歩１２３" are not pieces in hand`,
		"手合割：平手\n" + strings.Repeat("1 ３八飛(28)\n1 ７二飛(82)\n1 ２八飛(38)\n1 ８二飛(72)\n", maxMoves/4+1): fmt.Sprintf(`game 1, line %d: move %d "３八飛(28)": the game has more than %d moves`, maxMoves+2, maxMoves+1, maxMoves),
	} {
		if _, errs := readAll(text, KIF); len(errs) != 1 || !strings.HasPrefix(errs[0], want) {
			t.Errorf("%q: %q, want %q", text, errs, want)
		}
	}
	for text, want := range map[string]string{
		"+\n+7775FU":                        `line 5: move 1 "+7775FU": the piece on 7g cannot go there`,
		"+\n-3334FU":                        `line 5: move 1 "-3334FU": the other side is to move`,
		"+\n+7776KA":                        `line 5: move 1 "+7776KA": there is no such piece on 7g`,
		"+\n+7776XX":                        `line 5: move 1 "+7776XX": "XX" is not a piece`,
		"+\n+0055TO":                        `line 5: move 1 "+0055TO": a king or a promoted piece is dropped`,
		"+\n+7776FU,+7675F":                 `line 5: move 2 "+7675F": it cannot be read`,
		"+\n+1055FU":                        `line 5: move 1 "+1055FU": it cannot be read`,
		"+\n+0155FU":                        `line 5: move 1 "+0155FU": it cannot be read`,
		"+\n+7776FU\n%TORYO\nV2.2":          `line 7: a second game without a line / before it`,
		"N+x":                               `the side to move is missing`,
		"hello\n+":                          `line 4: it cannot be read: "hello"`,
		"P\n+":                              `line 4: it cannot be read: "P"`,
		"P1XX\n+":                           `line 4: row 1: "XX " is not a piece`,
		"P1-KY-KE-GI-KI-OU-KI-GI-KE-KYx\n+": `line 4: row 1: "x" after its nine squares`,
		"P+00OU\n+":                         `line 4: a king or a promoted piece in hand`,
		"P+1FU\n+":                          `line 4: "1FU" is not a piece on a square`,
		"PI55FU\n+":                         `line 4: there is no such piece on 55`,
		"P+55FU\n+":                         `line 5: sfen: `,
	} {
		games, errs := readAll("+\n+7776FU\n/ \n"+text+"\n/\nN+last\n+\n%TORYO\n", CSA)
		if len(games) != 2 || len(errs) != 1 ||
			!strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(errs[0], "game 2"), ",: "), want) ||
			games[1].Names[0] != "last" {
			t.Errorf("%q: %d games, %q, want %q", text, len(games), errs, want)
		}
	}
}

// TestRandomGames: games written move by move in KIF, KI2, CSA, JKF and USI are read as they were played.
func TestRandomGames(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		p := gametest.Shogi(t, shogi.StartSFEN)
		kif, csa := "手合割：平手\n", "PI\n+\n"
		var played []string
		for i := range 200 {
			var legal game.List
			if p.Moves(game.All, &legal); legal.Len() == 0 {
				break
			}
			m := legal.At(random.IntN(legal.Len()))
			kif += fmt.Sprintf("%4d %s ( 0:01/00:00:01)\n", i+1, moveText(m))
			csa += csaText(m) + ",T1\n"
			played = append(played, p.Text(m))
			p.Make(m)
		}
		other := []string{KIF: ki2Text(t, played), CSA: csa, JKF: jkfText(t, played),
			USI: "position startpos moves " + strings.Join(played, " ")}
		for format, text := range append(other, kif) {
			format %= len(other)
			games, errs := readAll(text, Format(format))
			if len(errs) > 0 || !slices.Equal(games[0].Moves, played) {
				t.Fatalf("%q, want %q", errs, played)
			}
			if sfens := games[0].Positions(); sfens[len(sfens)-1] != p.SFEN() {
				t.Errorf("%s, want %s", sfens[len(sfens)-1], p.SFEN())
			}
		}
	}
}

// csaText writes a move as CSA does.
func csaText(m game.Move) string {
	after := shogi.Placed(m)
	from := "00"
	if !shogi.IsDrop(m) {
		from = csaSquare(shogi.Origin(m))
	}
	for name, kind := range csaKinds {
		if kind == shogi.KindOf(after) {
			return string("+-"[shogi.ColourOf(after)]) + from + csaSquare(shogi.Square(m.To())) + name
		}
	}
	return ""
}

func csaSquare(s shogi.Square) string { return fmt.Sprintf("%d%d", s.File()+1, s.Rank()+1) }

// FuzzReader: no input ends the process, and a game that was read is the same after it is annotated.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{kif, csa, "手合割：香落ち\n1 同　歩(77)", "PI82HI\n+\n+7776FU,T1,%TORYO\n/\n/\n",
		"P+00AL\n-\n", "後手の持駒：歩十\n|", "1 \u2003\n2 \u3000", "+,%\x80", ki2, jkf, "position startpos moves 7g7f resign",
		"4k4/9/9/9/9/9/9/9/4K4 w G 9 moves 5a5b", `{"moves":[{},{"move":{"to":{"x":5,"y":5}},"forks":[[{}],[]]}]}`} {
		for format := range USI + 1 {
			f.Add(seed, int(format))
		}
	}
	f.Fuzz(func(t *testing.T, text string, format int) {
		games, _ := readAll(text, Format(uint(format)%uint(USI+1)))
		for _, g := range games {
			if len(g.at) != len(g.Moves)+1 {
				t.Fatalf("%q: %d moves, %d places", text, len(g.Moves), len(g.at))
			}
			g.Positions()
			again, errs := readAll(annotate(g), g.format)
			if len(errs) > 0 || len(again) != 1 || strings.Join(again[0].Moves, " ") != strings.Join(g.Moves, " ") ||
				again[0].Setup != g.Setup {
				t.Fatalf("%q is written as %q: %v", text, annotate(g), errs)
			}
		}
	})
}
