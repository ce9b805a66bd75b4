package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/internal/atomicfile"
	"trefoil/internal/filetest"
	"trefoil/nnue"
	"trefoil/nnue/nnuetest"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
)

// call runs the command and returns what it prints.
func call(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(context.Background(), args, &out, new(bytes.Buffer)); err != nil {
		t.Fatalf("net %v: %v", args, err)
	}
	return out.String()
}

// fails runs the command and expects an error with a text.
func fails(t *testing.T, want string, args ...string) {
	t.Helper()
	err := run(t.Context(), args, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("net %v: %v, want %q", args, err, want)
	}
}

// written writes a file of games and returns its name.
func written(t *testing.T, h record.Header, games ...[]byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), h.Game+".game")
	w, err := record.Resume(name, h)
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range games {
		if err := w.Append(i, g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// playArgs are the arguments with which a few quick games of chess or shogi are played.
func playArgs(game, name, n string, more ...string) []string {
	args := []string{"games", "-game", game, "-o", name, "-n", n, "-shard", "3", "-nodes", "40"}
	if game == "chess" {
		args = append(args, "-chess960", "0.5")
	}
	return append(args, more...)
}

// play plays them.
func play(t *testing.T, game, name, n string, more ...string) {
	t.Helper()
	call(t, playArgs(game, name, n, more...)...)
}

// inEachGame runs a test for each game.
func inEachGame(t *testing.T, test func(t *testing.T, game string)) {
	for name := range subjects {
		t.Run(name, func(t *testing.T) { test(t, name) })
	}
}

// folder returns the contents of the files in a folder by name.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		b := filetest.Read(t, filepath.Join(dir, e.Name()))
		files[e.Name()] = string(b)
	}
	return files
}

// differ compares the files of two folders.
func differ(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%s: %d files instead of %d", what, len(got), len(want))
	}
	for name := range want {
		if want[name] != got[name] {
			t.Fatalf("%s: %s differs", what, name)
		}
	}
}

// The files do not depend on the number of workers, nor on where an earlier run was killed: a process
// that ends leaves a beginning of each file.
func TestGamesResumeAndRepeat(t *testing.T) { inEachGame(t, testGamesResumeAndRepeat) }

func testGamesResumeAndRepeat(t *testing.T, game string) {
	dir := t.TempDir()
	play(t, game, filepath.Join(dir, "a"), "5")
	whole := folder(t, dir)
	if len(whole) != 2 {
		t.Fatalf("%d files", len(whole))
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range 4 {
		dir := t.TempDir()
		killed := i & 1 // the file that was being written
		for name, text := range whole {
			number := 0
			if strings.Contains(name, "-0001.") {
				number = 1
			}
			switch {
			case number > killed:
				continue
			case number == killed:
				text = text[:rng.IntN(len(text)+1)]
			}
			filetest.Write(t, filepath.Join(dir, name), text)
		}
		play(t, game, filepath.Join(dir, "a"), "5", "-workers", "3")
		differ(t, "resumed", whole, folder(t, dir))
	}
}

// A game that is played out begins like the adjudicated one.
func TestGamesPlayedOut(t *testing.T) {
	dir := t.TempDir()
	play(t, "chess", filepath.Join(dir, "a"), "3")
	play(t, "chess", filepath.Join(dir, "b"), "3", "-play-out")
	_, short, err := readAll(filepath.Join(dir, "a-0000.game"))
	if err != nil {
		t.Fatal(err)
	}
	h, long, err := readAll(filepath.Join(dir, "b-0000.game"))
	if err != nil || !strings.HasSuffix(h.Games, ", played out") {
		t.Fatalf("%v, %+v", err, h)
	}
	more := 0
	for i, g := range short {
		a, b := g.data[record.ChessBytes:], long[i].data[record.ChessBytes:]
		if !bytes.HasPrefix(b, a) {
			t.Fatalf("game %d differs", i)
		}
		more += len(b) - len(a)
	}
	if more == 0 {
		t.Error("no game is longer")
	}
}

// A run that is stopped by its context leaves whole games.
func TestGamesStop(t *testing.T) {
	dir := t.TempDir()
	play(t, "chess", filepath.Join(dir, "a"), "5")
	whole := folder(t, dir)
	dir = t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	args := playArgs("chess", filepath.Join(dir, "a"), "5")
	var out bytes.Buffer
	if err := run(ctx, args, &out, new(bytes.Buffer)); err != nil || !strings.Contains(out.String(), "stopped") {
		t.Fatalf("%v: %s", err, out.String())
	}
	out.Reset()
	p := plan{game: subjects["chess"], shard: 5}
	if err := p.fill(ctx, filepath.Join(t.TempDir(), "a"), 0, 5, 1, &out); err != nil || out.Len() > 0 {
		t.Errorf("stopped in the first game: %v, %q", err, out.String())
	}
	play(t, "chess", filepath.Join(dir, "a"), "2")
	play(t, "chess", filepath.Join(dir, "a"), "5")
	differ(t, "in steps", whole, folder(t, dir))
}

// Games with new scores have the same moves. Static scores are the scores of the evaluation, and searches
// give the same with any number of workers.
func TestLabel(t *testing.T) { inEachGame(t, testLabel) }

func testLabel(t *testing.T, game string) {
	dir := t.TempDir()
	play(t, game, filepath.Join(dir, "a"), "3")
	played := filepath.Join(dir, "a-0000.game")
	static := t.TempDir()
	call(t, "label", "-o", static, played)
	one, three := t.TempDir(), t.TempDir()
	call(t, "label", "-nodes", "100", "-o", one, played)
	files := folder(t, one)
	for name, text := range files { // as if it had been killed
		filetest.Write(t, filepath.Join(three, name), text[:2*len(text)/3])
	}
	call(t, "label", "-nodes", "100", "-workers", "3", "-o", three, played)
	differ(t, "search", files, folder(t, three))
	held := t.TempDir()
	call(t, "label", "-held-out", "-o", held, played)
	if _, games, err := readAll(filepath.Join(held, "a-0000.game")); err != nil || len(games) != 1 ||
		games[0].number != 0 {
		t.Errorf("-held-out labels %d games, error %v, want game 0 alone", len(games), err)
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	late := t.TempDir()
	err := run(ended, []string{"label", "-o", late, played}, new(bytes.Buffer), new(bytes.Buffer))
	if files := folder(t, late); err != nil || len(files) > 0 {
		t.Errorf("after Ctrl-C: %d files, error %v", len(files), err)
	}

	g := subjects[game]
	before, h := pliesOf(t, g, played)
	searched, h2 := pliesOf(t, g, filepath.Join(one, "a-0000.game"))
	evaluated, _ := pliesOf(t, g, filepath.Join(static, "a-0000.game"))
	if h.Games != h2.Games || h.Scores == h2.Scores || len(before) != len(searched) || len(before) != len(evaluated) {
		t.Fatalf("%+v is labelled as %+v", h, h2)
	}
	changed := 0
	for i, p := range before {
		if p.setup != searched[i].setup || p.move != searched[i].move || p.half != searched[i].half {
			t.Fatalf("%+v is labelled as %+v", p, searched[i])
		}
		switch {
		case !p.learnt && (p.score != searched[i].score || p.score != evaluated[i].score):
			t.Fatalf("%+v has another score", p)
		case p.learnt && p.eval != evaluated[i].score:
			t.Fatalf("%+v has the score %d, its evaluation is %d", p, evaluated[i].score, p.eval)
		case p.learnt && p.score != searched[i].score:
			changed++
		}
	}
	if changed == 0 {
		t.Error("no score has changed")
	}
}

// A playedPly is a ply of a game.
type playedPly struct {
	setup             string
	move              string
	score, half, eval int
	side              int
	learnt            bool // a net may learn from it
}

// pliesOf returns all plies of a file.
func pliesOf(t *testing.T, g *subject, name string) (plies []playedPly, h record.Header) {
	t.Helper()
	h, err := eachGame(name, g, func(_ int, data []byte) error {
		return replay(g, data, func(pos selfplay.Board, m game.Move, score, half int) error {
			p := playedPly{setup: pos.Setup(), move: pos.Text(m), score: score, half: half, side: pos.Side()}
			if p.learnt = m.Quiet() && !pos.InCheck(); p.learnt {
				p.eval = pos.Eval()
			}
			plies = append(plies, p)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return plies, h
}

// Games and scores are by the net that is named, and a file goes on with the same net only.
func TestGamesByNet(t *testing.T) { inEachGame(t, testGamesByNet) }

func testGamesByNet(t *testing.T, game string) {
	dir := t.TempDir()
	net := filepath.Join(dir, "a.net")
	if err := atomicfile.Write(net, netHead, nnuetest.Random(t, subjects[game].shape(32), 5).Write); err != nil {
		t.Fatal(err)
	}
	byHand, byNet := filepath.Join(dir, "h"), filepath.Join(dir, "n")
	play(t, game, byHand, "2")
	play(t, game, byNet, "2", "-net", net)
	h, _, err := readAll(byHand + "-0000.game")
	if err != nil {
		t.Fatal(err)
	}
	n, _, err := readAll(byNet + "-0000.game")
	if err != nil {
		t.Fatal(err)
	}
	if h.Scores == n.Scores {
		t.Errorf("scores by both are %q", n.Scores)
	}
	err = run(context.Background(), playArgs(game, byNet, "3"), new(bytes.Buffer), new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "choose another name") {
		t.Errorf("without the net it goes on: %v", err)
	}
	to := t.TempDir()
	err = run(context.Background(), []string{"label", "-net", byHand + "-0000.game", "-o", to, byNet + "-0000.game"},
		new(bytes.Buffer), new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "h-0000.game: ") {
		t.Errorf("games as a net: %v", err)
	}
}

// Games begin balanced, but some of them.
func TestBalanced(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ unbalanced, least, most string }{{"0", "0", "40"}, {"1", "40", "120"}} {
		call(t,
			playArgs("chess", filepath.Join(dir, c.unbalanced), "12", "-within", "40", "-unbalanced", c.unbalanced)...)
	}
	first := func(unbalanced string) (most int) {
		for i := range 4 {
			_, err := eachGame(filepath.Join(dir, fmt.Sprintf("%s-%04d.game", unbalanced, i)), nil,
				func(_ int, data []byte) error {
					ply, _, err := record.TakePly(data[record.ChessBytes:], 0)
					most = max(most, ply.Score, -ply.Score)
					return err
				})
			if err != nil {
				t.Fatal(err)
			}
		}
		return most
	}
	if balanced, not := first("0"), first("1"); balanced > 40 || not <= 40 || not > 120 {
		t.Errorf("the greatest first scores are %d and %d", balanced, not)
	}
}

// The records of a game agree on its result, and are what the plan keeps. Scores and results are for the
// same side: who is ahead wins more often.
func TestRecordsOfGames(t *testing.T) { inEachGame(t, testRecordsOfGames) }

func testRecordsOfGames(t *testing.T, game string) {
	dir := t.TempDir()
	play(t, game, filepath.Join(dir, "a"), "30")
	files, err := filepath.Glob(filepath.Join(dir, "a-*.game"))
	if err != nil {
		t.Fatal(err)
	}
	from := positions{most: 300}
	if err := from.open(files); err != nil {
		t.Fatal(err)
	}
	g, n, ahead, winner := from.game, 0, 0, map[uint16]int{}
	err = from.each(2, func(name string, _ record.Header, records []byte) error {
		for ; len(records) > 0; records = records[g.Bytes:] {
			rec := records[:g.Bytes]
			p, err := g.get(rec)
			if err != nil {
				return err
			}
			tail := record.TailOf(rec)
			half := int(tail.Half)
			if p.Side() == 1 {
				half = 2 - half
			}
			if before, ok := winner[tail.Number]; ok && before != half {
				t.Fatalf("game %d is won by both", tail.Number)
			}
			winner[tail.Number] = half
			if p.InCheck() || int(tail.Clock) > lateClock || max(tail.Score, -tail.Score) > 300 {
				t.Fatalf("%s: %s: %+v", name, p.Setup(), tail)
			}
			n++
			ahead += int(tail.Score) * (int(tail.Half) - 1)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 300 || len(winner) != 30 {
		t.Errorf("only %d records of %d games", n, len(winner))
	}
	if ahead <= 0 {
		t.Errorf("scores and results disagree: the sum of their products is %d", ahead)
	}
}

func TestInfo(t *testing.T) { inEachGame(t, testInfo) }

func testInfo(t *testing.T, game string) {
	dir := t.TempDir()
	play(t, game, filepath.Join(dir, "a"), "3")
	played := filepath.Join(dir, "a-0000.game")
	text := call(t, "info", played, played)
	for _, want := range []string{"a-0000.game: " + game + ", ", " of 6 games in 2 files", "duplicates 5",
		"held out ", "games:  seed 1, nodes 40,", "scores: search of 40 nodes", "result of the side to move",
		"|score| to   25"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	play(t, game, filepath.Join(dir, "one"), "1")
	one := filepath.Join(dir, "one-0000.game")
	if text := call(t, "info", one, one); !strings.Contains(text, " of 2 games in 2 files") {
		t.Errorf("two files of a game each:\n%s", text)
	}
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	play(t, "chess", name, "1")
	game := name + "-0000.game"
	text := filepath.Join(dir, "text")
	filetest.Write(t, text, "some words and no records")
	damaged := written(t, record.Header{Game: "chess"}, make([]byte, record.ChessBytes)) // its checksums fit no game
	nets := map[string]string{}
	for name, shape := range map[string]nnue.Shape{
		"chess": subjects["chess"].shape(32), "large": subjects["shogi"].shape(544),
		"small": subjects["shogi"].shape(32)} {
		nets[name] = filepath.Join(dir, name+".net")
		if err := atomicfile.Write(nets[name], netHead, nnuetest.Random(t, shape, 1).Write); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "missing command"},
		{[]string{"play"}, `unknown command "play"`},
		{[]string{"games"}, "-o NAME is missing"},
		{[]string{"games", "-o", name, "-nodes", "0"}, "at least 1"},
		{[]string{"games", "-o", name, "-chess960", "2"}, "from 0 to 1"},
		{[]string{"games", "-o", name, "-chess960", "NaN"}, "from 0 to 1"},
		{[]string{"games", "-o", name, "-game", "shogi", "-chess960", "0.5"}, "shogi has no"},
		{[]string{"games", "-o", name, "-within", "-1"}, "must not be negative"},
		{[]string{"games", "-o", name, "-unbalanced", "2"}, "from 0 to 1"},
		{[]string{"games", "-o", name, "-game", "go"}, `game "go"`},
		{[]string{"games", "-o", name, "-n", "1"}, "choose another name"},
		{[]string{"games", "-o", filepath.Join(dir, "none", "a")}, "no such file"},
		{[]string{"wdl"}, "no file"},
		{[]string{"wdl", text}, "not a file of games"},
		{[]string{"label"}, "-o FOLDER is missing"},
		{[]string{"label", "-o", dir}, "no file"},
		{[]string{"label", "-o", dir, game}, "would be replaced"},
		{[]string{"label", "-o", text, game}, "text"},
		{[]string{"label", "-o", filepath.Join(dir, "to"), damaged}, "game 0: 0 kings"},
		{[]string{"info"}, "no file"},
		{[]string{"info", text}, "not a file of games"},
		{[]string{"info", filepath.Join(dir, "none")}, "none"},
		{[]string{"info", damaged}, "game 0: 0 kings"},
		{[]string{"yaneuraou", nets["large"]}, "-o FOLDER"},
		{[]string{"yaneuraou", "-o", dir, text}, "not a net"},
		{[]string{"yaneuraou", "-o", dir, nets["chess"]}, "its features are"},
		{[]string{"yaneuraou", "-o", dir, nets["large"]}, "no architecture has 2176 neurons"},
		{[]string{"yaneuraou", "-o", filepath.Join(text, "eval"), nets["small"]}, "text"},
	} {
		fails(t, c.want, c.args...)
	}
}

// BenchmarkGames plays games with 1,000 nodes a move.
func BenchmarkGames(b *testing.B) {
	for name, g := range subjects {
		b.Run(name, func(b *testing.B) { benchmarkGames(b, g) })
	}
}

func benchmarkGames(b *testing.B, g *subject) {
	player, err := selfplay.New(tableMiB)
	if err != nil {
		b.Fatal(err)
	}
	defer player.Close()
	p := plan{game: g, evaluation: evaluation{game: g}, seed: 1, nodes: 1000, random: 9, within: g.within}
	from := positions{game: g, most: 1500}
	ctx, kept := context.Background(), 0
	for i := 0; b.Loop(); i++ {
		if err := player.NewGame(ctx); err != nil {
			b.Fatal(err)
		}
		data, err := p.play(ctx, player, i)
		if err != nil {
			b.Fatal(err)
		}
		records, err := from.append(nil, i, data)
		if err != nil {
			b.Fatal(err)
		}
		kept += len(records) / g.Bytes
	}
	b.ReportMetric(float64(kept)/b.Elapsed().Seconds(), "positions/s")
}
