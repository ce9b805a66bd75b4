package certificate

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/internal/container"
)

// plain searches for mates by the rules alone, with a map of results by position and moves.
type plain[P board] struct {
	mates[P]
	seen map[string]bool
}

// mate returns the move with which the side to move mates in the least number of moves, at most n.
func (s *plain[P]) mate(p P, n int) (best game.Move, moves int) {
	for moves = 1; moves <= n; moves++ {
		var l game.List
		p.Moves(game.All, &l)
		for _, m := range l.All() {
			p.Make(m)
			mates := s.mated(p, moves-1, true)
			p.Undo()
			if mates {
				return m, moves
			}
		}
	}
	return game.None, 0
}

// mated reports whether the side to move is mated within n moves of its opponent.
func (s *plain[P]) mated(p P, n int, attacked bool) (mated bool) {
	text := fmt.Sprint(s.write(p), n, attacked)
	if known, ok := s.seen[text]; ok {
		return known
	}
	defer func() { s.seen[text] = mated }()
	var l game.List
	p.Moves(game.All, &l)
	switch {
	case l.Len() == 0:
		return p.InCheck()
	case n == 0 || attacked && s.fails(p, true) != "":
		return false
	}
	for _, m := range l.All() {
		p.Make(m)
		_, moves := s.mate(p, n)
		escapes := moves == 0 || s.fails(p, false) != ""
		p.Undo()
		if escapes {
			return false
		}
	}
	return true
}

// holds reports whether a value of a position is true.
func (s *plain[P]) holds(position string, moves int) bool {
	p, err := s.parse(position)
	if err != nil {
		return false
	}
	if moves <= 0 {
		return s.mated(p, -moves, false)
	}
	_, found := s.mate(p, moves)
	return found > 0
}

func (s *plain[P]) choose(_ context.Context, p P, left int) (game.Move, int, error) {
	m, n := s.mate(p, left)
	return m, n, nil
}

// writeMate writes the certificate of a mate with the moves of the plain search.
func writeMate[P board](t *testing.T, m mates[P], path, position string, moves int) (*plain[P], error) {
	t.Helper()
	p, err := m.parse(position)
	if err != nil {
		t.Fatal(err)
	}
	s := &plain[P]{m, map[string]bool{}}
	proof := mateProof(m, m.write(p), moves, s.choose)
	_, err = Write(context.Background(), container.Replace(path), proof, func(uint64) {})
	return s, err
}

// forgeMate writes a file with right checksums and 4 bytes for each position.
func forgeMate(t testing.TB, path string, h header, entries []byte) {
	t.Helper()
	_ = os.Remove(path)
	err := container.Write(container.Replace(path), container.Certificate, h, func(w *container.Writer) (any, error) {
		if len(entries) == 0 {
			return summary{}, nil
		}
		return summary{uint64(len(entries) / 4)}, w.WriteBlock(entries)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Positions whose shortest mate has a known length, negative if the side to move is mated.
var chessPositions = []struct {
	fen   string
	moves int
}{
	{"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1},
	{"7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2},
	{"7k/8/5K2/8/8/8/8/6R1 b - - 0 1", -3},
	{"8/5P1k/5K2/8/8/8/8/8 w - - 0 1", 2},           // a queen would be stalemate
	{"3rkr2/5p2/8/2NpP3/8/8/8/4R1K1 w - d6 0 2", 1}, // en passant
	{"4R3/8/8/8/6p1/5kp1/8/4K2R w K - 0 1", 1},      // castling
	{"4R3/8/8/8/6p1/5kp1/8/3K2R1 w G - 0 1", 1},     // of Chess960
	{"7k/8/8/8/8/8/R7/1R4K1 w - - 97 90", 2},        // with the last of fifty moves
	{"7k/R7/8/8/8/8/4P3/1R4K1 w - - 99 90", 1},      // mate after 50 moves
	{"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0},           // stalemate: never
	{"R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", 0},        // is mated
	{"7k/8/8/8/8/8/R7/1R4K1 w - - 98 90", -1},       // the fifty moves are over: no mate
	{"r5rk/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", 1},      //
	{"2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPPP1P/RNB1K2R w KQ - 0 1", 1},
}

var shogiPositions = []struct {
	sfen  string
	moves int
}{
	{"4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 1},
	{"7nk/9/7GP/9/9/9/9/9/9 b 2r2b3g4s3n4l17p 1", 1}, // a pawn that steps there may mate
	{"4k4/4G4/4P4/9/9/9/9/9/4K4 w rb 2", 0},
	{"lns1kgsnl/4g2b1/p1pppp1pp/6p2/np7/K3P2PP/PPPP1PP2/1+r1GG2S1/L6NL w Srb 44", 2},
	{"1ns3p1l/4+R3p/2kg5/LNpps+b2P/1G5pK/4PP1r1/1+b1P2PP1/1+p2+s1g2/4g2NL w L4Psn2p 116", 2},
	{"l+R2bk1n1/4gg3/1p2pl1+R1/p1p6/9/P1P4SP/1P1+BPg+lP1/5p3/LN1KSs2g b S2N6Pp 137", 3},
}

// Certificates of mates are accepted, also if their length is not the shortest, and have the same bytes
// with a small queue. Shorter mates cannot be written.
func TestMates(t *testing.T) {
	for _, c := range chessPositions {
		testMate(t, chessMates(), c.fen, c.moves)
	}
	for _, c := range shogiPositions {
		testMate(t, shogiMates(), c.sfen, c.moves)
	}
}

func testMate[P board](t *testing.T, m mates[P], position string, moves int) {
	t.Helper()
	path, small := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	s, err := writeMate(t, m, path, position, moves)
	if !s.holds(position, moves) {
		if err == nil {
			t.Errorf("%s: mate %d is proved", position, moves)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", position, err)
		return
	}
	got, err := check(path)
	p, _ := m.parse(position)
	if err != nil || got.Position != m.write(p) || got.Value != mateValue(moves) {
		t.Errorf("%s: %+v, %v", position, got, err)
	}
	restore := crowded()
	_, err = writeMate(t, m, small, position, moves)
	restore()
	a, _ := os.ReadFile(path)
	if b, _ := os.ReadFile(small); err != nil || !bytes.Equal(a, b) {
		t.Errorf("%s: other bytes: %v", position, err)
	}
	sooner, later := moves-1, moves+1
	if moves < 0 {
		sooner, later = moves+1, moves-1
	}
	if _, err := writeMate(t, m, path, position, sooner); err == nil && moves != 0 {
		t.Errorf("%s: mate %d is proved", position, sooner)
	}
	if moves != 0 && moves <= 2 {
		if _, err := writeMate(t, m, path, position, later); err != nil && s.holds(position, later) {
			t.Errorf("%s: mate %d: %v", position, later, err)
		}
	}
}

// A long proof takes several blocks.
func TestBlocks(t *testing.T) {
	m, dir := chessMates(), t.TempDir()
	const position = "7k/8/5K2/8/8/8/8/6R1 b - - 0 1"
	one, several := filepath.Join(dir, "one"), filepath.Join(dir, "several")
	if _, err := writeMate(t, m, one, position, -3); err != nil {
		t.Fatal(err)
	}
	defer func(n int) { blockBytes = n }(blockBytes)
	blockBytes = 8
	if _, err := writeMate(t, m, several, position, -3); err != nil {
		t.Fatal(err)
	}
	if _, err := check(several); err != nil {
		t.Error(err)
	}
	if a, b := movesOf(t, one), movesOf(t, several); len(a) <= 2*blockBytes || !bytes.Equal(a, b) {
		t.Errorf("%d bytes of moves, in one block %d", len(b), len(a))
	}
}

// No change of one field makes a certificate a proof of something false: a byte of an entry, the value, a
// character of the position.
func TestMateMutations(t *testing.T) {
	t.Run("chess", func(t *testing.T) {
		mutate(t, chessMates(), "7k/8/8/8/8/8/R7/1R4K1 w - - 97 90", 2, "kKrRqQpPnN128w-b /0")
		mutate(t, chessMates(), "7k/8/5K2/8/8/8/8/6R1 b - - 0 1", -3, "kKrRqQpPnN128w-b /0")
	})
	t.Run("shogi", func(t *testing.T) {
		mutate(t, shogiMates(), "lns1kgsnl/4g2b1/p1pppp1pp/6p2/np7/K3P2PP/PPPP1PP2/1+r1GG2S1/L6NL w Srb 44", 2, "KG+1bw ")
		mutate(t, shogiMates(), "l+R2bk1n1/4gg3/1p2pl1+R1/p1p6/9/P1P4SP/1P1+BPg+lP1/5p3/LN1KSs2g b S2N6Pp 137", 3, "")
	})
}

func mutate[P board](t *testing.T, m mates[P], position string, moves int, letters string) {
	path := filepath.Join(t.TempDir(), "a")
	s, err := writeMate(t, m, path, position, moves)
	if err != nil {
		t.Fatal(err)
	}
	h, entries := header{Game: m.name, Position: position, Value: mateValue(moves)}, movesOf(t, path)
	tried, accepted := 0, 0
	try := func(h header, entries []byte) {
		t.Helper()
		tried++
		all, err := m.rules().strategies(h.Position, h.Value)
		if err != nil || playAll(all, entries, 4) != nil {
			return
		}
		accepted++
		n := 0
		if _, err := fmt.Sscanf(h.Value, "mate %d", &n); err != nil || !s.holds(h.Position, n) {
			t.Errorf("%+v is accepted", h)
		}
	}
	for i := range entries {
		for b := range 256 {
			other := bytes.Clone(entries)
			other[i] = byte(b)
			try(h, other)
		}
	}
	for n := -4; n < 70000; n = n*2 + 5 {
		h := h
		h.Value = mateValue(n)
		try(h, entries)
	}
	for i := range position {
		for _, letter := range letters {
			h := h
			h.Position = position[:i] + string(letter) + position[i+1:]
			try(h, entries)
		}
	}
	t.Logf("%d positions, %d changes, %d accepted", len(entries)/4, tried, accepted)
	if accepted == tried {
		t.Error("all are accepted")
	}
}

// What is wrong with a file is named.
func TestHostileMates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	entry := func(moves ...any) (b []byte) {
		for i := 0; i < len(moves); i += 2 {
			b = binary.LittleEndian.AppendUint16(b, uint16(moves[i].(int)))
			b = binary.LittleEndian.AppendUint16(b, uint16(moves[i+1].(int)))
		}
		return b
	}
	square := func(name string) int { return int(name[0]-'a') + 8*int(name[1]-'1') }
	move := func(from, to string) int { return square(from)<<7 | square(to) }
	const queen = "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1"
	const rooks = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
	const pawn = "7nk/9/7G1/9/9/9/9/9/9 b P2r2b3g4s3n4l17p 1"
	drop := func(kind, to int) int { return 1<<14 | (81+kind)<<7 | to }
	for _, c := range []struct {
		h       header
		entries []byte
		says    string
	}{
		{header{"checkers", rooks, "mate 2"}, nil, `unknown game "checkers"`},
		{header{"chess", rooks, "win"}, nil, `value "win" is not mate N`},
		{header{"chess", rooks, "mate +2"}, nil, `value "mate +2" is not mate N`},
		{header{"chess", rooks, "mate 65536"}, nil, `value "mate 65536" is not mate N, N from -65535 to 65535`},
		{header{"chess", rooks + " ", "mate 2"}, nil, "expected to be written \"" + rooks},
		{header{"chess", "7k w", "mate 2"}, nil, "FEN: placement"},
		{header{"", rooks, "mate 2"}, nil, `position "7k/8/8`},
		{header{"chess", rooks, "mate 2"}, nil, "move 1 of 0: mate 2: there is no move for it: position 7k/8"},
		{header{"chess", rooks, "mate 0"}, nil, "mate 0: no mate: position 7k/8"},
		{header{"chess", rooks, "mate 2"}, entry(0, 2), "move 1 of 1: mate 2: 0x0000 is not a move"},
		{header{"chess", rooks, "mate 2"}, entry(move("a2", "a7"), 3), "a mate in 3 moves, where 1 to 2 are left"},
		{header{"chess", rooks, "mate 2"}, entry(move("a2", "a7"), 0), "a mate in 0 moves, where 1 to 2 are left"},
		{header{"chess", rooks, "mate 2"}, entry(move("a2", "a7"), 1), "mate 2: no mate: position 7k/R7"},
		{header{"chess", rooks, "mate 2"}, entry(move("a2", "a7"), 2), "there is no move for it: position 6k1/R7"},
		{header{"chess", rooks, "mate 2"}, entry(move("a2", "a7"), 2, move("b1", "b8"), 1, 0, 1), "3 moves, but 2 positions"},
		{header{"chess", queen, "mate 3"}, entry(move("f5", "f7"), 3), "no legal move, but no check"},
		{header{"chess", "7k/8/8/8/8/8/R7/1R4K1 w - - 99 90", "mate 2"}, entry(move("a2", "a7"), 2), "fifty moves"},
		{header{"chess", "7k/8/8/8/8/8/R7/1R4K1 w - - 98 90", "mate 2"}, entry(move("a2", "a7"), 2), "fifty moves"},
		{header{"shogi", pawn, "mate 1"}, entry(drop(0, 1), 1), "is not a move"}, // a dropped pawn would mate
		{header{"shogi", pawn, "mate 2"}, entry(drop(0, 40), 2), "no check"},
	} {
		forgeMate(t, path, c.h, c.entries)
		_, err := check(path)
		if wrong := (*container.Error)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", c.h, err, c.says)
		}
	}
	// The rook goes to and fro.
	var circle []byte
	for n := 200; n > 0; n-- {
		from, to := "a2", "a3"
		if n%2 == 1 {
			from, to = to, from
		}
		for range 3 {
			circle = append(circle, entry(move(from, to), n)...)
		}
	}
	forgeMate(t, path, header{"chess", rooks, "mate 200"}, circle)
	if _, err := check(path); err == nil {
		t.Error("a circle is accepted")
	}
}

// A file without enough moves for its positions is refused before they fill the disk, and leaves no
// temporary files.
func TestTooManyPositions(t *testing.T) {
	defer crowded()()
	t.Setenv("TMPDIR", t.TempDir())
	path := filepath.Join(t.TempDir(), "a")
	forgeMate(t, path, header{"chess", "k7/1p6/1qrrbb2/8/8/8/8/7K b - - 0 1", "mate -9"}, make([]byte, 40))
	if _, err := check(path); err == nil || !strings.Contains(err.Error(), "10 moves are left for ") {
		t.Error(err)
	}
	if rest, _ := os.ReadDir(os.Getenv("TMPDIR")); len(rest) > 0 {
		t.Errorf("temporary files are left: %v", rest)
	}
}
