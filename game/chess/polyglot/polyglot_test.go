package polyglot

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/internal/filetest"
)

// A book that PolyGlot makes of games has their moves and no others. TREFOIL_POLYGLOT names the program,
// for instance /usr/games/polyglot of Debian.
func TestAgainstPolyGlot(t *testing.T) {
	program := os.Getenv("TREFOIL_POLYGLOT")
	if program == "" {
		t.Skip("TREFOIL_POLYGLOT is not set")
	}
	// 4…d5 passes a pawn that is pinned; White castles long, Black short; promotions and captures en
	// passant are in the random games.
	games := [][]string{
		strings.Fields("e2e4 e7e5 f2f4 e5f4 e4e5 d8e7 h2h3 d7d5 d1e2"),
		strings.Fields("d2d4 g8f6 c1f4 g7g6 b1c3 f8g7 d1d2 e8g8 e1c1 d7d6"),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		games = append(games, randomGame(t, random))
	}
	want := map[uint64]map[string]int{}
	positions := map[uint64]*chess.Position{}
	pairs, passed, promotions, enPassant := 0, 0, 0, 0
	var pgn bytes.Buffer
	for i, moves := range games {
		fmt.Fprintf(&pgn, "[Event \"%d\"]\n[Result \"1/2-1/2\"]\n\n", i)
		p := gametest.Chess(t, chess.StartFEN)
		for _, text := range moves {
			key := Key(p)
			if want[key] == nil {
				want[key], positions[key] = map[string]int{}, p.Copy()
			}
			if want[key][text]++; want[key][text] == 1 {
				pairs++
			}
			m := gametest.Move(t, p, text)
			fmt.Fprintln(&pgn, san(p, m))
			if p.Passed() != 0 && p.EnPassant() == 0 {
				passed++
			}
			if m.Promotes() {
				promotions++
			}
			if m.Victim() != 0 && p.At(chess.Square(m.To())) == 0 {
				enPassant++
			}
			p.Make(m)
		}
		fmt.Fprint(&pgn, "1/2-1/2\n\n")
	}
	t.Logf("%d positions, %d moves, %d promotions, %d captures en passant, %d double steps without one",
		len(want), pairs, promotions, enPassant, passed)

	folder := t.TempDir()
	filetest.Write(t, filepath.Join(folder, "games.pgn"), pgn.Bytes())
	makeBook := exec.Command(program, "make-book", "-pgn", "games.pgn", "-bin", "book.bin", "-min-game", "1")
	makeBook.Dir = folder
	if out, err := makeBook.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := Open(t.Context(), filepath.Join(folder, "book.bin"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if b.Len() != int64(pairs) {
		t.Errorf("%d entries, want %d", b.Len(), pairs)
	}
	for key, texts := range want {
		p := positions[key]
		found, err := b.Moves(p)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != len(texts) {
			t.Errorf("%s: %d moves, want %d", p.FEN(), len(found), len(texts))
		}
		for _, m := range found {
			if n := texts[p.Text(m.Move)]; int(m.Weight) != n {
				t.Errorf("%s %s: weight %d, want %d", p.FEN(), p.Text(m.Move), m.Weight, n)
			}
		}
	}
}

// randomGame returns the moves of a game.
func randomGame(t *testing.T, random *rand.Rand) (moves []string) {
	p := gametest.Chess(t, chess.StartFEN)
	for range 20 + random.IntN(200) {
		var l game.List
		if _, drawn := p.Adjudicate(0); drawn {
			break
		}
		if p.Moves(game.All, &l); l.Len() == 0 {
			break
		}
		m := l.At(random.IntN(l.Len()))
		moves = append(moves, p.Text(m))
		p.Make(m)
	}
	return moves
}

// san returns a move in algebraic notation, with the square that a piece comes from.
func san(p *chess.Position, m game.Move) string {
	text := p.Text(m)
	kind := chess.KindOf(m.Piece())
	switch {
	case kind == chess.King && text[0] == 'e' && text[2] == 'g':
		return "O-O"
	case kind == chess.King && text[0] == 'e' && text[2] == 'c':
		return "O-O-O"
	case kind != chess.Pawn:
		return string(" NBRQK"[kind]) + text
	case text[0] != text[2]:
		text = text[:1] + "x" + text[2:]
	default:
		text = text[2:]
	}
	if m.Promotes() {
		last := len(text) - 1
		text = text[:last] + "=" + strings.ToUpper(text[last:])
	}
	return text
}
