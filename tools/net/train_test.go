package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	shoginnue "trefoil/game/shogi/nnue"
	"trefoil/nnue/nnuetest"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// positions makes a file of random positions of a game: 41 games of 10, of which 3 games are held out.
// The score is that of the evaluation.
func positions(t *testing.T, game string, seed uint64) string {
	t.Helper()
	g := subjects[game]
	name := filepath.Join(t.TempDir(), game+".game")
	w, err := record.Resume(name, record.Header{Game: game, Kind: record.Played, Bytes: g.bytes()})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range 41 {
		var records []byte
		for range 10 {
			pos, err := g.opening(rng, false, 6+i)
			if err != nil {
				t.Fatal(err)
			}
			rec := make([]byte, g.bytes())
			g.put(rec, pos)
			tail := record.TailOf(rec)
			tail.Score, tail.Half, tail.Number = int16(10*(i-20)), uint8(i%3), uint16(i)
			tail.Put(rec)
			records = append(records, rec...)
		}
		if err := w.Append(i, records); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// trainArgs are the arguments of a training of 24 steps with a report every 10 steps.
func trainArgs(net, data string, more ...string) []string {
	args := append([]string{"train", "-o", net, "-hidden", "32", "-batch", "32", "-passes", "2", "-warmup", "3", "-every", "10"}, more...)
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

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTrain checks that an interrupted training goes on to the same net and the same checkpoint, with
// another number of workers too, and what check says of them.
func TestTrain(t *testing.T) { eachGame(t, testTrain) }

func testTrain(t *testing.T, game string) {
	data, dir := positions(t, game, 1), t.TempDir()
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	if out := call(t, trainArgs(whole, data)...); !strings.Contains(out, "380 of them to train on, loss on 30 held out") {
		t.Errorf("train printed %s", out)
	}
	ctx, cancel := context.WithCancel(context.Background())
	out := &stopAfter{text: "      10 ", stop: cancel}
	err := run(ctx, trainArgs(parts, data), out, new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "interrupted after step 10 of 24") {
		t.Fatalf("error %v", err)
	}
	call(t, trainArgs(parts, data, "-workers", "3")...)
	for _, end := range []string{"", ".train"} {
		if !bytes.Equal(read(t, whole+end), read(t, parts+end)) {
			t.Errorf("parts%s differs from whole%[1]s", end)
		}
	}
	if net, err := readNet(whole); err != nil || !strings.HasPrefix(net.Trained, "step 24 of 24, batch 32, 410 positions") {
		t.Errorf("trained %v, error %v", net, err)
	}

	on := filepath.Join(dir, "on")
	call(t, trainArgs(on, data, "-from", whole+".train")...)
	first := call(t, "check", "-against", on, whole, data)
	for _, line := range []string{"\n30 positions", "\nfloat weights ", "\nwhole ", "\non "} {
		if !strings.Contains(first, line) {
			t.Errorf("check did not print %q but\n%s", line, first)
		}
	}
	if again := call(t, "check", "-against", on, "-workers", "3", whole, data); again != first {
		t.Errorf("check printed\n%s\nthen\n%s", first, again)
	}
	if out := call(t, "check", "-k", "200", on, data); !strings.Contains(out, "K 200, score weight 0.9") {
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
	data, dir := positions(t, "chess", 1), t.TempDir()
	net := filepath.Join(dir, "net")
	call(t, trainArgs(net, data)...)
	before := folder(t, dir)
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("text, not positions: more than a header"), 0o600); err != nil {
		t.Fatal(err)
	}
	strange := filepath.Join(t.TempDir(), "go.game")
	w, err := record.Resume(strange, record.Header{Game: "go", Bytes: 32})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	other := positions(t, "chess", 2)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"all 24 steps are done", trainArgs(net, data)},
		{"made with other flags", trainArgs(net, data, "-rate", "0.1")},
		{"is of another training", trainArgs(net, data, "-from", text)},
		{"is of another training", trainArgs(net, other)},
		{text, trainArgs(text, data)},
		{text, trainArgs(filepath.Join(dir, "new"), data, "-from", text)},
		{"shape", trainArgs(filepath.Join(dir, "new"), data, "-from", net+".train", "-hidden", "64")},
		{"shape", trainArgs(filepath.Join(dir, "new"), data, "-from", net, "-hidden", "64")},
		{"hidden neurons: 33", trainArgs(filepath.Join(dir, "new"), data, "-hidden", "33")},
		{"-from is missing", trainArgs(filepath.Join(dir, "new"), data, "-output-only")},
		{"passes", trainArgs(filepath.Join(dir, "new"), data, "-passes", "NaN")},
		{"-o FILE is missing", []string{"train", data}},
		{"no file of positions", []string{"train", "-o", net}},
		{`no nets of game "go"`, trainArgs(filepath.Join(dir, "new"), strange)},
		{"text is not a file of positions", trainArgs(filepath.Join(dir, "new"), text)},
		{"positions of go", append(trainArgs(filepath.Join(dir, "new"), data), strange)},
		{text + ": ", []string{"check", text, data}},
		{text + ": ", []string{"check", "-against", text, net, data}},
		{"a net and at least one file", []string{"check", net}},
	} {
		err := run(context.Background(), c.args, new(bytes.Buffer), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("net %v: error %v, want %q", c.args, err, c.want)
		}
	}
	differ(t, "refused", before, folder(t, dir))
}

// TestDecodeChess checks that a sample has the features of both sides, as many as pieces.
func TestDecodeChess(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range 200 {
		pos, err := chessSubject{}.opening(rng, true, i)
		if err != nil {
			t.Fatal(err)
		}
		rec := make([]byte, record.ChessBytes)
		chessSubject{}.put(rec, pos)
		record.Tail{Score: -300, Half: 1}.Put(rec)
		s := train.Sample{Us: []uint16{1, 2, 3}}
		if err := decodeChess(rec, &s); err != nil {
			t.Fatal(err)
		}
		n := record.ChessPieces(rec)
		if len(s.Us) != n || len(s.Them) != n || s.Bucket != (n-2)/4 || s.Score != -300 || s.Result != 0.5 {
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
		pos, err := shogiSubject{}.opening(rng, false, i)
		if err != nil {
			t.Fatal(err)
		}
		rec := make([]byte, record.ShogiBytes)
		shogiSubject{}.put(rec, pos)
		record.Tail{Score: -300, Half: 1}.Put(rec)
		s := train.Sample{Us: []uint16{1, 2, 3}, Bucket: 3}
		if err := decodeShogi(rec, &s); err != nil {
			t.Fatal(err)
		}
		if len(s.Us) != 40 || len(s.Them) != 40 || s.Bucket != 0 || s.Score != -300 || s.Result != 0.5 {
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
