package shogi

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/internal/filetest"
)

var update = flag.Bool("update", false, "write testdata/perft.txt and testdata/games.txt again")

const (
	perftFile = "testdata/perft.txt"
	gamesFile = "testdata/games.txt"
)

const perftHeader = `# Positions of random games: name ; sfen ; D1, D2 and D3 with the number of sequences of that many legal moves.
# The counts are those of the plain rules of plain_test.go, which share no code with the generator.
# go test ./game/shogi -run TestPerftFile -update writes this file.
`

const gamesHeader = `# Games of random moves, but for mates in one, which are played: each ends with a mate.
# The plain rules of plain_test.go, which share no code with the generator, confirm every move and the mate.
# go test ./game/shogi -run TestGames -update writes this file.
`

// moreLines returns the lines of a file in the directory shogi of the one that TREFOIL_TESTDATA names, and
// returns nothing if there is no such file.
func moreLines(t *testing.T, name string) []string {
	t.Helper()
	path := filepath.Join(os.Getenv("TREFOIL_TESTDATA"), "shogi", name)
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	return filetest.Lines(t, path)
}

// writePerft writes perftFile: 12 positions in which at most 8000 sequences of two moves are legal.
func writePerft(t *testing.T) {
	t.Helper()
	text := perftHeader
	left := 12
	walk(t, 100_000, func(p *Position, _ *game.List, rnd *rand.Rand) {
		if left == 0 || rnd.IntN(500) > 0 || p.Mated() {
			return
		}
		q := plainOf(p)
		two := q.perft(2)
		if two < 500 || two > 8000 {
			return
		}
		text += fmt.Sprintf("random%d ; %s ; D1 %d ; D2 %d ; D3 %d\n", 13-left, p.SFEN(), q.perft(1), two, q.perft(3))
		left--
	})
	filetest.Write(t, perftFile, text)
}

// TestPerftFile compares the counts of lines of "name ; sfen ; D1 n ; D2 n … ; # remark". The plain rules
// confirm the counts of one and two moves in perftFile, and with -long all its counts.
func TestPerftFile(t *testing.T) {
	if *update {
		writePerft(t)
	}
	ours := filetest.Lines(t, perftFile)
	for i, line := range slices.Concat(ours, moreLines(t, "perft.txt")) {
		parts := strings.Split(line, ";")
		if len(parts) < 3 {
			t.Fatalf("no counts in %q", line)
		}
		c := count{sfen: strings.TrimSpace(parts[1])}
		for _, part := range parts[2:] {
			words := strings.Fields(part)
			if len(words) != 2 || words[0] != "D"+strconv.Itoa(len(c.counts)+1) {
				break
			}
			n, err := strconv.ParseUint(words[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			c.counts = append(c.counts, n)
		}
		t.Run(strings.TrimSpace(parts[0]), func(t *testing.T) {
			c.check(t, 3e5)
			if i < len(ours) {
				c.confirm(t)
			}
		})
	}
}

// confirm compares the counts of one and two moves, with -long all counts, with the counts of the plain
// rules.
func (c *count) confirm(t *testing.T) {
	t.Helper()
	for i, want := range c.counts {
		if i >= 2 && !*long {
			break
		}
		if got := plainOf(parse(t, c.sfen)).perft(i + 1); got != want {
			t.Errorf("%s: %d sequences of %d moves by the plain rules, want %d", c.sfen, got, i+1, want)
		}
	}
}

// matingGame plays at random, and mates where it can, for at most 150 plies. It returns the moves, and
// whether the last one mates.
func matingGame(t *testing.T, rnd *rand.Rand) (moves []string, mated bool) {
	t.Helper()
	p := parse(t, StartSFEN)
	var l game.List
	for range 150 {
		l.Reset()
		p.Moves(game.All, &l)
		if l.Len() == 0 {
			return moves, false
		}
		chosen := l.At(rnd.IntN(l.Len()))
		for _, m := range l.All() {
			p.Make(m)
			mated = p.Mated()
			p.Undo()
			if mated {
				return append(moves, p.Text(m)), true
			}
		}
		moves = append(moves, p.Text(chosen))
		p.Make(chosen)
	}
	return moves, false
}

// writeGames writes gamesFile: six games.
func writeGames(t *testing.T) {
	t.Helper()
	text := gamesHeader
	rnd := rand.New(rand.NewPCG(14, 6))
	for n := 0; n < 6; {
		if moves, mated := matingGame(t, rnd); mated {
			text += "startpos moves " + strings.Join(moves, " ") + "\n"
			n++
		}
	}
	filetest.Write(t, gamesFile, text)
}

// TestGames: the moves of games are legal. The moves of gamesFile are legal by the plain rules, too, and
// each of its games ends with a mate.
func TestGames(t *testing.T) {
	if *update {
		writeGames(t)
	}
	for _, line := range moreLines(t, "openings.txt") {
		p := parse(t, StartSFEN)
		_, moves, _ := strings.Cut(line, " moves ")
		play(t, p, moves)
		sound(t, p)
	}
	for _, line := range filetest.Lines(t, gamesFile) {
		p := parse(t, StartSFEN)
		q := plainOf(p)
		_, moves, _ := strings.Cut(line, " moves ")
		for _, move := range strings.Fields(moves) {
			if !slices.Contains(q.moves(false), move) {
				t.Fatalf("%s is illegal by the plain rules, in\n%v", move, p)
			}
			q = q.play(move)
			play(t, p, move)
			sound(t, p)
		}
		if !p.Mated() || !q.exposed(q.side) || len(q.moves(false)) > 0 {
			t.Errorf("no mate, in\n%v", p)
		}
	}
}

// TestMates: solved lines of lines of "sfen | … | length | moves | …" are legal and
// mate, if they are not cut off, and first moves of "sfen | length | move" mate if 1.
func TestMates(t *testing.T) {
	public, selfPlay := moreLines(t, "tsume_public.txt"), moreLines(t, "tsume_selfplay.txt")
	if len(public)+len(selfPlay) == 0 {
		t.Skip("TREFOIL_TESTDATA names no directory with shogi/tsume_public.txt or shogi/tsume_selfplay.txt")
	}
	check := func(sfen, moves string, length string) {
		p := parse(t, sfen)
		play(t, p, moves)
		if length == strconv.Itoa(len(strings.Fields(moves))) && !p.Mated() {
			t.Errorf("%s: %s does not mate", sfen, moves)
		}
	}
	for _, line := range public {
		f := strings.Split(line, " | ")
		check(f[0], f[3], f[2])
	}
	for _, line := range selfPlay {
		f := strings.Split(line, " | ")
		check(f[0], f[2], f[1])
	}
}
