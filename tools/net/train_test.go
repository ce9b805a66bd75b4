package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/game"
	shoginnue "trefoil/game/shogi/nnue"
	"trefoil/internal/filetest"
	"trefoil/nnue/nnuetest"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// gameFile makes a file of games of random moves. It returns its name, the number of positions to train on,
// and the number of positions in games that are held out.
func gameFile(t *testing.T, game string, seed uint64) (name string, count, held int) {
	t.Helper()
	g := subjects[game]
	var games [][]byte
	for i := range 41 {
		games = append(games, randomGame(t, g, seed, i))
	}
	name = written(t, record.Header{Game: game}, games...)
	from := positions{most: 1500}
	if err := from.open([]string{name}); err != nil {
		t.Fatal(err)
	}
	source, err := train.Open(&g.Format, from.data(1), 1, 1, 1<<20, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return name, source.Count(), source.HeldOut(1 << 20).Len()
}

// randomGame returns 20 random plies from an opening, or fewer.
func randomGame(t testing.TB, g *subject, seed uint64, number int) []byte {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, uint64(number)))
	pos, err := g.opening(rng, false, 6)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, g.Bytes)
	g.put(data, pos)
	tail := record.TailOf(data)
	tail.Half, tail.Number = uint8(number%3), uint16(number)
	tail.Put(data)
	before := 0
	var l game.List
	for range 20 {
		if _, over := selfplay.Result(pos, &l); over {
			break
		}
		m, score := l.At(rng.IntN(l.Len())), rng.IntN(400)-200
		data = record.AppendPly(data, record.Ply{Rank: rank(pos, m, &l), Score: score}, before)
		before = score
		pos.Make(m)
	}
	return data
}

// trainArgs are the arguments of a short training with a report every 10 steps.
func trainArgs(net, data string, more ...string) []string {
	args := append([]string{"train", "-o", net, "-hidden", "32", "-batch", "32", "-passes", "2", "-warmup", "3",
		"-every", "10"}, more...)
	return append(args, data)
}

// stopAfter cancels when a text is written.
type stopAfter struct {
	bytes.Buffer
	text string
	stop func()
}

func (s *stopAfter) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(s.text)) {
		s.stop()
	}
	return s.Buffer.Write(b)
}

// TestTrain checks that an interrupted training goes on to the same net and the same checkpoint, and
// what check says of them.
func TestTrain(t *testing.T) { inEachGame(t, testTrain) }

func testTrain(t *testing.T, game string) {
	data, count, held := gameFile(t, game, 1)
	dir := t.TempDir()
	steps := (2*count + 31) / 32
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	if out := call(t, trainArgs(whole, data)...); !strings.Contains(out, fmt.Sprintf("%d of them to train on, ",
		count)) || !strings.Contains(out, fmt.Sprintf("loss on %d held out", held)) {
		t.Errorf("train printed %s", out)
	}
	ctx, cancel := context.WithCancel(context.Background())
	out := &stopAfter{text: "      10 ", stop: cancel}
	err := run(ctx, trainArgs(parts, data), out, new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("interrupted after step 10 of %d", steps)) {
		t.Fatalf("error %v", err)
	}
	call(t, trainArgs(parts, data)...)
	for _, end := range []string{"", ".train"} {
		if !bytes.Equal(filetest.Read(t, whole+end), filetest.Read(t, parts+end)) {
			t.Errorf("parts%s differs from whole%[1]s", end)
		}
	}
	if net, err := readNet(whole); err != nil ||
		!strings.HasPrefix(net.Trained, fmt.Sprintf("step %d of %[1]d, batch 32, ", steps)) {
		t.Errorf("trained %v, error %v", net, err)
	}

	on := filepath.Join(dir, "on")
	call(t, trainArgs(on, data, "-from", whole+".train")...)
	first := call(t, "check", "-against", on, whole, data)
	for _, line := range []string{fmt.Sprintf("\n%d positions", held), "\nfloat weights ", "\nwhole ", "\non "} {
		if !strings.Contains(first, line) {
			t.Errorf("check did not print %q but\n%s", line, first)
		}
	}
	if again := call(t, "check", "-against", on, "-workers", "3", whole, data); again != first {
		t.Errorf("check printed\n%s\nthen\n%s", first, again)
	}
	if out := call(t, "check", "-k", "200", on, data); !strings.Contains(out, "K 200, lambda 0.9") {
		t.Errorf("check -k 200 printed %s", out)
	}
	if err := os.Remove(on + ".train"); err != nil {
		t.Fatal(err)
	}
	if out := call(t, "check", on, data); strings.Contains(out, "float") {
		t.Errorf("check without a checkpoint printed %s", out)
	}
}

// TestTrainRefuses checks what train and check refuse, and that nothing is overwritten.
func TestTrainRefuses(t *testing.T) {
	data, _, _ := gameFile(t, "chess", 1)
	dir := t.TempDir()
	net := filepath.Join(dir, "net")
	call(t, trainArgs(net, data)...)
	before := folder(t, dir)
	text := filetest.New(t, "text", "text, not games: more than a header")
	other, _, _ := gameFile(t, "chess", 2)
	shogi, _, _ := gameFile(t, "shogi", 1)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"steps are done", trainArgs(net, data)},
		{"made with other flags", trainArgs(net, data, "-rate", "0.1")},
		{"is of another training", trainArgs(net, data, "-from", text)},
		{"is of another training", trainArgs(net, other)},
		{text, trainArgs(text, data)},
		{text, trainArgs(filepath.Join(dir, "new"), data, "-from", text)},
		{"shape", trainArgs(filepath.Join(dir, "new"), shogi, "-from", net+".train")},
		{"shape", trainArgs(filepath.Join(dir, "new"), shogi, "-from", net)},
		{"hidden neurons: 33", trainArgs(filepath.Join(dir, "new"), data, "-hidden", "33")},
		{"-from is missing", trainArgs(filepath.Join(dir, "new"), data, "-output-only")},
		{"-lambda must be from 0 to 1, not 1.5", trainArgs(filepath.Join(dir, "new"), data, "-lambda", "1.5")},
		{"passes", trainArgs(filepath.Join(dir, "new"), data, "-passes", "NaN")},
		{"-o FILE is missing", []string{"train", data}},
		{"no file of games", []string{"train", "-o", net}},
		{`go.game: game "go"`, trainArgs(filepath.Join(dir, "new"), written(t, record.Header{Game: "go"}))},
		{"text is not a file of games", trainArgs(filepath.Join(dir, "new"), text)},
		{"games of shogi, want chess", append(trainArgs(filepath.Join(dir, "new"), data), shogi)},
		{text + ": ", []string{"check", text, data}},
		{text + ": ", []string{"check", "-against", text, net, data}},
		{"-lambda must be from 0 to 1", []string{"check", "-lambda", "NaN", net, data}},
		{"is of another training", trainArgs(net, data, "-lambda", "0.5")},
		{"a net and at least one file", []string{"check", net}},
	} {
		fails(t, c.want, c.args...)
	}
	differ(t, "refused", before, folder(t, dir))
}

// TestDecodeChess checks that a sample has the features of both sides, as many as pieces.
func TestDecodeChess(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range 200 {
		pos, err := chessSubject.opening(rng, true, i)
		if err != nil {
			t.Fatal(err)
		}
		rec := make([]byte, record.ChessBytes)
		chessSubject.put(rec, pos)
		record.Tail{Score: -300, Half: 1}.Put(rec)
		s := train.Sample{Us: []uint16{1, 2, 3}}
		if err := decodeChess(rec, &s); err != nil {
			t.Fatal(err)
		}
		n := record.ChessPieces(rec)
		if len(s.Us) != n || len(s.Them) != n || s.Bucket != (n-2)/4 || s.Score != -300 {
			t.Fatalf("%d pieces: %+v", n, s)
		}
		for k, side := range [2][]uint16{s.Us, s.Them} {
			slices.Sort(side)
			kings := 0
			for _, f := range side {
				if f >= 320 && f < 384 { // the own king, which stands on a to d
					kings++
					if f&7 >= 4 {
						t.Errorf("side %d: the own king is feature %d", k, f)
					}
				}
			}
			if kings != 1 || len(slices.Compact(side)) != n {
				t.Errorf("side %d: %d own kings in %v", k, kings, side)
			}
		}
	}
	if err := decodeChess(make([]byte, record.ChessBytes), new(train.Sample)); err == nil {
		t.Error("a record without kings is accepted")
	}
}

// TestDecodeShogi checks that a sample has the features that the evaluator sees: its value is the same.
func TestDecodeShogi(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	net := nnuetest.Random(t, shoginnue.Shape(32), 1)
	e := shoginnue.NewEvaluator(net)
	for i := range 200 {
		pos, err := shogiSubject.opening(rng, false, i)
		if err != nil {
			t.Fatal(err)
		}
		rec := make([]byte, record.ShogiBytes)
		shogiSubject.put(rec, pos)
		record.Tail{Score: -300, Half: 1}.Put(rec)
		s := train.Sample{Us: []uint16{1, 2, 3}, Bucket: 3}
		if err := decodeShogi(rec, &s); err != nil {
			t.Fatal(err)
		}
		if len(s.Us) != 40 || len(s.Them) != 40 || s.Bucket != 0 || s.Score != -300 {
			t.Fatalf("%+v", s)
		}
		var sides [2][]int16
		for k, features := range [2][]uint16{s.Us, s.Them} {
			sides[k] = make([]int16, net.Hidden)
			net.Refresh(sides[k], features)
		}
		if got, want := net.Output(sides[0], sides[1], 0), e.Evaluate(selfplay.ShogiPosition(pos)); got != want {
			t.Fatalf("%s: %d by the sample, %d by the evaluator", pos.Setup(), got, want)
		}
	}
	if err := decodeShogi(make([]byte, record.ShogiBytes), new(train.Sample)); err == nil {
		t.Error("a record without kings is accepted")
	}
}

// BenchmarkTrain visits positions of random games, with one worker.
func BenchmarkTrain(b *testing.B) {
	for name, g := range subjects {
		b.Run(name, func(b *testing.B) { benchmarkTrain(b, g) })
	}
}

func benchmarkTrain(b *testing.B, g *subject) {
	const batch = 1 << 14
	from, rng := positions{game: g, most: 1500}, rand.New(rand.NewPCG(1, 1))
	source, err := train.Open(&g.Format, func(use func([]byte) error) error {
		for i := 1; i < 2000; i++ {
			records, err := from.append(nil, i, randomGame(b, g, rng.Uint64(), i))
			if err == nil {
				err = use(records)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, 1, 1, 1<<30, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	trainer, err := train.New(train.Config{
		Shape: g.shape(256), Loss: train.Loss{K: 400, Power: 2}, Batch: batch, Steps: 1 << 30, Rate: 1e-4,
	}, 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		positions, err := source.Next(batch)
		if err == nil {
			_, err = trainer.Train(positions)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(batch*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}
