package registry

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/internal/mem"
)

// perft is a tree of three moves, with notes and the speed or without both.
func perft(told bool) *Perft {
	p := &Perft{Moves: []string{"a", "b", "c"}, Count: func(ctx context.Context, i int) (uint64, error) {
		time.Sleep(time.Millisecond)
		return []uint64{2_000_000_000, 5, 10}[i], ctx.Err()
	}}
	if told {
		p.Notes, p.Speed = []string{"repaired"}, true
	}
	return p
}

// TestPerft: the notes come first, the speed and the sum last; what ends early says how far it came.
func TestPerft(t *testing.T) {
	for told, want := range map[bool]string{
		false: `^a: 2000000000\nb: 5\nc: 10\nNodes searched: 2000000015\n$`,
		// The leaves take three milliseconds or more, so these are at most 666,667 million per second.
		true: `^repaired\na: 2000000000\nb: 5\nc: 10\ntime [1-9]\d* ms, \d{1,6}\.\d million leaves per second\n` +
			`Nodes searched: 2000000015\n$`,
	} {
		var said strings.Builder
		if err := perft(told).Run(t.Context(), func(line string) { said.WriteString(line + "\n") }); err != nil ||
			!regexp.MustCompile(want).MatchString(said.String()) {
			t.Errorf("%v, %q", err, said.String())
		}
	}
	if n, err := perft(false).Total(t.Context()); n != 2_000_000_015 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := perft(true).Run(ended, func(string) {}); err == nil || err.Error() != "stopped after 2000000000 leaves" {
		t.Error(err)
	}
}

// TestRegistry: games and benches are found by their names in any case, and an error lists them.
func TestRegistry(t *testing.T) {
	one := Measured{AlphaBeta: &AlphaBeta{}, Benches: []Bench{{Name: "one"}, {Name: "mates"}}}
	r := New(&Game{Name: "one", Measured: one},
		&Game{Name: "two", WDL: true, Measured: Measured{Benches: []Bench{{Name: "two"}}}})
	for name, want := range map[string]string{"ONE": "one", "two": "two", "three": ""} {
		g, err := r.Find(name)
		if (err == nil) != (want != "") || err == nil && g.Name != want ||
			err != nil && err.Error() != `variant "three" is not one of one, two` {
			t.Errorf("%s: %+v, %v", name, g, err)
		}
		if g, known := r.Lookup(name); known != (want != "") || known && g.Name != want {
			t.Errorf("%s: %+v", name, g)
		}
	}
	for name, want := range map[string]string{"One": "", "two": `variant "two" is not one of one, the games played by`,
		"three": `variant "three" is not one of one, the games played by alpha-beta`} {
		if g, err := r.FindAlphaBeta(name); (err == nil) != (want == "") || err == nil && g.Name != "one" ||
			err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %+v, %v", name, g, err)
		}
	}
	for name, want := range map[string]string{"Mates": "mates", "TWO": "two", "three": ""} {
		b, err := r.FindBench(name)
		if (err == nil) != (want != "") || err == nil && b.Name != want ||
			err != nil && err.Error() != `variant "three" is not one of one, mates, two` {
			t.Errorf("%s: %+v, %v", name, b, err)
		}
	}
	if wdl := r.Names(ReportsWDL); !slices.Equal(wdl, []string{"two"}) || len(r.Names(ReportsWDL, PlayedByAlphaBeta)) > 0 {
		t.Errorf("%q", wdl)
	}
}

// TestMistakenNames: no two games have the same name, and each has one.
func TestMistakenNames(t *testing.T) {
	for _, second := range []string{"", "one", "ONE"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is taken", second)
				}
			}()
			New(&Game{Name: "one"}, &Game{Name: second})
		}()
	}
}

// TestPlayMoves: moves are played until one fails, and the error says which.
func TestPlayMoves(t *testing.T) {
	var played []string
	play := func(move string) error {
		if played = append(played, move); move == "x" {
			return errors.New("no such move")
		}
		return nil
	}
	if err := PlayMoves([]string{"a", "b"}, play); err != nil {
		t.Error(err)
	}
	if err := PlayMoves([]string{"c", "x", "d"}, play); err == nil || err.Error() != "ply 2 of 3: no such move" ||
		!slices.Equal(played, []string{"a", "b", "c", "x"}) {
		t.Errorf("%v, played %q", err, played)
	}
}

// TestPrintLines: line by line, without the ends of lines.
func TestPrintLines(t *testing.T) {
	var lines []string
	PrintLines("a\n\nb\n", func(line string) { lines = append(lines, line) })
	if !slices.Equal(lines, []string{"a", "", "b"}) {
		t.Errorf("%q", lines)
	}
}

// hasher has a table of that many bytes, and frees its spare memory if it is asked to.
type hasher struct {
	Hasher
	memory *memory.Budget
	table  uint64
	spare  int // how often it can
}

func (h *hasher) Use() memory.Use {
	return memory.Use{Table: h.table, Ordinary: h.table, Worker: 1 << 20}
}

func (h *hasher) Spare() bool {
	if h.spare == 0 {
		return false
	}
	h.spare--
	h.memory.Free("spare")
	return true
}

// env is an engine with Hash 16 on a machine of 100 MiB, of which a player can spare 60.
func env(t *testing.T) (*Env, *hasher) {
	e := &Env{Options: config.New(config.Uses{}), Memory: &memory.Budget{Measure: func() mem.Room {
		return mem.Room{Free: 100 << 20, Source: "the test", Map: mem.Unlimited}
	}}}
	h := &hasher{memory: e.Memory, spare: 1}
	e.Keep(h)
	if err := e.Memory.Fix("spare", 60<<20); err != nil {
		t.Fatal(err)
	}
	return e, h
}

// TestFit: memory that a player can spare is freed if a value does not fit beside it, and only then.
func TestFit(t *testing.T) {
	for mib, want := range map[uint64]struct {
		fits  bool
		spare int
	}{39: {true, 1}, 50: {true, 0}, 200: {false, 0}} {
		e, h := env(t)
		if err := e.Fit(h, memory.Hash, mib<<20); (err == nil) != want.fits || h.spare != want.spare {
			t.Errorf("%d MiB: %v, spare %d", mib, err, h.spare)
		}
	}
	e, h := env(t)
	h.spare = 0
	if err := e.Fit(h, memory.Hash, 50<<20); err == nil {
		t.Error("50 MiB fit beside 60 of 100")
	}
	// A player whose table is of another size than Hash says has that one.
	h.table = 30 << 20
	if err := e.Fit(h, memory.Threads, 11); err == nil {
		t.Error("11 threads of 1 MiB fit beside 30 and 60 MiB of 100")
	}
	if err := e.Fit(h, memory.Threads, 10); err != nil {
		t.Error(err)
	}
	e.Keep(h) // one thread again
	if room := e.Memory.Room(); room != 9<<20 {
		t.Errorf("%d bytes are left of 9 MiB", room)
	}
}

// TestFirstSize: the first table has the size that Hash says, or what fits, and the memory is taken.
func TestFirstSize(t *testing.T) {
	e, h := env(t)
	if size, err := e.FirstSize(h); size != memory.Whole(16<<20) || err != nil || e.Memory.Room() != 23<<20 {
		t.Errorf("%+v, %v, %d bytes are left", size, err, e.Memory.Room())
	}
	e, h = env(t)
	h.spare = 0
	if err := e.Memory.Fix("spare", 90<<20); err == nil {
		t.Error("90 MiB fit beside Hash 16")
	}
	e.Memory.Free("spare")
	if err := e.Memory.Fix("more", 80<<20); err != nil {
		t.Fatal(err)
	}
	small := memory.Size{Asked: 16 << 20, Bytes: 9 << 20}
	measure := e.Memory.Measure
	e.Memory.Measure = func() mem.Room { return mem.Room{Free: 90 << 20, Source: "the test", Map: mem.Unlimited} }
	size, err := e.FirstSize(h)
	if e.Memory.Measure = measure; size != small || err == nil || e.Memory.Room() != 10<<20 {
		t.Errorf("%+v, %v, %d bytes are left of 10 MiB", size, err, e.Memory.Room())
	}
}
