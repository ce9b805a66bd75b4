package book

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/game/connect4"
	"trefoil/game/gametest"
	"trefoil/internal/atomicfile"
	"trefoil/internal/container"
	"trefoil/internal/filetest"
)

// parity returns an arbitrary score that mirror images share.
func parity(_ context.Context, p connect4.Position) (int, error) {
	return int(canonical(p)%37) - 18, nil
}

// made returns the file of a book made by parity.
func made(t *testing.T, ply int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book")
	if err := Make(context.Background(), path, connect4.Standard, ply, Each(parity), nil); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMake(t *testing.T) {
	b, err := Open(made(t, 4))
	if err != nil {
		t.Fatal(err)
	}
	// 1, 7, 49, 238 and 1,120 positions, mirror images counted once.
	if b.Ply() != 4 || b.Len() != 1+4+25+121+568 {
		t.Errorf("%d positions up to ply %d", b.Len(), b.Ply())
	}
	for _, moves := range []string{"", "4", "12", "21", "777", "4444", "1234", "7654"} {
		p := gametest.ConnectFour(t, moves)
		score, ok := b.Score(p)
		mirrored, _ := b.Score(p.Mirror())
		if !ok || mirrored != score {
			t.Errorf("%q: %d %v, mirrored %d", moves, score, ok, mirrored)
		}
		if want, _ := parity(context.Background(), p); len(moves) == 4 && score != want {
			t.Errorf("%q: %d, want %d", moves, score, want)
		}
		if best := -connect4.Standard.Cells; len(moves) < 4 {
			for _, q := range children(p) {
				below, ok := b.Score(q)
				if !ok {
					t.Errorf("%q: a move is missing", moves)
				}
				best = max(best, -below)
			}
			if score != best {
				t.Errorf("%q: %d, its best move %d", moves, score, best)
			}
		}
	}
	if p, _ := connect4.Parse("44444"); p.Ply() == 5 {
		if _, ok := b.Score(p); ok {
			t.Error("a position beyond the last ply")
		}
	}
}

// A book of another board says so, and has no positions of the standard board.
func TestOtherBoard(t *testing.T) {
	on, err := connect4.NewBoard(5, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "book")
	if err := Make(t.Context(), path, on, 2, Each(parity), nil); err != nil {
		t.Fatal(err)
	}
	b, err := Open(path)
	if err != nil || b.Board() != on || b.Ply() != 2 {
		t.Fatalf("%+v, %v", b, err)
	}
	p, err := on.Parse("12")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := parity(t.Context(), p)
	if got, ok := b.Score(p); !ok || got != want {
		t.Errorf("%d, %v, want %d", got, ok, want)
	}
	p = gametest.ConnectFour(t, "12")
	if got, ok := b.Score(p); ok {
		t.Errorf("the standard board: %d", got)
	}
}

// TestBackUpWins: a move that ends the game has the score of its win.
func TestBackUpWins(t *testing.T) {
	levels, err := positions(context.Background(), connect4.Standard, 7)
	if err != nil {
		t.Fatal(err)
	}
	lost := map[uint64]int{}
	for _, p := range levels[7] {
		lost[canonical(p)] = 5 // for the side to move: every other move loses
	}
	p := gametest.ConnectFour(t, "112233")
	if got := backUp(levels, lost)[canonical(p)]; got != 18 {
		t.Errorf("%d", got)
	}
}

// TestGoesOn: what was interrupted, and what was cut short in the middle of a line or
// damaged, ends as the same book, and nothing is solved twice.
func TestGoesOn(t *testing.T) {
	want := filetest.Read(t, made(t, 3))
	path := filepath.Join(t.TempDir(), "book")
	solved, stop := 0, errors.New("enough")
	some := func(ctx context.Context, p connect4.Position) (int, error) {
		if solved++; solved%20 == 0 {
			return 0, stop
		}
		return parity(ctx, p)
	}
	rounds := 0
	for {
		err := Make(context.Background(), path, connect4.Standard, 3, Each(some), nil)
		if err == nil {
			break
		}
		if rounds++; !errors.Is(err, stop) || rounds > 20 {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Fatal("half a book under the name of a whole one")
		}
		part := filetest.Read(t, path+".part")
		switch rounds {
		case 2:
			part = part[:len(part)-5]
		case 3:
			part[len(part)/2] ^= 1
		case 4:
			part = append(part, "77 3 00000000\n\x00\xff\n"...)
		}
		filetest.Write(t, path+".part", part)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("another book: %v", err)
	}
	if again := solved - rounds - 121; again < 1 || again > 4 {
		t.Errorf("%d positions solved again, 2 to 4 lines were damaged", again)
	}
	if _, err := os.Stat(path + ".part"); err == nil {
		t.Error("the journal is left")
	}
	if err := Make(context.Background(), path, connect4.Standard, 3, Each(parity), nil); err == nil ||
		!strings.Contains(err.Error(), "exists already") {
		t.Errorf("%v", err)
	}
}

// TestAnotherPly: a journal that is of no use for this book is left as it is.
func TestAnotherPly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book")
	stop := errors.New("enough")
	one := func(_ context.Context, p connect4.Position) (int, error) {
		if canonical(p) > 1<<40 {
			return 0, stop
		}
		return 0, nil
	}
	if err := Make(context.Background(), path, connect4.Standard, 3, Each(one), nil); !errors.Is(err, stop) {
		t.Fatal(err)
	}
	want, err := os.ReadFile(path + ".part")
	if err != nil || len(want) == 0 {
		t.Fatal(len(want), err)
	}
	if err := Make(context.Background(), path, connect4.Standard, 1, Each(parity), nil); err == nil ||
		!strings.Contains(err.Error(), "finish the book that it belongs to") {
		t.Error(err)
	}
	if got, err := os.ReadFile(path + ".part"); err != nil || !bytes.Equal(got, want) {
		t.Error("the journal has changed", err)
	}
}

// TestEndedEarly: an end before the first position is reported as such, and leaves no file.
func TestEndedEarly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := Make(ctx, path, connect4.Standard, 2, Each(parity), nil)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "no position is solved yet") {
		t.Error(err)
	}
	if _, err := os.Stat(path + ".part"); err == nil {
		t.Error("a journal of nothing")
	}
}

// TestJournalKind: a file under the name of the journal that is not one stays as it is.
func TestJournalKind(t *testing.T) {
	for what, link := range map[string]func(to, from string) error{"symbolic": os.Symlink, "hard": os.Link} {
		dir := t.TempDir()
		path, precious := filepath.Join(dir, "book"), filepath.Join(dir, "precious")
		filetest.Write(t, precious, "precious\n")
		if err := link(precious, path+".part"); err != nil {
			t.Logf("no %s links: %v", what, err)
			continue
		}
		if err := Make(context.Background(), path, connect4.Standard, 1, Each(parity), nil); err == nil ||
			!strings.Contains(err.Error(), path+".part") {
			t.Errorf("%s link: %v", what, err)
		}
		if got, err := os.ReadFile(precious); string(got) != "precious\n" {
			t.Errorf("%s link: the file has %q, %v", what, got, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s link: there is a book", what)
		}
	}
}

// TestTwoMakers: a second Make of the same file is refused and does not disturb the first.
func TestTwoMakers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book")
	tried := false
	err := Make(context.Background(), path, connect4.Standard, 1,
		Each(func(ctx context.Context, p connect4.Position) (int, error) {
			if !tried {
				tried = true
				if err := Make(ctx, path, connect4.Standard, 1,
					Each(parity), nil); !errors.Is(err, atomicfile.ErrBusy) {
					t.Errorf("the second: %v", err)
				}
			}
			return parity(ctx, p)
		}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err != nil {
		t.Error(err)
	}
}

// TestNoFile: what may have no end, or no name, is refused at once.
func TestNoFile(t *testing.T) {
	for _, path := range []string{os.DevNull, t.TempDir()} {
		if b, err := Open(path); err == nil || b != nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := Make(context.Background(), "", connect4.Standard, 0, Each(parity), nil); err == nil ||
		!strings.Contains(err.Error(), "name of the book is empty") {
		t.Error(err)
	}
}

// TestDamage changes and cuts a book in every place: it is always refused, with the
// name of the file.
func TestDamage(t *testing.T) {
	path := made(t, 1)
	whole := filetest.Read(t, path)
	check := func(what string, at int, data []byte) {
		t.Helper()
		filetest.Write(t, path, data)
		if b, err := Open(path); err == nil || b != nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s at %d: %v", what, at, err)
		}
	}
	for i := range whole {
		bad := bytes.Clone(whole)
		bad[i] ^= 0x10
		check("changed", i, bad)
		check("cut", i, whole[:i])
	}
	check("longer", 0, append(bytes.Clone(whole), 0))
	if _, err := Open(path + "nowhere"); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("%v", err)
	}
}

// FuzzOpen opens files with correct checksums around any header, summary and words.
func FuzzOpen(f *testing.F) {
	words := binary.LittleEndian.AppendUint64(nil, word(0, 1))
	words = binary.LittleEndian.AppendUint64(words, word(1, -2))
	f.Add(`{"ply":1}`, `{"positions":2}`, words)
	f.Add(`{"ply":15}`, `{"positions":2}`, words)
	f.Add(`{"ply":-1}`, `{"positions":2}`, words)
	f.Add(`{"ply":1}`, `{"positions":18446744073709551615}`, words)
	f.Add(`{"ply":1}`, `{"positions":2}`, slices.Concat(words[8:], words[:8]))
	f.Add(`{"ply":1}`, `{"positions":1}`, words[1:])
	f.Add(`null`, `null`, []byte{})
	path := filepath.Join(f.TempDir(), "book")
	f.Fuzz(func(t *testing.T, header, summary string, words []byte) {
		err := container.Write(container.Replace(path), container.Book, json.RawMessage(header),
			func(w *container.Writer) (any, error) {
				if len(words) > 0 {
					_ = w.WriteBlock(words)
				}
				return json.RawMessage(summary), w.Err()
			})
		if err != nil {
			return // no JSON
		}
		b, err := Open(path)
		if err != nil {
			if !strings.Contains(err.Error(), path) {
				t.Errorf("%v does not name the file", err)
			}
			return
		}
		if b.ply < 0 || b.ply > MaxPly || 8*len(b.words) != len(words) || !slices.IsSorted(b.words) {
			t.Errorf("a book of ply %d: %x", b.ply, b.words)
		}
	})
}

// TestStart: the book of the program has the published scores of the first moves, and every score before
// the last ply is the score of its best move.
func TestStart(t *testing.T) {
	b := Start()
	if b.Ply() != 8 || b.Len() != 129498 || b.Board() != connect4.Standard {
		t.Errorf("%d positions up to ply %d of %v", b.Len(), b.Ply(), b.Board())
	}
	for moves, want := range map[string]int{"": 1, "1": 2, "2": 1, "3": 0, "4": -1, "44": 1, "7": 2} {
		p := gametest.ConnectFour(t, moves)
		if score, ok := b.Score(p); !ok || score != want {
			t.Errorf("%q: %d, %v, want %d", moves, score, ok, want)
		}
	}
	levels, err := positions(t.Context(), b.Board(), b.Ply())
	if err != nil {
		t.Fatal(err)
	}
	scores := map[uint64]int{}
	for _, p := range levels[b.Ply()] {
		score, ok := b.Score(p)
		if !ok {
			t.Fatalf("no score of\n%v", p)
		}
		scores[canonical(p)] = score
	}
	words := map[uint64]bool{}
	for _, w := range b.words {
		words[w] = true
	}
	for key, want := range backUp(levels, scores) {
		if !words[word(key, want)] {
			t.Errorf("key %d: want score %d", key, want)
		}
	}
}

// TestTromp: of the positions of eight stones in which neither side can win at once, the book of the
// program has as many won, drawn and lost as John Tromp's database of 1995
// (https://archive.ics.uci.edu/dataset/26/connect+4).
func TestTromp(t *testing.T) {
	b := Start()
	levels, err := positions(t.Context(), b.Board(), 8)
	if err != nil {
		t.Fatal(err)
	}
	canWin := func(p connect4.Position) bool {
		return slices.ContainsFunc(children(p), func(q connect4.Position) bool {
			won, _ := q.Over()
			return won
		})
	}
	won, drawn, lost := 0, 0, 0
	for _, p := range levels[8] {
		if canWin(p) || canWin(connect4.Position{Mover: p.All.AndNot(p.Mover), All: p.All}) {
			continue
		}
		switch score, _ := b.Score(p); {
		case score > 0:
			won++
		case score == 0:
			drawn++
		default:
			lost++
		}
	}
	if won != 44473 || drawn != 6449 || lost != 16635 {
		t.Errorf("%d won, %d drawn, %d lost", won, drawn, lost)
	}
}

// TestSolvers: several solvers make the same book; the first error ends the others.
func TestSolvers(t *testing.T) {
	want := filetest.Read(t, made(t, 4))
	path, last := filepath.Join(t.TempDir(), "book"), 0
	err := Make(t.Context(), path, connect4.Standard, 4, Each(parity, parity, parity), func(done, total int) {
		if done < last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("another book: %v", err)
	}
	stop := errors.New("enough")
	fails := func(context.Context, connect4.Position) (int, error) { return 0, stop }
	waits := func(ctx context.Context, _ connect4.Position) (int, error) {
		<-ctx.Done()
		return 0, context.Cause(ctx)
	}
	err = Make(t.Context(), filepath.Join(t.TempDir(), "book"), connect4.Standard, 4, Each(waits, fails, waits), nil)
	if !errors.Is(err, stop) || !strings.Contains(err.Error(), "0 of 568 positions are solved") {
		t.Error(err)
	}
	lazy := func(ctx context.Context, positions []connect4.Position, found func(connect4.Position, int) error) error {
		return found(positions[1], 0)
	}
	err = Make(t.Context(), filepath.Join(t.TempDir(), "book"), connect4.Standard, 4, lazy, nil)
	if err == nil ||
		!strings.Contains(err.Error(), "1 of 568 positions are solved: the solver has left positions out") {
		t.Error(err)
	}
}

// TestPositions: a game leads to each of the positions that Make solves.
func TestPositions(t *testing.T) {
	for ply := range 6 {
		list, err := Positions(t.Context(), connect4.Standard, ply)
		if want := []int{1, 4, 25, 121, 568, 2094}; err != nil || ply < 5 && len(list) != want[ply] {
			t.Errorf("ply %d: %d positions, %v", ply, len(list), err)
		}
		for _, p := range list {
			columns, ok := p.Columns()
			if q, err := connect4.Parse(columns); !ok || err != nil || q != p {
				t.Errorf("%q, %v:\n%v", columns, err, p)
			}
		}
	}
	if _, err := Positions(t.Context(), connect4.Standard, MaxPly+1); err == nil ||
		!strings.Contains(err.Error(), "ply 15 is not from 0 to 14") {
		t.Error(err)
	}
}
