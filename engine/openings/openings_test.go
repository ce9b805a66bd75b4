package openings_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"trefoil/engine/chess"
	"trefoil/engine/openings"
	"trefoil/engine/registry"
	"trefoil/engine/shogi"
	"trefoil/internal/filetest"
)

// generate returns the openings of a game.
func generate(t *testing.T, g *registry.Game, o openings.Options) (list []string) {
	t.Helper()
	if err := openings.Generate(t.Context(), g.AlphaBeta, o,
		func(setup string) { list = append(list, setup) }); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestGenerate: openings are all different positions of the game, after 8 or 9 plies; the same seed gives the same
// ones, another seed others.
func TestGenerate(t *testing.T) {
	for _, g := range []*registry.Game{chess.Game(), shogi.Game()} {
		first := generate(t, g, openings.Options{Count: 6, Seed: 7})
		sorted := slices.Sorted(slices.Values(first))
		if len(first) != 6 || len(slices.Compact(sorted)) != 6 {
			t.Errorf("%s: not six openings: %q", g.Name, first)
		}
		if again := generate(t, g, openings.Options{Count: 6, Seed: 7}); !slices.Equal(first, again) {
			t.Errorf("%s: seed 7 gives\n%q\nand then\n%q", g.Name, first, again)
		}
		if other := generate(t, g, openings.Options{Count: 6, Seed: 8}); slices.Equal(first, other) {
			t.Errorf("%s: seeds 7 and 8 give %q", g.Name, first)
		}
		root := g.AlphaBeta.NewRoots()
		for _, setup := range first {
			if _, err := root(setup); err != nil {
				t.Errorf("%s: %q: %v", g.Name, setup, err)
			}
		}
	}
	for _, fen := range generate(t, chess.Game(), openings.Options{Count: 6, Seed: 7}) {
		if f := strings.Fields(fen); len(f) != 6 || f[1]+f[5] != "w5" && f[1]+f[5] != "b5" {
			t.Errorf("not a FEN of six fields after 8 or 9 plies: %q", fen)
		}
	}
}

// TestBook: openings begin at positions of a book; where it has too few, the error says so.
func TestBook(t *testing.T) {
	g := chess.Game()
	for _, fen := range generate(t, g,
		openings.Options{Count: 4, Book: []string{"4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"}}) {
		f := strings.Fields(fen)
		if strings.ContainsAny(f[0], "QqRrBbNn") || f[1]+f[5] != "w3" && f[1]+f[5] != "b3" {
			t.Errorf("%q is not from the book, 4 or 5 plies later", fen)
		}
	}
	err := openings.Generate(t.Context(), g.AlphaBeta, openings.Options{Count: 1,
		Book: []string{"k7/8/8/8/8/8/P7/KRRRRRR1 w - - 0 1"}}, func(setup string) { t.Error(setup) })
	if err == nil || !strings.Contains(err.Error(), "1000 attempts found no new opening in which neither side is") {
		t.Errorf("a book of won positions: %v", err)
	}
	made := make(map[string]bool)
	err = openings.Generate(t.Context(), g.AlphaBeta, openings.Options{Count: 1000,
		Book: []string{"k7/p7/P7/8/8/p7/P7/K7 w - - 0 1"}}, func(setup string) {
		if made[setup] {
			t.Errorf("%q twice", setup)
		}
		made[setup] = true
	})
	if err == nil || len(made) < 10 {
		t.Errorf("a book of one position of kings: %d openings, %v", len(made), err)
	}
	err = openings.Generate(t.Context(), g.AlphaBeta, openings.Options{Count: 1, Book: []string{"8/8 w"}},
		func(setup string) { t.Error(setup) })
	if err == nil || !strings.Contains(err.Error(), `"8/8 w": `) {
		t.Errorf("a wrong position in the book: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := openings.Generate(ctx, g.AlphaBeta, openings.Options{Count: 1},
		func(setup string) { t.Error(setup) }); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

func TestParseOptions(t *testing.T) {
	book := filetest.New(t, "book.epd", "# two\na b c\n\nd e f\n")
	for _, test := range []struct {
		args  string
		count int
		seed  uint64
		book  []string
		err   string
	}{
		{args: "8 seed 5 book None", count: 8, seed: 5},
		{args: "1 seed 0 book " + book, count: 1, book: []string{"a b c", "d e f"}},
		{args: "8 seed 5 book", err: "missing"},
		{args: "0 seed 5 book None", err: `"0" is not a whole number from 1`},
		{args: "8 seed 5 books None", err: `unexpected arguments "seed", "books"`},
		{args: "2147483649 seed 5 book None", err: "is not a whole number from 1 to 2147483648"},
		{args: "8 seed -5 book None", err: `seed "-5" is not`},
		{args: "8 book 5 seed None", err: `unexpected arguments "book", "seed"`},
		{args: "8 seed 5 book None plies", err: `unexpected argument "plies"`},
		{args: "8 seed 5 book nowhere", err: "nowhere"},
	} {
		o, err := openings.ParseOptions(t.Context(), strings.Fields(test.args), nil)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: error %v, want %q", test.args, err, test.err)
			}
		} else if err != nil || o.Count != test.count || o.Seed != test.seed || !slices.Equal(o.Book, test.book) {
			t.Errorf("%s: %+v, %v", test.args, o, err)
		}
	}
}
