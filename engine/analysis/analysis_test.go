package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"trefoil/engine"
	"trefoil/search"
)

// fake is an engine with a score and a line for each number of moves played.
type fake struct {
	infos  map[int]search.Info
	played int
	order  []int
	games  int
}

func (f *fake) NewGame() { f.games++ }

func (f *fake) SetPosition(_ string, moves []string) error {
	if slices.Contains(moves, "bad") {
		return errors.New("bad")
	}
	f.played = len(moves)
	return nil
}

func (f *fake) Search(_ context.Context, _ search.Limits, report func(search.Info)) search.Result {
	f.order = append(f.order, f.played)
	info := f.infos[f.played]
	report(search.Info{Score: search.Score{Centipawns: 9999}, Bound: search.Lower})
	report(info)
	report(search.Info{Text: "a note"})
	report(search.Info{CurrMove: "x", CurrMoveNumber: 1})
	report(search.Info{MultiPV: 2, Score: search.Score{Centipawns: -9999}})
	return search.Result{Nodes: 10}
}

func centipawns(n int, line ...string) search.Info {
	return search.Info{MultiPV: 1, Depth: 5, Score: search.Score{Centipawns: n}, PV: line}
}

func mateIn(plies int, line ...string) search.Info {
	return search.Info{MultiPV: 1, Depth: 5, Score: search.Score{Mate: true, Plies: plies}, PV: line}
}

// legal is Légal's mate, with scores made up.
const legal = `[Event "?"]
[White "Légal"]
[Result "1-0"]

1. e4 { [%eval 9.99] first } e5 2. Nf3 $1 d6 3. Bc4 Bg4 $6 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0
`

func legalScores() map[int]search.Info {
	return map[int]search.Info{
		0: centipawns(20, "e2e4"), 1: centipawns(-20, "e7e5"), 2: centipawns(30, "d2d4"), 3: centipawns(20, "b8c6"), 4: centipawns(30, "f1c4"),
		5: centipawns(-30, "g8f6", "d2d3"), 6: centipawns(90, "h2h3"), 7: centipawns(-40, "b8c6", "h2h3"), 8: centipawns(140, "f3e5"),
		9: centipawns(-140, "d6e5", "d1g4"), 10: mateIn(3, "c4f7", "e8e7", "c3d5"), 11: mateIn(-2, "e8e7", "c3d5"), 12: mateIn(1, "c3d5"), 13: mateIn(0),
	}
}

// TestAnnotate: scores, marks and lines of a game, and its summary.
func TestAnnotate(t *testing.T) {
	record, err := openPGN(strings.NewReader(legal))()
	if err != nil {
		t.Fatal(err)
	}
	e := &fake{infos: legalScores()}
	var steps []int
	r, err := Analyse(t.Context(), e, record.Game(), record.Scale(), search.Limits{Nodes: 10},
		func(done int) { steps = append(steps, done) })
	if err != nil {
		t.Fatal(err)
	}
	if e.games != 1 || fmt.Sprint(e.order) != "[13 12 11 10 9 8 7 6 5 4 3 2 1 0]" || !slices.IsSorted(steps) ||
		steps[len(steps)-1] != 14 || r.Nodes != 140 {
		t.Errorf("games %d, order %v, steps %v, %d nodes", e.games, e.order, steps, r.Nodes)
	}
	record.Annotate(r, "Test")
	var b strings.Builder
	if _, err := record.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	const want = `[Event "?"]
[White "Légal"]
[Result "1-0"]
[Annotator "Test"]

1. e4 { [%eval 0.20] first } 1... e5 { [%eval 0.30] } 2. Nf3 $1
{ [%eval -0.20] } 2... d6 { [%eval 0.30] } 3. Bc4 { [%eval 0.30] } 3... Bg4 $6
{ [%eval 0.90] } ( 3... Nf6 4. d3 ) 4. Nc3 { [%eval 0.40] } 4... g6 $6
{ [%eval 1.40] } ( 4... Nc6 5. h3 ) 5. Nxe5 { [%eval 1.40] } 5... Bxd1 $4
{ [%eval #2] } ( 5... dxe5 6. Qxg4 ) 6. Bxf7+ { [%eval #1] } 6... Ke7
{ [%eval #1] } 7. Nd5# 1-0
`
	if got := strings.Join(strings.Fields(b.String()), " "); got != strings.Join(strings.Fields(want), " ") {
		t.Error(b.String())
	}
	white, black := r.Summary(0), r.Summary(1)
	if white.Moves != 7 || white.Marks != [4]int{7, 0, 0, 0} || math.Abs(white.Centipawns-100.0/7) > 1e-9 ||
		white.Accuracy < 94 || white.Accuracy > 96 {
		t.Errorf("White: %+v", white)
	}
	if black.Moves != 6 || black.Marks != [4]int{3, 2, 0, 1} || math.Abs(black.Centipawns-(50.0+60+100+860)/6) > 1e-9 {
		t.Errorf("Black: %+v", black)
	}
	if worst := r.Worst(2); fmt.Sprint(worst) != "[9 7]" || record.MoveText(9) != "5... Bxd1" {
		t.Errorf("%v", worst)
	}
}

// TestLoss: marks begin at their thresholds, and a move that is the best one loses nothing.
func TestLoss(t *testing.T) {
	scale := Scale{Spread: 100, Thresholds: [3]float64{0.05, 0.1, 0.2}}
	score := func(expected float64) search.Score {
		return search.Score{Centipawns: int(math.Round(-100 * math.Log(1/expected-1)))}
	}
	for _, c := range []struct {
		before, after float64 // both for the side that moves
		best          string
		want          Mark
	}{
		{0.5, 0.46, "a", None}, {0.5, 0.44, "a", Inaccuracy}, {0.5, 0.39, "a", Mistake}, {0.5, 0.29, "a", Blunder}, {0.5, 0.29, "m", None}, {0.4, 0.6, "a", None},
	} {
		r := &Report{Game: Game{Moves: []string{"m"}}, Scale: scale,
			Positions: []Position{{Score: score(c.before), Line: []string{c.best}}, {Score: score(1 - c.after)}}}
		if got := r.Loss(0); got.Mark != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	// what two mates lose is all, and exactly at the thresholds
	r := &Report{Game: Game{Moves: []string{"m"}}, Scale: Scale{Spread: 100, Thresholds: [3]float64{0.5, 1, 1}},
		Positions: []Position{{Score: mateIn(1).Score, Line: []string{"a"}}, {Score: mateIn(1).Score}}}
	if got := r.Loss(0); got != (Loss{1, 2000, Blunder}) {
		t.Errorf("%+v", got)
	}
	if s := r.Summary(0); s.Moves != 1 || s.Centipawns != 2000 || s.Accuracy != 0 {
		t.Errorf("%+v", s)
	}
	for _, c := range []struct {
		before, after search.Info
		want          int
	}{
		{centipawns(5000), centipawns(-400), 600}, {centipawns(-5000), mateIn(1), 0}, {mateIn(-2), mateIn(1), 0},
		{mateIn(3), mateIn(-2), 0},
	} {
		r.Positions = []Position{{Score: c.before.Score, Line: []string{"a"}}, {Score: c.after.Score}}
		if got := r.Loss(0).Centipawns; got != c.want {
			t.Errorf("%+v, then %+v: %d centipawns lost", c.before.Score, c.after.Score, got)
		}
	}
	if r.Positions[0].Line[0] = "m"; r.Summary(0).Accuracy < 99.9 {
		t.Errorf("the best move: %+v", r.Summary(0))
	}
	for _, plies := range []int{0, -2} {
		if scale.Expected(mateIn(plies).Score) != 0 {
			t.Errorf("who is mated expects something")
		}
	}
	if accuracy(0) < 99.99 || accuracy(1) != 0 || math.Abs(accuracy(0.1)-63.6) > 0.1 {
		t.Error(accuracy(0), accuracy(1), accuracy(0.1))
	}
}

// TestTime: the report has the time of all searches.
func TestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := Analyse(t.Context(), slow{&fake{}}, Game{Moves: []string{"m"}}, chessScale, search.Limits{},
			func(int) {})
		if err != nil || r.Time != 2*time.Second {
			t.Errorf("%v, %v", r.Time, err)
		}
	})
}

// slow is an engine that takes a second for a search.
type slow struct{ *fake }

func (s slow) Search(ctx context.Context, l search.Limits, report func(search.Info)) search.Result {
	time.Sleep(time.Second)
	return s.fake.Search(ctx, l, report)
}

// TestDrawn: the position that ends a game by the rules counts as a draw, whatever the search says.
func TestDrawn(t *testing.T) {
	record, err := openPGN(strings.NewReader("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 1/2-1/2"))()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(t.Context(), &fake{infos: map[int]search.Info{8: centipawns(500, "e2e4")}}, record.Game(),
		record.Scale(), search.Limits{}, func(int) {})
	if err != nil || r.Positions[8].Score.Centipawns != 0 || record.Game().First != 0 {
		t.Errorf("%v: %+v", err, r)
	}
}

// TestStops: an illegal move and the end of the context are errors.
func TestStops(t *testing.T) {
	if _, err := Analyse(t.Context(), &fake{}, Game{Moves: []string{"bad"}}, chessScale, search.Limits{},
		func(int) {}); err == nil {
		t.Error("no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Analyse(ctx, &fake{}, Game{}, chessScale, search.Limits{}, func(int) {}); err != context.Canceled {
		t.Error(err)
	}
}

// TestEvalText: the scores of comments are White's.
func TestEvalText(t *testing.T) {
	for want, c := range map[string]struct {
		info  search.Info
		white bool
	}{
		"0.05": {centipawns(5), true}, "-12.30": {centipawns(1230), false}, "0.00": {centipawns(0), false}, "#1": {mateIn(1), true}, "#-3": {mateIn(5), false},
		"#4": {mateIn(-8), false}, "#-2": {mateIn(-4), true},
	} {
		if got := evalText(c.info.Score, c.white); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestFormatOf(t *testing.T) {
	for path, want := range map[string]string{"a/b.PGN": "pgn", "x.pgn": "pgn", "x.kif": "kif", "x.kifu": "kif",
		"x.CSA": "csa", "x.KI2": "ki2", "x.ki2u": "ki2", "x.jkf": "jkf", "x.usi": "usi", "x.sfen": "", "x.epd": "", "pgn": "", "-": ""} {
		f := FormatOf(path)
		if (f == nil) != (want == "") || f != nil && f.Name != want {
			t.Errorf("%s: %v", path, f)
		}
	}
}

// TestRecognise: the beginning of a text tells its format. A text of moves alone does not tell it.
func TestRecognise(t *testing.T) {
	for head, want := range map[string]string{
		"\n[Event": "pgn", "\ufeff\r\n [Event": "pgn", "\n先手：甲": "kif", "\r\nV2.2": "csa",
		"[Event": "pgn", "\ufeff手合割：平手": "kif", "#KIF version=2.0": "kif", "V2.2": "csa", "N+A": "csa", "PI\n+\n": "csa",
		"先手：甲": "kif", "\x90\xe6\x8e\xe8\x81\x46": "kif", "後手の持駒：飛": "kif", "\x8c\xe3\x8e\xe8\x82\xcc": "kif",
		"上手：乙": "kif", "\x8f\xe3\x8e\xe8\x81\x46": "kif", "下手：甲": "kif", "表題：詰将棋": "kif", "対局日：2026": "kif",
		"▲７六歩": "kif", "\ufeff{\"header\":{}": "jkf", "{\n  \"moves\"": "jkf",
		"position startpos moves": "usi", "startpos": "usi", " position  sfen 9/": "usi", "4k4/9/9/9/9/9/9/9/4K4 b - 1": "usi",
		"1. e4 e5": "", "Nf3 d5": "", "5r1k/6pp/8/6N1": "", "{ a comment }": "", "positions": "", "": "",
	} {
		f := Recognise([]byte(head))
		if (f == nil) != (want == "") || f != nil && f.Name != want {
			t.Errorf("%q: %v", head, f)
		}
	}
}

// TestGuess: moves alone are PGN; what is no game is nothing.
func TestGuess(t *testing.T) {
	for head, want := range map[string]string{
		"1. e4 e5": "pgn", "\n Nf3 d5": "pgn", "e4": "pgn", "O-O": "pgn", "{ a comment } 1. e4": "pgn", "; x": "pgn", "*": "pgn", "1-0": "pgn",
		"": "pgn", "exd5": "pgn", "e2e4": "pgn", "[Event": "pgn", "手合割：平手": "kif", "hello": "", "<html>": "", "\x7fELF": "", "5r1k/6pp/8/6N1": "",
	} {
		f := Guess([]byte(head))
		if (f == nil) != (want == "") || f != nil && f.Name != want {
			t.Errorf("%q: %v", head, f)
		}
	}
}

// TestChess960: a move of a game is written as the engine writes it, so that the best move is recognised.
func TestChess960(t *testing.T) {
	const games = `[Variant "Chess960"]
[FEN "1r2k2r/8/8/8/8/8/8/1R2K2R w BHbh - 0 1"]

1. O-O-O O-O *

[Variant "Chess960"]
[FEN "1r1k3r/pppppppp/8/8/8/8/PPPPPPPP/1R1K3R w BHbh - 0 1"]

1. O-O-O O-O *

1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *
`
	e := engine.New()
	defer e.Close()
	e.NewGame()
	next := pgnFormat.Open(strings.NewReader(games))
	for range 3 {
		record, err := next()
		if err != nil {
			t.Fatal(err)
		}
		g := record.Game()
		for i, move := range g.Moves {
			if err := e.SetPosition(g.Setup, g.Moves[:i]); err != nil {
				t.Fatal(err)
			}
			r := e.Search(t.Context(), search.Limits{Depth: 1, SearchMoves: []string{move}}, func(search.Info) {})
			if r.Best != move {
				t.Errorf("%s: %q in the game, %q of the engine", g.Setup, move, r.Best)
			}
		}
	}
}
