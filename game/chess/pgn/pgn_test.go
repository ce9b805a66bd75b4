package pgn

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	notation "github.com/notnil/chess"

	"trefoil/game"
	rules "trefoil/game/chess"
	"trefoil/game/gametest"
)

// readAll returns the games of a text and its errors.
func readAll(text string) (games []*Game, errs []string) {
	for r := NewReader(strings.NewReader(text)); ; {
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

// moves are the moves of a game as it is written.
func moves(g *Game) (text string) {
	for _, m := range g.Moves {
		text += m.UCI + " "
	}
	return text + g.Result
}

// TestMoves: the notations of moves that programs write, and what stands between moves.
func TestMoves(t *testing.T) {
	for text, want := range map[string]string{
		"1. e4 e5 2. Nf3 Nc6 1-0":                                   "e2e4 e7e5 g1f3 b8c6 1-0",
		"1.e4 e5 2.Nf3 Nc6 1/2":                                     "e2e4 e7e5 g1f3 b8c6 1/2-1/2",
		"e4 1... e5 2 Ng1f3 Nb8-c6 *":                               "e2e4 e7e5 g1f3 b8c6 *",
		"1. e2e4 e7-e5 2. g1f3":                                     "e2e4 e7e5 g1f3 *",
		"1. Pe4 d5 2. exd5 c5 3. dxc6e.p. 0-1":                      "e2e4 d7d5 e4d5 c7c5 d5c6 0-1",
		"1. e4 d5 2. ed5 c5 3. d5:c6 e.p. 0-1":                      "e2e4 d7d5 e4d5 c7c5 d5c6 0-1",
		"1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 O-O *":               "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8 *",
		"1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O+ 0-0-0": "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1 e8c8 *",
		"1. e4! e5?! $14 (1... c5 (1... e6) {x)} 2. c3) 2. Nf3 ; rest of (the line\n% a line 2. d4\nNc6": "e2e4 e7e5 g1f3 b8c6 *",
		"{ first } 1. e4 {a ; b\n c} e5 ... 2. Nf3 *":                                                    "e2e4 e7e5 g1f3 *",
		"1. e4+- ♞f6∓ 2. ♘\ufe0ec3⩲ d5=":                                                                 "e2e4 g8f6 b1c3 d7d5 *",
		"":                                                                                               "*",
		"*":                                                                                              "*",
		"[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=Q *":    "a7a8q *",
		"[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8n *":     "a7a8n *",
		"[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a7a8q+ *":  "a7a8q *",
		"[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 0\"]\n\n1. a8=Q *":    "a7a8q *",
		"[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 0\"]\n\n*":            "*",
		"[FEN \"4k2r/8/8/8/8/8/8/4K3 b h - 0 9\"]\n\n9... O-O *": "e8g8 *",
		// Chess960, with the rights of X-FEN and of Shredder, and castling as people and programs write it.
		"[Variant \"Chess960\"]\n[FEN \"1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1\"]\n\n1. O-O-O O-O *":            "e1b1 e8h8 *",
		"[Variant \"Fischerandom\"]\n[FEN \"1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1\"]\n\n1. 0-0 Ke8b8 *":        "e1h1 e8b8 *",
		"[FEN \"5k1r/8/8/8/8/8/8/5KR1 w Gh - 0 1\"]\n\n1. f1g1 Kg7 *":                                           "f1g1 f8g7 *",
		"[FEN \"2k5/8/8/8/8/8/8/2K1R3 w E - 0 1\"]\n\n1. c1g1 Kd8 *":                                            "c1e1 c8d8 *",
		"[Variant \"Chess960\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 *": "e2e4 *",
		"[FEN \"8/P6k/8/8/8/8/8/K7 w - -\"][SetUp \"1\"] 1. a8/R *":                                             "a7a8r *",
	} {
		games, errs := readAll("[Event \"?\"]\n" + text)
		if len(errs) > 0 || len(games) != 1 || moves(games[0]) != want {
			t.Errorf("%q: %v", text, errs)
			for _, g := range games {
				t.Errorf("  %s, want %s", moves(g), want)
			}
		}
	}
}

// TestSigns: signs after a move and between moves are marks, marks before a move are the move's, and marks that have no
// number are comments.
func TestSigns(t *testing.T) {
	for text, want := range map[string]string{
		"1. d4‼ d5⁉ 2. c4□ c5+− 3. e4= *":                                "d2d4 [3] [], d7d5 [5] [], c2c4 [7] [], c7c5 [18] [], e2e4 [10] [], ",
		"1. d4 +/= d5! -+ 2. c4 !!! *":                                   "d2d4 [14] [], d7d5 [1 19] [], c2c4 [] [!!!], ",
		"$14 1. e4 d6 $300 2. Bb5+∞ c6 *":                                "e2e4 [14] [], d7d6 [] [$300], f1b5 [13] [], c7c6 [] [], ",
		"1. e4 f5 2. Qh5+± g6 3. Nf3 } *":                                "e2e4 [] [], f7f5 [] [], d1h5 [16] [], g7g6 [] [], g1f3 [] [], ",
		"1. e4 ($142 1. d4) ($10) *":                                     "e2e4 [] [$10], d2d4 [142] [], ",
		"[FEN \"4k2r/8/8/8/8/8/8/4K3 b k - 0 1\"]\n\n1... O-O∓ *":        "e8g8 [17] [], ",
		"[FEN \"4k3/8/8/5Pp1/8/8/8/4K3 w - g6 0 1\"]\n\n1. fxg6ep Kd7 *": "f5g6 [] [], e8d7 [] [], ",
	} {
		games, errs := readAll(text)
		got := ""
		if len(games) == 1 {
			for _, n := range games[0].Tree().Nodes[1:] {
				got += fmt.Sprintf("%s %d %s, ", n.Move, n.Marks, n.Comments)
			}
		}
		if len(errs) > 0 || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, errs, want)
		}
	}
}

// TestTags: tags that other programs did not write by the standard, and games of nothing but tags.
func TestTags(t *testing.T) {
	for text, want := range map[string][]Tag{
		`[White "C:\"] `:             {{"White", `C:\`}},
		"[White \"A]\r\n[Black B C]": {{"White", "A"}, {"Black", "B C"}},
		"[pgn]\n[White\t\"A\"]":      {{"pgn", ""}, {"White", "A"}},
		`[White"A B"][Black"C"]`:     {{"White", "A B"}, {"Black", "C"}},
	} {
		games, errs := readAll(text + "\n\n1. e4 *")
		if len(errs) > 0 || len(games) != 1 || !reflect.DeepEqual(games[0].Tags, want) {
			t.Errorf("%q: %+v, %q", text, games, errs)
		}
	}
	// A comment before the tags is no game, and a game whose moves have no end has the result of its tag.
	for _, result := range []string{"1-0", "?"} {
		text := "; a book\n\n{ a note }\n[Event \"x\"]\n[Result \"" + result + "\"]\n\n1. e4 e5\n\n[Event \"y\"]\n\n1. d4 *"
		games, errs := readAll(text)
		if len(errs) > 0 || len(games) != 2 || !reflect.DeepEqual(games[0].Before, []string{"a book", "a note"}) ||
			games[0].Result != map[string]string{"1-0": "1-0", "?": "*"}[result] {
			t.Errorf("%+v, %q", games, errs)
		}
		if g, plies, err := NewReader(strings.NewReader(text)).Skip(); err != nil || plies != 2 || g.Tag("Event") != "x" {
			t.Errorf("%+v, %d plies, %v", g, plies, err)
		}
	}
	games, errs := readAll("[Event \"a\"]\n\n[Event \"b\"]\n[White \"A\"]\n\n\ufeff[Event \"c\"]\n\n1. e4 1–0\n\ufeff[Event \"d\"]\n")
	if len(errs) > 0 || len(games) != 4 || games[2].Result != "1-0" || games[3].Tag("Event") != "d" {
		t.Errorf("%+v, %q", games, errs)
	}
}

// TestErrors: an error names the game, the line and the move, and the games around it are read.
func TestErrors(t *testing.T) {
	const good = "[Event \"good\"]\n\n1. e4 *\n\n"
	for text, want := range map[string]string{
		"1. e4 e5 2. Ke3 Ke6 *":                           `line 7: move 2. "Ke3": illegal`,
		"1. e4 e5\n2. Zf3 *":                              `line 8: move 2. "Zf3": it cannot be read`,
		"1. Nf3 d6 2. d3 d5 3. Nd2 *":                     `line 7: move 3. "Nd2": ambiguous, it may be `,
		"1. e4 -- 2. d4 *":                                `line 7: move 1... "--": a null move, which the rules do not have`,
		"1. e4 O-O *":                                     `line 7: move 1... "O-O": illegal`,
		"1. e4 d5 2. d5 *":                                `line 7: move 2. "d5": illegal`,
		"1. Ke2e4 *":                                      `line 7: move 1. "Ke2e4": illegal`,
		"1. e4 ) *":                                       `line 7: move 1... ")": it cannot be read`,
		"1. e4 { comment\n\n":                             `line 7: the comment that begins here is not closed`,
		"1. e4\n(1. d4 { in it }\n\n":                     `line 8: the variation that begins here is not closed`,
		"(1. d4) 1. e4 *":                                 `line 7: a variation before the first move`,
		"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*":        `tag FEN: placement`,
		"[SetUp \"1\"]\n\n1. e4 *":                        `tag SetUp: there is no tag FEN`,
		"[Variant \"Atomic\"]\n\n1. e4 *":                 `tag Variant: games of "Atomic" cannot be read, only those of chess and Chess960`,
		"[Variant \"Chess960\"]\n\n1. e4 *":               `tag Variant: "Chess960" without a tag FEN`,
		"[White \"A\n\n1. e4 *":                           `line 7: the tag [White "A is not closed`,
		"[\"A\"]\n\n1. e4 *":                              `line 7: ["A"] is not of the form [Name "value"]`,
		"[]\n\n1. e4 *":                                   `line 7: [] is not of the form [Name "value"]`,
		strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", maxPlies/4+1):  fmt.Sprintf("line 7: the game has more than %d plies", maxPlies),
		"1. e4 {" + strings.Repeat("x", maxGame) + "} e5": "line 7: the comment that begins here is not closed within 16 MiB",
		"1. e4 \x01\x00\xff *":                            `line 7: move 1... "\xff": it cannot be read`,
	} {
		games, errs := readAll(good + "[Event \"bad\"]\n[Site \"?\"]\n" + text + "\n\n" + good)
		if len(games) != 2 || len(errs) != 1 || !strings.HasPrefix(errs[0], "game 2, "+want) {
			t.Errorf("%.60q: %d games, %q; want %q", text, len(games), errs, want)
		}
	}
}

// TestCut: a game with an error ends there, without what was said of later moves.
func TestCut(t *testing.T) {
	r := NewReader(strings.NewReader("1. e4 {one} e5 2. Ke3 $4 {two} (2. d4) d5 1-0 {three}\n\n1. d4 *"))
	g, err := r.Next()
	want := `game 1, line 1: move 2. "Ke3": illegal`
	if err == nil || err.Error() != want || moves(g) != "e2e4 e7e5 1-0" {
		t.Fatalf("%+v, %v", g, err)
	}
	if last := g.Moves[1]; last.Marks != nil || last.Comments != nil || last.Variations != nil {
		t.Errorf("%+v", last)
	}
	if g, err := r.Next(); err != nil || moves(g) != "d2d4 *" {
		t.Errorf("%+v, %v", g, err)
	}
}

// TestSeveral: games without tags, without results and with tags in one line; white space around them.
func TestSeveral(t *testing.T) {
	games, errs := readAll("\ufeff\n\n1. e4 *\n\n1. d4 1-0 {White wins} 1. c4 *\n[White \"A \\\"B\\\" C\"][Black \"D \"E\" F\"]\r\n\r\n1. Nf3\r\n[White \"x\"]\n\n\n")
	if len(errs) > 0 || len(games) != 5 || games[4].Number != 5 {
		t.Fatalf("%d games, %v", len(games), errs)
	}
	if g := games[3]; g.Players() != `A "B" C - D "E" F` || moves(g) != "g1f3 *" {
		t.Errorf("%q: %s", g.Players(), moves(g))
	}
	if m := games[1].Moves[0]; !reflect.DeepEqual(m.Comments, []string{"White wins"}) {
		t.Errorf("%+v", m)
	}
	if games, errs := readAll("[White \"C:\\\\games\\\\\"]\n\n*"); len(errs) > 0 ||
		games[0].Tag("White") != `C:\games\` {
		t.Errorf("%+v, %q", games, errs)
	}
	if games, errs := readAll("[White \"a \\\"b\\\"] c\"]\n\n*\n \t \v\f"); len(errs) > 0 || len(games) != 1 ||
		games[0].Tag("White") != `a "b"] c` {
		t.Errorf("%+v, %q", games, errs)
	}
	if games[4].Players() != "x - ?" || len(games[4].Moves) != 0 {
		t.Errorf("%+v", games[4])
	}
}

// TestPlaces: byte order marks, as joined files have them, count among the bytes of the games.
func TestPlaces(t *testing.T) {
	const text = "\ufeff[Event \"A\"]\n\n1. e4 1-0\n\n\ufeff[Event \"B\"]\n\n1. d4 0-1\n\n[Event \"C\"]\n\n1. c4 *\n"
	r := NewReader(strings.NewReader(text))
	for from := int64(0); ; {
		g, _, err := r.Skip()
		if err == io.EOF {
			break
		}
		part := text[from:r.Read()]
		if from = r.Read(); err != nil || !strings.Contains(part, event+g.Tag("Event")) ||
			!strings.HasSuffix(part, g.Result) {
			t.Errorf("game %s: %q, %v", g.Tag("Event"), part, err)
		}
	}
}

// TestLineEnds: lines that end with CR or CR LF change neither games nor the lines of errors.
func TestLineEnds(t *testing.T) {
	text := annotated + "; to the end of the line }\n1. e4 e5\n% not read\n2. Nf3 {Žižka ♘} Nc6 1-0\n\n1. e4 e5\n2. Ne5\n"
	want, wantErrs := readAll(text)
	if len(want) != 2 || len(wantErrs) != 1 || len(want[1].Moves) != 4 {
		t.Fatalf("%d games, %v", len(want), wantErrs)
	}
	for _, end := range []string{"\r", "\r\n"} {
		got, errs := readAll(strings.ReplaceAll(text, "\n", end))
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(errs, wantErrs) {
			t.Errorf("%q: %d games, %v", end, len(got), errs)
		}
	}
}

const annotated = `[Event "a \"b\" \\ c"]
[White "A"]

1. e4 $1 { [%clk 0:10:00] [%eval 0.3] } ( 1. d4 {x} ( 1. c4 c5 ) d5 ) 1... c5 2. Nf3 { a comment that is long enough to be broken into two lines of it [%clk 0:09:59] [%eval 0.25] } 2... d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be2 e5 7. Nb3 Be7 8. O-O O-O 9. Be3 Be6 10. Qd2 Nbd7 { ten } 11. a4 1-0

`

// TestWrite: a game that is written is the same when it is read again, also for notnil/chess.
func TestWrite(t *testing.T) {
	games, errs := readAll(annotated)
	if len(games) != 1 || len(errs) > 0 {
		t.Fatal(errs)
	}
	var b strings.Builder
	if _, err := games[0].WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Join(strings.Fields(b.String()), " ") != strings.Join(strings.Fields(annotated), " ") {
		t.Errorf("%s", b.String())
	}
	for line := range strings.Lines(b.String()) {
		if len(line) > width+len("\n") || strings.HasPrefix(line, "[%") ||
			strings.Count(line, "[%") > strings.Count(line, "]") {
			t.Errorf("%q", line)
		}
	}
	again, errs := readAll(b.String())
	if len(errs) > 0 || !reflect.DeepEqual(again, games) {
		t.Errorf("%v: %+v, want %+v", errs, again, games)
	}
	s := notation.NewScanner(strings.NewReader(b.String()))
	if !s.Scan() || len(s.Next().Moves()) != len(games[0].Moves) || s.Next().Outcome() != "1-0" {
		t.Errorf("notnil/chess: %v: %v", s.Err(), s.Next())
	}
}

// TestTree: a comment to the end of a line stays in a variation; a game without moves is one; variations are nested up
// to a limit.
func TestTree(t *testing.T) {
	games, errs := readAll("1. e4 (1. d4 ; to the end\n d5) *")
	if len(errs) > 0 || !reflect.DeepEqual(games[0].Moves[0].Variations, []string{"1. d4 {to the end} d5"}) {
		t.Fatalf("%q, %+v", errs, games[0].Moves)
	}
	games, errs = readAll("1. e4 (1. e4 c5 2. Nf3) e5 2. Nc3 1-0")
	tree := games[0].Tree()
	if g, err := FromTree(rules.StartFEN, tree); len(errs) > 0 || err != nil || moves(g) != "e2e4 e7e5 b1c3 1-0" {
		t.Errorf("%q, %+v, %v", errs, tree.Nodes, err)
	}
	if g, err := FromTree(rules.StartFEN, game.NewTree()); err != nil || len(g.Moves) != 0 {
		t.Errorf("%+v, %v", g, err)
	}
	for depth, ok := range map[int]bool{maxDepth: true, maxDepth + 1: false} {
		tree, p, at := game.NewTree(), gametest.Chess(t, rules.StartFEN), 0
		for range depth {
			var l game.List
			p.Moves(game.All, &l)
			tree.Add(at, p.Text(l.At(0)))
			at = tree.Add(at, p.Text(l.At(1)))
			p.Make(l.At(1))
		}
		if _, err := FromTree(rules.StartFEN, tree); (err == nil) != ok {
			t.Errorf("%d variations in each other: %v", depth, err)
		}
	}
}

// TestWidth: lines of moves are as long as they can be.
func TestWidth(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var words []string
		for range 500 {
			words = append(words, strings.Repeat("x", 1+random.IntN(4)))
		}
		var b strings.Builder
		g := Game{Before: []string{strings.Join(words, " ")}, Result: "*"}
		if _, err := g.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		for i, line := range lines[:len(lines)-1] {
			if next, _, _ := strings.Cut(lines[i+1], " "); len(line) > width || len(line+" "+next) <= width {
				t.Fatalf("%q before %q", line, lines[i+1])
			}
		}
	}
}

// TestUCIMoves: castling as engines expect it.
func TestUCIMoves(t *testing.T) {
	games, errs := readAll("1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O O-O *")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for chess960, castling := range map[bool]string{false: "e1g1 e8g8", true: "e1h1 e8h8"} {
		want := "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 " + castling
		if got := strings.Join(games[0].UCIMoves(chess960), " "); got != want {
			t.Errorf("Chess960 %v: %s, want %s", chess960, got, want)
		}
	}
}

// TestNumbers: numbers of moves by the tag FEN, and lines of moves in algebraic notation.
func TestNumbers(t *testing.T) {
	games, _ := readAll("[FEN \"8/8/8/8/8/4k3/4p3/4K3 b - - 0 60\"]\n\nKd3 Kf2 *")
	g := games[0]
	if g.MoveNumber(0) != "60..." || g.MoveNumber(1) != "61." || g.White(0) {
		t.Error(g.MoveNumber(0), g.MoveNumber(1))
	}
	if line := g.Variation(1, []string{"e1f2", "e2e1q", "f2e1", "a1a1"}, 9); line != "61. Kf2 e1=Q+ 62. Kxe1" {
		t.Errorf("%q", line)
	}
	if line := g.Variation(2, []string{"e2e1r", "f2e1"}, 1); line != "61... e1=R" {
		t.Errorf("%q", line)
	}
	if p := g.Positions(); len(p) != 3 || p[2] != "8/8/8/8/8/3k4/4pK2/8 b - - 2 61" {
		t.Errorf("%q", p)
	}
	if g.Drawn() {
		t.Error("drawn")
	}
	for text, want := range map[string]bool{
		"Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8":                   true,
		"Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1":                       false,
		"[FEN \"8/8/8/8/8/3k4/4n3/5K2 w - - 0 60\"]\n\nKf2": true,
	} {
		games, errs := readAll(text)
		if len(errs) > 0 || games[0].Drawn() != want {
			t.Errorf("%s: %v", text, errs)
		}
	}
}

// TestSAN: package chess writes moves as notnil/chess does.
func TestSAN(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2 {
		g, p := notation.NewGame(), gametest.Chess(t, rules.StartFEN)
		for range 30 {
			legal := g.ValidMoves()
			for _, m := range legal {
				own, err := p.ParseMove(m.String())
				if err != nil {
					t.Fatal(err)
				}
				if got, want := p.SAN(own), (notation.AlgebraicNotation{}).Encode(g.Position(), m); got != want {
					t.Fatalf("%s %v: %s, want %s", p.FEN(), m, got, want)
				}
			}
			m := legal[random.IntN(len(legal))]
			if err := g.Move(m); err != nil {
				t.Fatal(err)
			}
			play(p, m.String())
		}
	}
}

// TestRandomGames: games that notnil/chess plays and writes are read as it played them.
func TestRandomGames(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	var played []string
	for range 8 {
		g := notation.NewGame()
		line := ""
		for range 100 {
			legal := g.ValidMoves()
			if g.Outcome() != notation.NoOutcome || len(legal) == 0 {
				break
			}
			m := legal[random.IntN(len(legal))]
			if err := g.Move(m); err != nil {
				t.Fatal(err)
			}
			line += m.String() + " "
		}
		fmt.Fprintf(&text, "[Event \"random\"]\n%s\n\n", g)
		played = append(played, line+string(g.Outcome()))
	}
	games, errs := readAll(text.String())
	if len(errs) > 0 || len(games) != len(played) {
		t.Fatalf("%d games, %q", len(games), errs)
	}
	for i, g := range games {
		if moves(g) != played[i] {
			t.Errorf("%s, want %s", moves(g), played[i])
		}
	}
}

// endless is a file of games without an end.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, "[Event \"?\"]\n\n1. e4 *\n\n")
	e.read += n
	return n, nil
}

// TestStream: no more of a file is read than the games that were asked for and a buffer.
func TestStream(t *testing.T) {
	in := new(endless)
	r := NewReader(in)
	for range 1000 {
		if g, err := r.Next(); err != nil || moves(g) != "e2e4 *" {
			t.Fatal(err)
		}
	}
	if in.read > 1000*30+64<<10 {
		t.Errorf("%d bytes read", in.read)
	}
}

// FuzzReader: no input ends the process, and a game that was read is the same after it is written.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		annotated, "1. e4 e5 {x", "(", "[Event \"", "[A \"\\\"]", "1. e4 (1. d4 (1. c4) ; x\n) $3 ?? 1-0 {y}", "[FEN \"4k2r/8/8/8/8/8/8/4K3 b k - 0 1\"] O-O *",
		"[Event \"a\"]\n\n{\n[Event \"b\"]\n\n1. e4 *", "1... e5 %\n%x", "½-½ 1/2 …e5 \x00",
		"[Event 0][Event]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		games, _ := readAll(text)
		for _, g := range games {
			if len(g.Moves) == 0 && len(g.Before) == 0 && len(g.Tags) == 0 {
				continue
			}
			var b strings.Builder
			if _, err := g.WriteTo(&b); err != nil {
				t.Fatal(err)
			}
			again, errs := readAll(b.String())
			if len(errs) > 0 || len(again) != 1 || moves(again[0]) != moves(g) {
				t.Fatalf("%q is written as %q: %v", text, b.String(), errs)
			}
		}
	})
}
