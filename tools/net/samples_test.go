package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"trefoil/internal/filetest"
	"trefoil/nnue"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// TestSamples checks the samples of a file of games against its records, and that the file does not depend on the
// number of workers.
func TestSamples(t *testing.T) { inEachGame(t, testSamples) }

func testSamples(t *testing.T, game string) {
	data, _, _ := gameFile(t, game, 1)
	name, in := filepath.Join(t.TempDir(), "samples"), subjects[game]
	out := call(t, "samples", "-o", name, "-lambda", "0.5", "-k", "300", "-workers", "3", data, data)
	file := filetest.Read(t, name)
	call(t, "samples", "-o", name, "-lambda", "0.5", "-k", "300", "-workers", "1", data, data)
	if !bytes.Equal(filetest.Read(t, name), file) {
		t.Error("one worker writes other samples than three")
	}

	e := exchange{Shape: in.shape(0), K: 300, Trained: "lambda 0.5"}
	head, err := e.head(samplesMagic)
	if err != nil {
		t.Fatal(err)
	}
	rows, ok := bytes.CutPrefix(file, head)
	if !ok {
		t.Fatalf("the file begins with %q, want %q", file[:len(head)], head)
	}
	var records [2][]byte // with scores and with λ-returns
	for i, lambda := range []float64{0, 0.5} {
		f, err := (&positions{game: subjects[game], most: 1500, lambda: lambda, k: 300}).read(data)
		if err != nil {
			t.Fatal(err)
		}
		records[i] = append(f.records, f.records...)
	}
	if want := fmt.Sprintf("%d samples, K 300\n", len(records[0])/in.Bytes); out != want {
		t.Errorf("printed %q, want %q", out, want)
	}
	var s train.Sample
	for at := 0; at < len(records[0]); at += in.Bytes {
		rec, row := records[0][at:at+in.Bytes], rows[:in.sampleBytes()]
		rows = rows[len(row):]
		if err := in.Decode(rec, &s); err != nil {
			t.Fatal(err)
		}
		var want []uint16
		for _, list := range [][]uint16{s.Us, s.Them} {
			n := len(want) + e.Shape.Active
			for want = append(want, list...); len(want) < n; {
				want = append(want, uint16(e.Shape.Inputs))
			}
		}
		tail, held := record.TailOf(rec), uint16(0)
		if tail.Number%20 == 0 {
			held = 1
		}
		learned := record.TailOf(records[1][at : at+in.Bytes]).Score
		for i, v := range append(want, uint16(tail.Score), uint16(learned), uint16(s.Bucket), held) {
			if got := binary.LittleEndian.Uint16(row[2*i:]); got != v {
				t.Fatalf("number %d of the sample of record %d is %d, want %d", i, at/in.Bytes, got, v)
			}
		}
	}
	if len(rows) != 0 {
		t.Errorf("%d bytes after the samples", len(rows))
	}
}

// weightsFile is a file of random weights.
func weightsFile(t *testing.T, shape nnue.Shape) (file []byte, values []float32) {
	t.Helper()
	e := exchange{Shape: shape, K: 300, Trained: "in a test"}
	file, err := e.head(weightsMagic)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range (shape.Inputs+1+2*shape.Buckets)*shape.Hidden + shape.Buckets {
		values = append(values, 0.2*rng.Float32()-0.1)
		file = binary.LittleEndian.AppendUint32(file, math.Float32bits(values[len(values)-1]))
	}
	return file, values
}

// TestWeights checks the net that is made of weights, and that a training begins with them.
func TestWeights(t *testing.T) { inEachGame(t, testWeights) }

func testWeights(t *testing.T, game string) {
	shape := subjects[game].shape(32)
	file, values := weightsFile(t, shape)
	dir := t.TempDir()
	name, net := filepath.Join(dir, "weights"), filepath.Join(dir, "net")
	filetest.Write(t, name, file)
	call(t, "weights", "-o", net, name)
	n, err := readNet(net)
	if err != nil {
		t.Fatal(err)
	}
	if n.Shape != shape || n.Trained != "in a test" {
		t.Errorf("shape %+v, trained %q", n.Shape, n.Trained)
	}
	rows, bias, outputs, outputBias := n.Weights()
	features := append(rows, bias...)
	unit := nnue.QB * 300 / float64(n.Scale)
	for i, v := range values {
		v, got := float64(v), 0
		switch k := i - len(features); {
		case k < 0:
			v, got = v*nnue.QA, int(features[i])
		case k < len(outputs):
			v, got = v*unit, int(outputs[k])
		default:
			v, got = v*unit*nnue.QA, int(outputBias[k-len(outputs)])
		}
		if want := int(math.Round(v)); got != want {
			t.Fatalf("weight %d is %d, want %d", i, got, want)
		}
	}
	data, _, _ := gameFile(t, game, 1)
	call(t, trainArgs(filepath.Join(dir, "on"), data, "-from", net+".train")...)
}

// TestSamplesAndWeightsRefuse checks what both commands refuse, and that they then write nothing.
func TestSamplesAndWeightsRefuse(t *testing.T) {
	data, _, _ := gameFile(t, "chess", 1)
	dir := t.TempDir()
	to := filepath.Join(dir, "to")
	good, _ := weightsFile(t, subjects["chess"].shape(32))
	version, header, infinite := bytes.Clone(good), bytes.Clone(good), bytes.Clone(good)
	version[16]++
	header[23] = 1
	binary.LittleEndian.PutUint32(infinite[len(good)-4:], math.Float32bits(float32(math.Inf(1))))
	unknown := subjects["chess"].shape(32)
	unknown.Inputs++
	strange, _ := weightsFile(t, unknown)
	taken := filepath.Join(t.TempDir(), "net") // whose checkpoint would replace another file
	filetest.Write(t, checkpointOf(taken), "text")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ended, []string{"samples", "-o", to, data}, new(bytes.Buffer), new(bytes.Buffer)); err == nil {
		t.Error("an interrupted run is complete")
	}
	weightsOf := func(file []byte) []string {
		name := filetest.New(t, "weights", file)
		return []string{"weights", "-o", to, name}
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"-o FILE is missing", []string{"samples", data}},
		{"-workers is less than 1", []string{"samples", "-o", to, "-workers", "0", data}},
		{"-lambda must be", []string{"samples", "-o", to, "-lambda", "2", data}},
		{"-ending must not be negative", []string{"samples", "-o", to, "-ending", "-1", data}},
		{"K must be from 1 to 2500, not -5", []string{"samples", "-o", to, "-k", "-5", data}},
		{"go.game", []string{"samples", "-o", to, written(t, record.Header{Game: "go"})}},
		{"no file of games", []string{"samples", "-o", to}},
		{"not replaced", []string{"samples", "-o", data, data}},
		{"no such file", []string{"samples", "-o", to, data, filepath.Join(dir, "missing")}},
		{"not replaced", append([]string{"weights", "-o", taken}, weightsOf(good)[3:]...)},
		{"-o FILE and one file", []string{"weights", "-o", to}},
		{"not a file of weights", []string{"weights", "-o", to, data}},
		{"not a file of weights", weightsOf(good[:20])},
		{"version 2", weightsOf(version)},
		{"a header of 16777", weightsOf(header)},
		{"no game has it", weightsOf(strange)},
		{"weights, want", weightsOf(good[:len(good)-4])},
		{"within a weight", weightsOf(good[:len(good)-1])},
		{"is +Inf", weightsOf(infinite)},
	} {
		fails(t, c.want, c.args...)
	}
	if left := folder(t, filepath.Dir(taken)); len(left) != 1 {
		t.Errorf("%d files beside a checkpoint that was refused", len(left))
	}
	if left := folder(t, dir); len(left) != 0 {
		t.Errorf("left behind: %d files", len(left))
	}
}
