package games_test

import (
	"flag"
	"strconv"
	"strings"
	"testing"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobproof/games"
	"trefoil/internal/filetest"
)

var long = flag.Bool("long", false, "run the tests that take seconds, or under the race detector a minute")

// value proves a position by jobs of the least budget.
func value(t *testing.T, g jobproof.Game, position string, workers int) string {
	t.Helper()
	tree, err := jobproof.New(g, position, jobproof.Options{Nodes: 1})
	if err != nil {
		t.Fatal(err)
	}
	own, others := newWorkers(t, workers)
	value := prove(t, tree, own, others)
	if tree.Liars() != nil {
		t.Errorf("%s: liars %v", position, tree.Liars())
	}
	return value
}

func TestChessMates(t *testing.T) {
	for position, want := range map[string]string{
		"5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1":                                 "mate",
		"5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - bm #4;":                              "mate in 4",
		"5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - bm #3;":                              "no mate in 3",
		"5r1k/6pp/8/6N1/2Q5/8/8/6K1 b - - bm #2;":                              "no mate in 2",
		"8/8/8/8/8/8/8/K1k5 w - - 0 1":                                         "no mate in 250",
		"8/8/8/8/8/6k1/4q3/7K b - - dm 1":                                      "mate in 1",
		"6k1/5ppp/8/8/8/8/8/K3R3 b - - bm #-1;":                                "no mated in 1",
		"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - dm 1": "mate in 1",
		"kbK5/pp6/1P6/8/8/8/8/R7 w - - bm #2;":                                 "mate in 2",
		"r4rk1/pp3ppp/8/8/8/2B5/PPQ2PPP/R5K1 w - - bm #3;":                     "no mate in 3",
		"7K/BN1bRB2/1Qp4p/1R1pppp1/1P2k3/r3pNP1/2P1P3/b2r3q b - - bm #-1;":     "mated in 1",
		"8/8/8/2p1R3/1p2Qp2/1p1k1p2/1B5p/1K6 b - - bm #-1;":                    "mated in 1",
	} {
		if got := value(t, games.Chess(), position, 2); got != want {
			t.Errorf("%s: %s, want %s", position, got, want)
		}
	}
}

// The mates of shogi that a plain search has confirmed, and positions without a mate.
func TestShogiMates(t *testing.T) {
	data := filetest.Read(t, "../../../../../search/mate/testdata/tsume.txt")
	tested := 0
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(line, "|")
		if strings.HasPrefix(line, "#") || len(fields) != 3 {
			continue
		}
		if tested++; tested%10 != 0 {
			continue
		}
		sfen, plies := strings.TrimSpace(fields[0]), strings.TrimSpace(fields[1])
		want := "no mate"
		if n, err := strconv.Atoi(plies); err == nil {
			want = "mate"
			moves := strconv.Itoa((n + 1) / 2)
			if got := value(t, games.Shogi(), sfen+" dm "+moves, 2); got != "mate in "+moves {
				t.Errorf("%s: %s, want a mate in %s", sfen, got, moves)
			}
		}
		if got := value(t, games.Shogi(), sfen, 2); got != want {
			t.Errorf("%s: %s, want %s", sfen, got, want)
		}
	}
	if tested < 10 {
		t.Errorf("%d positions", tested)
	}
}

// What is no problem or no goal is refused with an error that says why.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		game           jobproof.Game
		position, want string
	}{
		{games.Ultimate(), "Y;", ""},
		{games.Chess(), "8/8/8/8/8/8/8/K1k5 w - - bm #0;", "bm #0 is not a number of moves"},
		{games.Chess(), "8/8/8/8/8/8/8/K1k5 w - - bm #251;", "a mate in 251 moves: the most is 250"},
		{games.Chess(), "8/8/8/8/8/8/8/8 w - - 0 1", ""},
		{games.Shogi(), "4k4/9/9/9/9/9/9/9/4K4 b - 1 dm x", "dm x is not a number of moves"},
	} {
		if _, err := jobproof.New(c.game, c.position, jobproof.Options{}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.position, err)
		}
	}
	for _, text := range []string{"", "X", "X wins", "Y wins X;.........;", "white mates",
		"white mates within 0: 8/8/8/8/8/8/8/K1k5 w - - 0 1", "red mates within 2: x"} {
		for _, g := range games.All() {
			if _, err := g.Goal(text); err == nil {
				t.Errorf("%s takes %q", g.Name(), text)
			}
		}
	}
}

// Longer proofs, which take many jobs: also one without a limit on its moves, where results depend on the
// path to a position.
func TestManyJobs(t *testing.T) {
	for _, c := range []struct {
		game           jobproof.Game
		position, want string
		nodes          uint64
	}{
		{games.Chess(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm #3;", "no mate in 3", 300},
		{games.Shogi(), "1ns3p1l/4+R3p/2kg5/LNppsb2P/1G5p1/4P4/1+bPP1PPP1/1+p2+s1R2/4g1KNL w L4Pgsnp 106", "mate", 1},
		{games.Shogi(), "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1", "mate", 10000},
	} {
		if c.nodes > 1000 && !*long {
			continue
		}
		tree, err := jobproof.New(c.game, c.position, jobproof.Options{Nodes: c.nodes})
		if err != nil {
			t.Fatal(err)
		}
		own, workers := newWorkers(t, 2)
		value := prove(t, tree, own, workers)
		if s := tree.Stats(); value != c.want || s.Results < 5 || s.Liars != nil || s.Open > 0 {
			t.Errorf("%s: %s, want %s; %+v", c.position, value, c.want, s)
		}
	}
}
