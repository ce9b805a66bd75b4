package kifu

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"

	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
)

const ki2 = `手合割：平手
先手：甲
後手：乙

*before
▲７六歩    △３四歩
*second
▲２二角成  △同　銀    ▲４五角
まで5手で中断

変化：3手
▲２六歩    △８四歩
*of the variation

変化：1手
▲２六歩
`

// ki2AsKIF is ki2 after it was read.
const ki2AsKIF = `手合割：平手
先手：甲
後手：乙

*before
   1 ７六歩(77)
   2 ３四歩(33)
*second
   3 ２二角成(88)
   4 ２二銀(31)
   5 ４五角打
   6 中断
まで5手で中断

変化：3手
   3 ２六歩(27)
   4 ８四歩(83)
*of the variation

変化：1手
   1 ２六歩(27)
`

const jkf = `{"header": {"先手": "甲", "後手": "乙", "備考": "one\ntwo", "1 x": "y"}, "moves": [
	{"comments": ["before"]},
	{"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "color": 0, "piece": "FU"},
		"time": {"now": {"m": 1, "s": 5}, "total": {"h": 0, "m": 1, "s": 5}}},
	{"move": {"from": {"x": 3, "y": 3}, "to": {"x": 3, "y": 4}, "piece": "FU"}, "comments": ["second\nline"]},
	{"move": {"from": {"x": 8, "y": 8}, "to": {"x": 2, "y": 2}, "piece": "KA", "promote": true, "capture": "KA"},
		"forks": [[{"move": {"from": {"x": 2, "y": 7}, "to": {"x": 2, "y": 6}, "piece": "FU"}, "comments": ["of the variation"]},
			{"special": "CHUDAN", "forks": [[{"move": {"from": {"x": 8, "y": 3}, "to": {"x": 8, "y": 4}}}]]}]]},
	{"move": {"from": {"x": 3, "y": 1}, "same": true, "piece": "GI"}},
	{"move": {"to": {"x": 4, "y": 5}, "piece": "KA", "relative": "H"}},
	{"special": "CHUDAN"}]}`

// jkfAsKIF is jkf after it was read.
const jkfAsKIF = `#KIF version=2.0 encoding=UTF-8
手合割：平手
*1 x：y
備考：one two
先手：甲
後手：乙
手数----指手---------消費時間--
*before
   1 ７六歩(77)   ( 1:05/00:01:05)
   2 ３四歩(33)
*second
*line
   3 ２二角成(88)
   4 ２二銀(31)
   5 ４五角打
   6 中断

変化：3手
   3 ２六歩(27)
*of the variation
   4 中断

変化：4手
   4 ８四歩(83)
`

// TestConversion: games in KI2, JKF and USI are written in KIF, with comments, variations and how they ended.
func TestConversion(t *testing.T) {
	sjis, err := japanese.ShiftJIS.NewEncoder().String(ki2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text   string
		format Format
		want   string
	}{
		{ki2, KIF, ki2AsKIF}, {sjis, KIF, ki2AsKIF}, {jkf, JKF, jkfAsKIF},
		{"\n position  startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e resign \n\n", USI, `#KIF version=2.0 encoding=UTF-8
手合割：平手
先手：
後手：
手数----指手---------消費時間--
   1 ７六歩(77)
   2 ３四歩(33)
   3 ２二角成(88)
   4 ２二銀(31)
   5 ４五角打
   6 投了
`},
	} {
		games, errs := readAll(c.text, c.format)
		if len(errs) > 0 || len(games) != 1 || strings.Join(games[0].Moves, " ") != moves ||
			games[0].Setup != shogi.StartSFEN {
			t.Errorf("%v, %+v", errs, games)
			continue
		}
		var b strings.Builder
		if _, err := games[0].WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		if c.text == sjis {
			if got, err = japanese.ShiftJIS.NewDecoder().String(got); err != nil {
				t.Fatal(err)
			}
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestOtherPositions: games in JKF and USI from other positions, and positions alone.
func TestOtherPositions(t *testing.T) {
	const mate = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
	const data = `{"moves":[{}], "initial": {"preset": "OTHER", "data": {"color": 1, "board": [[{}],
		[{}, {"color": 1, "kind": "OU"}, {"color": 0, "kind": "RY"}]], "hands": [{"FU": 12}, {"KI": 2, "HI": 0}]}}}`
	for _, c := range []struct {
		text   string
		format Format
		setup  string
	}{
		{mate, USI, mate}, {"sfen " + mate + " moves G*5b", USI, mate}, {"position sfen " + mate, USI, mate},
		{"startpos", USI, shogi.StartSFEN}, {data, JKF, "9/7k1/7+R1/9/9/9/9/9/9 w 12P2g 1"},
		{`{"moves":[],"initial":{"preset":"5"}}`, JKF, "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
		{`{"moves":[],"initial":{"preset":"HIKY"}}`, JKF, "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
		{`{"moves":[]}`, JKF, shogi.StartSFEN},
	} {
		games, errs := readAll(c.text, c.format)
		if len(errs) > 0 || len(games) != 1 || games[0].Setup != c.setup {
			t.Errorf("%s: %v %+v, want %s", c.text, errs, games, c.setup)
		}
	}
}

// TestKI2Moves: which of several pieces moves, as the sides see it.
func TestKI2Moves(t *testing.T) {
	for _, c := range []struct{ sfen, text, want string }{
		{"4k4/9/9/9/9/3G1G3/4G4/9/4K4 b - 1", "▲５六金左", "6f5f"},
		{"4k4/9/9/9/9/3G1G3/4G4/9/4K4 b - 1", "▲５六金右", "4f5f"},
		{"4k4/9/9/9/9/3G1G3/4G4/9/4K4 b - 1", "▲５六金上", "5g5f"},
		{"4k4/9/9/9/9/3G1G3/4G4/9/4K4 b - 1", "▲５六金直", "5g5f"},
		{"4k4/9/9/9/9/3G1G3/4G4/9/4K4 b - 1", "▲５六金", "more than one 金 can go there"},
		{"4k4/9/9/9/9/3G1G3/4G4/9/4K4 b - 1", "▲５六金引", "no 金 can make this move"},
		{"4k4/9/9/9/9/3G1G3/4G4/9/4K4 b G 1", "▲５六金打", "G*5f"},
		{"4k4/9/9/9/9/3G1G3/4G4/9/4K4 b S 1", "▲５六銀", "S*5f"},
		{"4k4/9/9/9/9/9/3GGG3/3G5/4K4 b - 1", "▲５六金直", "5g5f"},
		{"4k4/9/9/9/3S1S3/9/3S1S3/9/4K4 b - 1", "▲５六銀左上", "6g5f"},
		{"4k4/9/9/9/3S1S3/9/3S1S3/9/4K4 b - 1", "▲５六銀右引", "4e5f"},
		{"4k4/9/4g4/3g1g3/9/9/9/9/4K4 w - 1", "△５四金左", "4d5d"},
		{"4k4/9/4g4/3g1g3/9/9/9/9/4K4 w - 1", "△５四金右", "6d5d"},
		{"4k4/9/4g4/3g1g3/9/9/9/9/4K4 w - 1", "☖５四金上", "5c5d"},
		{"4k4/9/9/9/9/9/7+R1/7+R1/4K4 b - 1", "▲３八龍右", "more than one 龍 can go there"},
		{"4k4/9/9/9/9/9/7+R1/6+R2/4K4 b - 1", "▲３七龍右", "2g3g"},
		{"4k4/9/9/9/9/9/7+R1/6+R2/4K4 b - 1", "▲３七龍左", "3h3g"},
		{"4k4/9/9/9/9/9/7+R1/6+R2/4K4 b - 1", "☗３七竜行", "3h3g"},
		{"4k4/9/9/9/9/9/7+R1/6+R2/4K4 b - 1", "▲３七龍寄", "2g3g"},
		{"4k4/2R6/9/9/9/9/9/9/4K4 b - 1", "▲７一飛成", "7b7a+"},
		{"4k4/2R6/9/9/9/9/9/9/4K4 b - 1", "▲７一飛不成", "7b7a"},
		{"4k4/2R6/9/9/9/9/9/9/4K4 b - 1", "▲７一飛", "7b7a"},
		{"4k4/2R6/9/9/9/9/9/9/4K4 b P 1", "▲５五歩成", "no 歩 can make this move"},
		{"4k4/2R6/9/9/9/9/9/9/4K4 b - 1", "#\n*\n&\n▲７一飛\n#", "7b7a"},
		{"4k4/2R6/9/9/9/9/9/9/4K4 b - 1", "▲同　飛", "there is no move before it"},
		{"4k4/2R6/9/9/9/9/9/9/4K4 b - 1", "△７一飛", "the other side is to move"},
		{"4k4/2R6/9/9/9/9/9/9/4K4 b - 1", "▲７一謎", "it cannot be read"},
		{"4k4/2R6/9/9/9/9/9/9/4K4 b - 1", "▲", "it cannot be read"},
	} {
		var b strings.Builder
		if err := Write(&b, c.sfen, nil, [2]string{}, ""); err != nil {
			t.Fatal(err)
		}
		games, errs := readAll(b.String()+c.text+"\n", KIF)
		got := strings.Join(errs, "")
		if len(games) == 1 {
			got = strings.Join(games[0].Moves, " ")
		}
		if got != c.want && !strings.HasSuffix(got, ": "+c.want) {
			t.Errorf("%s in %s: %s, want %s", c.text, c.sfen, got, c.want)
		}
	}
}

// TestFormatErrors: what is wrong with a game in KI2, JKF or USI.
func TestFormatErrors(t *testing.T) {
	const fromTo = `{"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},{"move":`
	for _, c := range []struct {
		text   string
		format Format
		want   string
	}{
		{"手合割：平手\n\n▲７六歩\n*a\n△３四歩 ▲３四歩\n", KIF, `line 5: move 3 "▲３四歩": no 歩 can make this move`},
		{"手合割：謎\n▲７六歩", KIF, `: 手合割 "謎" is unknown, and there is no diagram`},
		{"手合割：平手\n" + strings.Repeat("▲３八飛\n△７二飛\n▲２八飛\n△８二飛\n", maxMoves/4+1), KIF,
			fmt.Sprintf("line %d: the game has more than %d moves", maxMoves+2, maxMoves)},
		{"", USI, ""}, {"\ufeff\n", USI, ": it is empty"}, {"\x81\x40\n", USI, ": it is empty"}, // a wide space
		{"position startpos moves 7g7f\n\nstartpos", USI, "line 3: a second game; a game or a position is one line, and a file has one"},
		{"\nposition startpos moves 7g7f 7g7f", USI, `line 2: move 2: move "7g7f": there is no piece on 7g`},
		{"position", USI, "line 1: sfen: "}, {"position hello moves 7g7f", USI, "line 1: sfen: "}, {"moves", USI, "line 1: sfen: "},
		{"{", JKF, ": JSON: "}, {"[]", JKF, ": JSON: "}, {"{}", JKF, ": it has no moves: it is not a game in JKF"},
		{`{"moves":[]} {}`, JKF, ": JSON: "}, {`{"moves":[],"initial":{"preset":"X"}}`, JKF, `: preset "X" is unknown, and there is no board`},
		{`{"moves":[],"initial":{"data":{"board":[[{"color":2,"kind":"FU"}]]}}}`, JKF, `: board: "FU" on 1a is not a piece of a side`},
		{`{"moves":[],"initial":{"data":{"hands":[{"OU":1}]}}}`, JKF, `: hands: 1 of "OU"`},
		{`{"moves":[],"initial":{"data":{"hands":[{"FU":-1}]}}}`, JKF, `: hands: -1 of "FU"`},
		{`{"moves":[],"initial":{"data":{}}}`, JKF, `: sfen: `},
		{`{"moves":[{"special":"X"}]}`, JKF, `: special "X" is unknown`},
		{fromTo + `{"from":{"x":3,"y":3},"to":{"x":3,"y":5},"piece":"FU"}}]}`, JKF, `: move 2: the piece on 3c cannot go there`},
		{fromTo + `{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"KI"}}]}`, JKF, `: move 2: there is no KI on 3c`},
		{fromTo + `{"from":{"x":3,"y":0},"to":{"x":3,"y":4}}}]}`, JKF, `: move 2: there is no square 3, 0`},
		{fromTo + `{"from":{"x":3,"y":3},"to":{"x":10,"y":4}}}]}`, JKF, `: move 2: there is no square 10, 4`},
		{fromTo + `{"to":{"x":5,"y":5},"piece":"OU"}}]}`, JKF, `: move 2: "OU" cannot be dropped`},
		{fromTo + `{"to":{"x":5,"y":5},"piece":"XX"}}]}`, JKF, `: move 2: "XX" is not a piece`},
		{fromTo + `{"to":{"x":5,"y":5},"piece":"FU"}}]}`, JKF, `: move 2: no such piece in hand`},
		{`{"moves":[{"move":{"from":{"x":7,"y":7}}}]}`, JKF, `: move 1: it has no target`},
		{fromTo + `{"from":{"x":3,"y":3},"to":{"x":3,"y":4}},"forks":[[{"move":{"to":{"x":5,"y":5},"piece":"FU"}}]]}]}`, JKF,
			`: a variation of move 2: move 2: no such piece in hand`},
	} {
		_, errs := readAll(c.text, c.format)
		if want := "game 1" + strings.Replace(", "+c.want, ", :", ":", 1); c.want == "" && len(errs) > 0 ||
			c.want != "" && (len(errs) != 1 || !strings.HasPrefix(errs[0], want)) {
			t.Errorf("%q: %q, want %q", c.text, errs, want)
		}
	}
}

// ki2Text writes a game in KI2, two moves a line.
func ki2Text(t *testing.T, moves []string) string {
	p := gametest.Shogi(t, shogi.StartSFEN)
	var b strings.Builder
	b.WriteString("手合割：平手\n")
	for i, text := range moves {
		m := gametest.Move(t, p, text)
		b.WriteString([]string{"▲", "△"}[i%2] + ki2MoveText(p, m) + []string{"    ", "\n"}[i%2])
		p.Make(m)
	}
	return b.String()
}

// ki2MoveText writes a legal move in p, with the fewest words that tell it from moves of like pieces.
func ki2MoveText(p *shogi.Position, m game.Move) string {
	to := shogi.Square(m.To())
	text := string([]rune(wide)[to.File()]) + string([]rune(kanji)[to.Rank()])
	if last := p.LastMove(); last != game.None && last.To() == m.To() {
		text = "同　"
	}
	var legal game.List
	p.Moves(game.All, &legal)
	kind := shogi.KindOf(shogi.Placed(m)).Plain()
	if !shogi.IsDrop(m) {
		kind = shogi.KindOf(m.Piece())
	}
	var others []game.Move // of other pieces
	declines := false
	for _, o := range legal.All() {
		if o.To() != m.To() || shogi.IsDrop(o) || shogi.KindOf(o.Piece()) != kind {
			continue
		}
		if shogi.IsDrop(m) || shogi.Origin(o) != shogi.Origin(m) {
			others = append(others, o)
		} else {
			declines = declines || o.Promotes() && !m.Promotes()
		}
	}
	text += kifNames[kind][0]
	switch {
	case shogi.IsDrop(m) && len(others) > 0:
		return text + "打"
	case shogi.IsDrop(m):
		return text
	}
	text += ki2Which(m, others, kind)
	if m.Promotes() {
		text += "成"
	} else if declines {
		text += "不成"
	}
	return text
}

// ki2Which returns the words that tell a move from others.
func ki2Which(m game.Move, others []game.Move, kind shogi.Kind) string {
	if len(others) == 0 {
		return ""
	}
	forward, left := direction(m)
	alike := func(same func(forward, left int) bool) bool {
		return slices.ContainsFunc(others, func(o game.Move) bool { return same(direction(o)) })
	}
	sign := func(n int) int { return max(-1, min(1, n)) }
	how := []string{"引", "寄", "上"}[sign(forward)+1]
	if !alike(func(f, _ int) bool { return sign(f) == sign(forward) }) {
		return how
	}
	if kind.Plain() == shogi.Rook || kind.Plain() == shogi.Bishop {
		_, other := direction(others[0])
		return map[bool]string{true: "左", false: "右"}[left > other]
	}
	if left == 0 && forward > 0 {
		return "直"
	}
	side := map[bool]string{true: "左", false: "右"}[left > 0]
	if !alike(func(_, l int) bool { return sign(l) == sign(left) }) {
		return side
	}
	return side + how
}

// jkfText writes a game in JKF.
func jkfText(t *testing.T, moves []string) string {
	p := gametest.Shogi(t, shogi.StartSFEN)
	type object map[string]any
	square := func(s shogi.Square) object { return object{"x": s.File() + 1, "y": s.Rank() + 1} }
	list := []object{{}}
	for _, text := range moves {
		m := gametest.Move(t, p, text)
		before := shogi.KindOf(shogi.Placed(m))
		move := object{"color": p.Side(), "to": square(shogi.Square(m.To()))}
		if !shogi.IsDrop(m) {
			before = shogi.KindOf(m.Piece())
			move["from"] = square(shogi.Origin(m))
			move["promote"] = m.Promotes()
		}
		for name, kind := range csaKinds {
			if kind == before {
				move["piece"] = name
			}
		}
		list = append(list, object{"move": move})
		p.Make(m)
	}
	data, err := json.Marshal(object{"header": object{}, "moves": list})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestCSAMoves writes and reads all legal moves of a random game.
func TestCSAMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := gametest.Shogi(t, "4rk2l/L3g1gs1/+Bp+N2p1pp/p1ppp1S2/1P1l3NP/P1+b1P1P2/3P1P1R1/3S1S3/3GKG2L w 2P2np 74")
	var l game.List
	for range 300 {
		l.Reset()
		if p.Moves(game.All, &l); l.Len() == 0 {
			break
		}
		for _, m := range l.All() {
			text := CSAMove(shogi.Colour(p.Side()), m)
			if usi, err := USIMove(p, text); err != nil || usi != p.Text(m) {
				t.Fatalf("%s: %s as %s: %s, error %v", p.SFEN(), p.Text(m), text, usi, err)
			}
		}
		p.Make(l.At(rng.IntN(l.Len())))
	}
}

// TestCutConverted reads games that are converted up to an error too, and loses nothing that follows it in KI2, and no
// variation of JKF but the wrong one.
func TestCutConverted(t *testing.T) {
	for text, format := range map[string]Format{
		"手合割：平手\n▲７六歩 △３四歩\n▲２二銀 △８四歩\nまで4手で中断\n": KIF,
		`{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},
			{"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"},
			"forks":[[{"move":{"from":{"x":1,"y":1},"to":{"x":5,"y":5}}}],
			[{"move":{"from":{"x":8,"y":3},"to":{"x":8,"y":4}}}]]},{"move":{"from":{"x":1,"y":1},"to":{"x":5,"y":5}}}]}`: JKF,
		"startpos moves 7g7f 3c3d 1a5e 8c8d": USI,
	} {
		g, err := NewReader(strings.NewReader(text), format).Next()
		if g == nil || err == nil || strings.Join(g.Moves, " ") != "7g7f 3c3d" {
			t.Errorf("%q: game %v, error %v", text, g, err)
			continue
		}
		var out strings.Builder
		if _, err := g.WriteTo(&out); err != nil || format == KIF &&
			!strings.HasSuffix(out.String(), "*▲２二銀 △８四歩\n*まで4手で中断\n") ||
			format == JKF && !strings.HasSuffix(out.String(), "\n\n変化：2手\n\n変化：2手\n   2 ８四歩(83)\n") {
			t.Errorf("%q is written as %q, %v", text, out.String(), err)
		}
	}
}

// TestKIFVariants reads what some programs write: lines that end with CR, moves behind the end of a game, a side to
// move as a field, hands with digits, and a field that begins with a number.
func TestKIFVariants(t *testing.T) {
	const cr = "手合割：平手\r1 ７六歩(77)\r2 中断\r"
	games, errs := readAll(cr, KIF)
	var out strings.Builder
	if len(errs) > 0 || len(games) != 1 || len(games[0].Moves) != 1 {
		t.Fatalf("%q: %v, %q", cr, games, errs)
	} else if _, err := games[0].WriteTo(&out); err != nil || out.String() != cr {
		t.Errorf("%q is written as %q, %v", cr, out.String(), err)
	}
	const rows = "| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ 玉|\n"
	diagram := rows + strings.Repeat("| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n", 7)
	for _, first := range []string{"51 ７六歩成らず(77)\n", "１ 謎\n", "　1 ３四歩(33)\n"} {
		if games, errs := readAll("手合割：平手\n"+first, KIF); len(errs) != 1 || len(games) > 0 {
			t.Errorf("%q: %v, %q", first, games, errs)
		}
	}
	const wide = "▲７六歩 △３四歩\n　▲２六歩 △８四歩\n▲１六歩\n変化：３手\n▲２二角成\n"
	games, errs = readAll(wide, KIF)
	if len(errs) > 0 || len(games) != 1 || strings.Join(games[0].Moves, " ") != "7g7f 3c3d 2g2f 8c8d 1g1f" {
		t.Errorf("%q: %v, %q", wide, games, errs)
	} else if tree := games[0].Tree(); tree.Nodes[len(tree.Nodes)-1].After != 2 {
		t.Errorf("%q: the variation follows node %d", wide, tree.Nodes[len(tree.Nodes)-1].After)
	}
	const over = "▲７六歩 △投了 ▲２六歩\n"
	games, errs = readAll(over, KIF)
	if out.Reset(); len(errs) > 0 || len(games) != 1 {
		t.Errorf("%q: %v, %q", over, games, errs)
	} else if _, err := games[0].WriteTo(&out); err != nil || !strings.HasSuffix(out.String(), "   2 投了\n*▲２六歩\n") {
		t.Errorf("%q is written as %q, %v", over, out.String(), err)
	}
	const jkf = `{"header":{"手番":"後手"},"initial":{"data":{"color":0,"board":[[{"color":0,"kind":"OU"}]],
		"hands":[{"KI":1},{}]}},"moves":[{}]}` // its color counts
	if games, errs := readAll(jkf, JKF); len(errs) > 0 || len(games) != 1 || !strings.HasSuffix(games[0].Setup, " b G 1") {
		t.Errorf("%s: %v, %q", jkf, games, errs)
	}
	for header, want := range map[string]string{
		"手番：後手\n先手の持駒：歩18　角２\n": "w 2B18P 1",
		"10 秒将棋\n先手の持駒：金\n":     "b G 1",
	} {
		games, errs := readAll(diagram+header, KIF)
		if len(errs) > 0 || len(games) != 1 || !strings.HasSuffix(games[0].Setup, " "+want) {
			t.Errorf("%q: %v, %q, want %q", header, games, errs, want)
		}
	}
}
