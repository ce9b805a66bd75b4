package train

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/internal/container"
	"trefoil/internal/filetest"
	"trefoil/nnue"
)

// TestResume checks that a training that is interrupted and resumed ends with the same weights and the
// same state of the optimiser, bit for bit.
func TestResume(t *testing.T) {
	data, path := toyGames(61, 0), filepath.Join(t.TempDir(), "net.train")
	c := toyConfig()
	c.Batch = 100
	whole, source := newTrainer(t, c, 2), open(t, 1, 610, data)
	steps(t, whole, source, 20)

	parts, source := newTrainer(t, c, 2), open(t, 1, 610, data)
	for _, n := range []int{7, 6, 7} {
		steps(t, parts, source, n)
		if err := parts.Save(path, State{source.ID(), "", source.Place()}); err != nil {
			t.Fatal(err)
		}
		var state State
		var err error
		if parts, state, err = Load(path, 2); err != nil {
			t.Fatal(err)
		}
		source = open(t, 1, 610, data)
		if state.Data != source.ID() {
			t.Fatalf("data %q, want %q", state.Data, source.ID())
		}
		if err := source.Seek(state.Place); err != nil {
			t.Fatal(err)
		}
	}
	if parts.Config != whole.Config || parts.Step() != whole.Step() {
		t.Errorf("step %d of %+v, want %d of %+v", parts.Step(), parts.Config, whole.Step(), whole.Config)
	}
	for i, p := range parts.saved() {
		if !slices.Equal(p.values, whole.saved()[i].values) {
			t.Errorf("parameters %d differ", i)
		}
	}
}

// TestRestart checks that a new training, also one with more neurons, begins with the outputs of another one, in
// centipawns, and that all its neurons learn.
func TestRestart(t *testing.T) {
	from := newTrainer(t, toyConfig(), 1)
	steps(t, from, &toy{}, 50)
	c := toyConfig()
	c.Loss.K, c.Seed = 200, 2
	for _, hidden := range []int{c.Shape.Hidden, 2 * c.Shape.Hidden} {
		c.Shape.Hidden = hidden
		to := newTrainer(t, c, 1)
		if err := to.Restart(from); err != nil {
			t.Fatal(err)
		}
		batch, _ := (&toy{}).Next(100)
		m, err := MeasureAll(batch, c.Loss, 1, Float(from), Float(to))
		if err != nil || m[1].Most > 1e-3 {
			t.Errorf("%d neurons: outputs differ by up to %v, error %v", hidden, m[1].Most, err)
		}
		if to.Step() != 0 || slices.ContainsFunc(to.mean.values, func(v float32) bool { return v != 0 }) {
			t.Error("the optimiser does not begin anew")
		}
		steps(t, to, &toy{}, 5)
		if i := slices.Index(to.weights.outputs(), 0); i >= 0 {
			t.Errorf("%d neurons: output weight %d is still 0", hidden, i)
		}
		if err := from.Restart(to); (err == nil) != (hidden == from.Shape.Hidden) {
			t.Errorf("weights of %d neurons for %d: %v", hidden, from.Shape.Hidden, err)
		}
	}
}

// TestRestartNet checks that a training that begins with a quantised net begins with its outputs.
func TestRestartNet(t *testing.T) {
	from := newTrainer(t, toyConfig(), 1)
	steps(t, from, &toy{}, 50)
	net, err := from.Net("")
	if err != nil {
		t.Fatal(err)
	}
	c := toyConfig()
	c.Loss.K = 200
	to := newTrainer(t, c, 1)
	if err := to.RestartNet(net); err != nil {
		t.Fatal(err)
	}
	batch, _ := (&toy{}).Next(100)
	m, err := MeasureAll(batch, c.Loss, 1, Quantised(net), Float(to))
	if err != nil || m[1].Most > 1.01 { // the quantised net rounds squares, and the output to whole centipawns
		t.Errorf("outputs differ by up to %v, error %v", m[1].Most, err)
	}
	c.Shape.Inputs++
	if err := newTrainer(t, c, 1).RestartNet(net); err == nil {
		t.Error("weights of another shape are accepted")
	}
}

// TestOutputOnly checks that a training of the output layer leaves the feature weights at what the
// quantised net has, and that the float weights then differ from that net by less than the output layer's
// rounding.
func TestOutputOnly(t *testing.T) {
	from := newTrainer(t, toyConfig(), 1)
	steps(t, from, &toy{}, 50)
	c := toyConfig()
	c.OutputOnly = true
	to := newTrainer(t, c, 1)
	if err := to.Restart(from); err != nil {
		t.Fatal(err)
	}
	rows := slices.Clone(to.weights.features())
	for i, w := range rows {
		if q := w * nnue.QA; q != float32(math.Round(float64(q))) ||
			math.Abs(float64(w-from.weights.values[i])) > 0.5/nnue.QA+1e-6 {
			t.Fatalf("feature weight %d: %v becomes %v", i, from.weights.values[i], w)
		}
	}
	outputs := slices.Clone(to.weights.outputs())
	steps(t, to, &toy{}, 50)
	if !slices.Equal(rows, to.weights.features()) || slices.Equal(outputs, to.weights.outputs()) {
		t.Error("the feature weights changed, or the output weights did not")
	}
	net, err := to.Net("")
	if err != nil {
		t.Fatal(err)
	}
	batch, _ := (&toy{}).Next(1000)
	m, err := MeasureAll(batch, c.Loss, 1, Float(to), Quantised(net))
	if most := 0.5*float64(2*c.Shape.Hidden*net.Scale)/nnue.QB + 1; err != nil || m[1].Most > most {
		t.Errorf("float and quantised net differ by up to %v, want at most %v; error %v", m[1].Most, most, err)
	}
}

// TestBadCheckpoints checks that a damaged checkpoint, and one whose numbers do not fit, are refused by
// name.
func TestBadCheckpoints(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net.train")
	trainer := newTrainer(t, toyConfig(), 1)
	if err := trainer.Save(path, State{}); err != nil {
		t.Fatal(err)
	}
	good := filetest.Read(t, path)
	refused := func(what string) {
		t.Helper()
		if _, _, err := Load(path, 2); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	for at := 0; at < len(good); at += 97 {
		bad := slices.Clone(good)
		bad[at] ^= 4
		filetest.Write(t, path, bad)
		refused("a changed byte")
		filetest.Write(t, path, good[:at])
		refused("cut short")
	}
	values := make([]byte, 3*4*size(toyShape))
	save := func(what string, change func(*header), data []byte) {
		h := header{Config: toyConfig(), Tile: tile}
		change(&h)
		os.Remove(path)
		err := container.Write(container.Replace(path), container.Training, h,
			func(w *container.Writer) (any, error) { return summary{}, w.WriteBlock(data) })
		if err != nil {
			t.Fatal(err)
		}
		if what == "" {
			if _, _, err := Load(path, 2); err != nil {
				t.Errorf("a good checkpoint is refused: %v", err)
			}
			return
		}
		refused(what)
	}
	save("", func(*header) {}, values)
	save("a byte less", func(*header) {}, values[1:])
	save("a byte more", func(*header) {}, append([]byte{0}, values...))
	save("a large shape", func(h *header) { h.Config.Shape.Inputs = 1 << 40 }, values)
	save("a negative shape", func(h *header) { h.Config.Shape.Hidden = -32 }, values)
	save("other tiles", func(h *header) { h.Tile = 0 }, values)
	save("a step too many", func(h *header) { h.Step = h.Config.Steps + 1 }, values)
	save("weights that are no numbers", func(*header) {}, slices.Repeat([]byte{0xff}, len(values)))
}
