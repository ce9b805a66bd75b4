package certificate

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game/ultimate"
	"trefoil/game/ultimate/ultimatetest"
	"trefoil/internal/container"
	"trefoil/internal/filetest"
)

var values = [...]Value{Loss, Draw, Win}

// best chooses a move that keeps the value of the position.
func best(_ context.Context, p ultimate.Position, _ Strategy) (m ultimate.Move, err error) {
	want := ultimatetest.Minimax(p)
	for _, m = range p.Moves(nil) {
		if -ultimatetest.Minimax(p.Play(m)) == want {
			break
		}
	}
	return m, nil
}

// late returns a position of a random game with at most that many empty cells, which is not over.
func late(r *rand.Rand, cells int) ultimate.Position {
	for {
		p := ultimate.Start()
		for p.Left() > cells {
			moves := p.Moves(nil)
			if len(moves) == 0 {
				break
			}
			p = p.Play(moves[r.IntN(len(moves))])
		}
		if _, _, over := p.Over(); !over {
			return p
		}
	}
}

func write(t *testing.T, path string, p ultimate.Position, v Value, choose UltimateMover) (uint64, error) {
	t.Helper()
	return Write(context.Background(), container.Replace(path), Ultimate(p, v, choose), func(uint64) {})
}

func check(path string) (Summary, error) {
	return Verify(context.Background(), container.File(path), func(_, _ uint64) {})
}

// moves returns the moves in a file.
func movesOf(t *testing.T, path string) (moves []byte) {
	t.Helper()
	r, err := container.Open(container.File(path), container.Certificate, &header{}, &summary{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Each(context.Background(), func(block []byte, _ uint64) error {
		moves = append(moves, block...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return moves
}

// forge writes a file with right checksums.
func forge(t *testing.T, path, position string, v Value, moves []byte, positions uint64) {
	t.Helper()
	err := container.Write(container.Replace(path), container.Certificate, header{Position: position, Value: string(v)},
		func(w *container.Writer) (any, error) {
			if len(moves) == 0 {
				return summary{positions}, nil
			}
			return summary{positions}, w.WriteBlock(moves)
		})
	if err != nil {
		t.Fatal(err)
	}
}

// Where neither side can win any more, a certificate needs no moves.
func TestNobodyCanWin(t *testing.T) {
	for r, n := rand.New(rand.NewPCG(18, 3)), 0; n < 3; {
		p := late(r, 8)
		if p.CanWin(ultimate.X) || p.CanWin(ultimate.O) {
			continue
		}
		n++
		if positions, err := write(t, filepath.Join(t.TempDir(), "a"), p, Draw, best); err != nil || positions != 0 {
			t.Errorf("%v: %d positions, %v", p, positions, err)
		}
	}
}

// Certificates of all three values are accepted and have the same bytes each time, also if layers do not
// fit in memory. Of the other values none can be written, by whatever moves.
func TestValues(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 2))
	path, small := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	seen, positions := map[Value]int{}, uint64(0)
	for range 40 {
		p := late(r, 8)
		value := values[ultimatetest.Minimax(p)+1]
		seen[value]++
		n, err := write(t, path, p, value, best)
		if err != nil {
			t.Fatalf("%v: %v", p, err)
		}
		positions += n
		s, err := check(path)
		if err != nil || s.Value != string(value) || s.Position != p.String() || s.Positions != n {
			t.Fatalf("%v: %+v, %v", p, s, err)
		}
		func() {
			defer crowded()()
			if _, err := write(t, small, p, value, best); err != nil {
				t.Fatal(err)
			}
			if _, err := check(small); err != nil {
				t.Fatal(err)
			}
			a, _ := os.ReadFile(path)
			b, _ := os.ReadFile(small)
			if !bytes.Equal(a, b) {
				t.Fatalf("%v: other bytes", p)
			}
		}()
		for _, other := range values {
			if other == value {
				continue
			}
			for range 2 {
				random := func(_ context.Context, p ultimate.Position, _ Strategy) (ultimate.Move, error) {
					moves := p.Moves(nil)
					return moves[r.IntN(len(moves))], nil
				}
				if _, err := write(t, small, p, other, random); err == nil {
					t.Fatalf("%v: %s is proved, it is %s", p, other, value)
				}
			}
			forge(t, small, p.String(), other, movesOf(t, path), n)
			if s, err := check(small); err == nil {
				t.Fatalf("%v: %s is accepted, it is %s: %+v", p, other, value, s)
			}
		}
	}
	t.Log(seen, positions)
	if len(seen) < 3 {
		t.Errorf("only %v", seen)
	}
}

// holds reports whether a proof holds whose moves are by code of the position, by recursion.
func holds(p ultimate.Position, s Strategy, moves map[ultimate.Code]ultimate.Move) bool {
	if winner, won, over := p.Over(); over {
		return won && winner == s.Side || !won && !s.Wins
	}
	if !s.Wins && !p.CanWin(s.Side.Other()) {
		return true
	}
	if p.Side() == s.Side {
		m, ok := moves[p.Code()]
		return ok && p.Check(m) == nil && holds(p.Play(m), s, moves)
	}
	for _, m := range p.Moves(nil) {
		if !holds(p.Play(m), s, moves) {
			return false
		}
	}
	return true
}

// The moves that are written are a proof: a plain recursion finds the same.
func TestIndependently(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 40 {
		p := late(r, 9)
		value := values[ultimatetest.Minimax(p)+1]
		chosen := map[Strategy]map[ultimate.Code]ultimate.Move{}
		if _, err := write(t, filepath.Join(t.TempDir(), "a"), p, value,
			func(ctx context.Context, p ultimate.Position, s Strategy) (ultimate.Move, error) {
				m, err := best(ctx, p, s)
				if chosen[s] == nil {
					chosen[s] = map[ultimate.Code]ultimate.Move{}
				}
				if _, twice := chosen[s][p.Code()]; twice {
					t.Fatalf("%v asked twice", p)
				}
				chosen[s][p.Code()] = m
				return m, err
			}); err != nil {
			t.Fatal(err)
		}
		all, _ := strategies(&p, value)
		for _, s := range all {
			if !holds(p, s, chosen[s]) {
				t.Fatalf("%v: %v does not hold", p, s)
			}
		}
	}
}

// A file is refused if any bit is flipped, or if it is cut short or longer. A file with a changed move and
// the right checksums is refused unless the moves still are a proof; nearly all such files are refused.
func TestMutations(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	dir := t.TempDir()
	path, bad := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	var p ultimate.Position
	for n := uint64(0); n < 15; {
		p = late(r, 8)
		var err error
		if n, err = write(t, path, p, values[ultimatetest.Minimax(p)+1], best); err != nil {
			t.Fatal(err)
		}
	}
	value := values[ultimatetest.Minimax(p)+1]
	good := filetest.Read(t, path)
	refused := func(file []byte, what string, at int) {
		t.Helper()
		_ = os.Remove(bad) // a file that is truncated and written again goes to the disk at once
		filetest.Write(t, bad, file)
		_, err := check(bad)
		if wrong := (*container.Error)(nil); !errors.As(err, &wrong) {
			t.Fatalf("%s %d: %v", what, at, err)
		}
	}
	for bit := range 8 * len(good) {
		file := bytes.Clone(good)
		file[bit/8] ^= 1 << (bit % 8)
		refused(file, "bit", bit)
	}
	for n := range good {
		refused(good[:n], "cut to", n)
	}
	refused(append(bytes.Clone(good), 0), "longer by", 1)

	moves := movesOf(t, path)
	accepted := 0
	for i := range moves {
		for m := range 256 {
			if byte(m) == moves[i] {
				continue
			}
			other := bytes.Clone(moves)
			other[i] = byte(m)
			if all, err := ultimateGame().strategies(p.String(), string(value)); err == nil && playAll(all, other, 1) == nil {
				accepted++
			}
		}
	}
	t.Logf("%d moves: %d of %d changes leave a proof", len(moves), accepted, 255*len(moves))
	if accepted > len(moves) {
		t.Errorf("%d changes of %d moves accepted", accepted, len(moves))
	}
}

// playAll checks moves of some bytes each that are in no file.
func playAll(all []strategy, moves []byte, size int) (err error) {
	done := uint64(0)
	for _, s := range all {
		c := checker{strategy: s, done: &done, progress: func(uint64) {},
			left: func() uint64 { return uint64(len(moves) / size) },
			entry: func(int, string) ([]byte, error) {
				m := moves[:size]
				moves = moves[size:]
				return m, nil
			}}
		err = errors.Join(err, c.check(context.Background()))
	}
	if len(moves) > 0 {
		err = errors.Join(err, errors.New("moves are left"))
	}
	return err
}

// crowded makes queues write files of a few positions each, until the function that it returns is called.
func crowded() (restore func()) {
	memory, files := memoryBytes, mostFiles
	memoryBytes, mostFiles = 300, 3
	return func() { memoryBytes, mostFiles = memory, files }
}

// What is wrong with a file is named.
func TestHostile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	const position = "X;O.X...O.@;.XO.OXO.X/X.XOO.O.O/X..X..X.X/O.OO.X.OX/.XX....OX/O.OX...../OOOX...X./OXXXX.O../XO...OXOO"
	over := "X;#########;XOXXOOOXX" + strings.Repeat("/XOXXOOOXX", 8)
	for _, c := range []struct {
		position  string
		value     Value
		moves     []byte
		positions uint64
		says      string
	}{
		{"nonsense", Win, nil, 0, `position "nonsense": at byte 0`},
		{position, "tie", nil, 0, `value "tie" is not one of win, draw, loss`},
		{position, Win, nil, 5, "5 positions, but 0 bytes of moves, 1 for each"},
		{position, Win, nil, 0, "move 1 of 0: X wins: there is no move for it: position X;"},
		{position, Win, []byte{255}, 1, "move 1 of 1: X wins: move"},
		{position, Win, []byte{0}, 1, `move 1 of 1: X wins: move "aa": the board is decided`},
		{position, Win, []byte{72}, 1, `move "ia": the cell is occupied`},
		{position, Win, []byte{74}, 1, "X wins: O has won: position X;O"},
		{over, Win, nil, 0, "X wins: a draw"},
		{over, Draw, []byte{1}, 1, "1 moves, but 0 positions"},
	} {
		_ = os.Remove(path)
		forge(t, path, c.position, c.value, c.moves, c.positions)
		_, err := check(path)
		if wrong := (*container.Error)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	_ = os.Remove(path)
	forge(t, path, over, Draw, nil, 0)
	if s, err := check(path); err != nil || s.Value != string(Draw) {
		t.Error(s, err)
	}
	// Free choice among the boards of an empty game, move after move: more positions than moves.
	defer crowded()()
	_ = os.Remove(path)
	forge(t, path, ultimate.Start().String(), Draw, bytes.Repeat([]byte{40}, 30), 30)
	if _, err := check(path); err == nil || !strings.Contains(err.Error(), "moves are left for") &&
		!strings.Contains(err.Error(), "move ") {
		t.Error(err)
	}
	if rest, _ := filepath.Glob(filepath.Join(os.TempDir(), "trefoil-certificate-*")); len(rest) > 0 {
		t.Errorf("temporary files are left: %v", rest)
	}
}

// A Write that is interrupted leaves the old file.
func TestInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	p := late(rand.New(rand.NewPCG(1, 1)), 6)
	if _, err := write(t, path, p, values[ultimatetest.Minimax(p)+1], best); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Write(ctx, container.Replace(path), Ultimate(p, values[ultimatetest.Minimax(p)+1], best),
		func(uint64) {}); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "writing the certificate: ") {
		t.Error(err)
	}
	if _, err := Verify(ctx, container.File(path), func(_, _ uint64) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := check(path); err != nil {
		t.Error(err)
	}
}
