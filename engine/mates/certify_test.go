package mates

import (
	"context"
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game/certificate"
	"trefoil/internal/container"
	"trefoil/internal/filetest"
	"trefoil/internal/newtable"
	"trefoil/search/mate"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

// lines are positions with a mate of a known length, negative if the side to move is mated, as solve mate
// reads them.
func lines(t *testing.T) []string {
	list := []string{
		"8/5P1k/5K2/8/8/8/8/8 w - - bm #2;",
		"7k/8/5K2/8/8/8/8/6R1 b - - 0 1 dm -3;",
		"4R3/8/8/8/6p1/5kp1/8/3K2R1 w G - 0 1 dm 1;", // Chess960 castling
		"7k/8/8/8/8/8/R7/1R4K1 w - - 97 90 dm 2;",
		"6k1/8/6K1/8/8/8/8/Q7 w - - 101 90 dm 1;", // nobody has claimed the draw
		"8/5P1k/5K2/8/8/8/8/8 w - - 120 90 dm 2;",
		"5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1 dm 4;",
		"8/3Q4/5k2/8/6K1/8/8/8 w - - 5 73 dm 4;",
		"8/1R4pk/6r1/3K1Q2/8/8/8/2b5 w - - 5 61 dm 5;",
	}
	if *long {
		// Microcosmos: 763 moves.
		list = append(list, "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1")
	}
	file := filetest.Read(t, "../../search/mate/testdata/tsume.txt")
	for line := range strings.Lines(string(file)) {
		fields := strings.Split(line, " | ")
		plies := 0
		if len(fields) < 3 || line[0] == '#' {
			continue
		}
		if _, err := fmt.Sscan(fields[1], &plies); err == nil {
			list = append(list, fmt.Sprintf("%s dm %d", fields[0], (plies+1)/2))
		}
	}
	return list
}

// Every mate that is found has a certificate that is accepted, of the same length.
func TestCertificates(t *testing.T) {
	table := newtable.Window(t, map[bool]uint64{false: 4, true: 1024}[*long])
	finder, path := mate.New(table, 1, nil), filepath.Join(t.TempDir(), "a")
	for _, line := range lines(t) {
		m, err := parse(line, 20, true)
		if err != nil {
			t.Fatal(err)
		}
		if err := table.Clear(context.Background()); err != nil {
			t.Fatal(err)
		}
		m.Strategy = true
		a, err := finder.Find(context.Background(), m.Problem, mate.Limits{Nodes: 16_000_000, First: m.stated == 0}, nil)
		if err != nil || a.Moves == 0 {
			t.Fatalf("%s: %+v, %v", line, a, err)
		}
		moves := a.Moves
		if a.Opponent {
			moves = -moves
		}
		if m.stated != 0 && moves != m.stated {
			t.Errorf("%s: mate %d", line, moves)
		}
		if _, err := certificate.Write(context.Background(), container.Replace(path), m.proof(moves, a.Strategy),
			func(uint64) {}); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		s, err := certificate.Verify(context.Background(), container.File(path), func(_, _ uint64) {})
		if err != nil || s.Value != fmt.Sprintf("mate %d", moves) {
			t.Errorf("%s: %+v, %v", line, s, err)
		}
		if m.stated == 0 {
			t.Logf("%+v, %d nodes", s, a.Nodes)
		}
		// Without the proof of the solver there is none to write.
		if _, err := certificate.Write(context.Background(), container.Replace(path), m.proof(moves, mate.Strategy{}),
			func(uint64) {}); err == nil || !strings.Contains(err.Error(), "lost a part of its proof") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestLateCertificates: mates in which some positions are reached early enough for a mate without a pawn move, and
// by a longer way too late, have certificates.
func TestLateCertificates(t *testing.T) {
	table := newtable.Window(t, 4)
	for _, fen := range []string{"2K5/8/7P/8/8/1k6/8/4R3 b - - 92 90", "8/8/1P6/6k1/8/R7/8/5K2 b - - 92 90"} {
		m, err := parse(fen, 20, true)
		if err == nil {
			err = table.Clear(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		m.Strategy = true
		a, err := mate.New(table, 1, nil).Find(t.Context(), m.Problem, mate.Limits{Nodes: 20_000}, nil)
		if err != nil || !a.Opponent {
			t.Fatalf("%s: %+v, %v", fen, a, err)
		}
		if _, err := m.proof(-a.Moves, a.Strategy).Entries(t.Context(), math.MaxInt); err != nil {
			t.Errorf("%s: %v", fen, err)
		}
	}
}
