package tests

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	oracle "github.com/notnil/chess"

	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/internal/newtable"
	"trefoil/search/mate"
	"trefoil/search/proof/chessgoal"
)

var (
	mateEvery = flag.Int("mates", 50, "with -long, verify every N-th of the 2000 mates")
	mateTime  = flag.Duration("matetime", 2*time.Second, "with -long, the time for each of them")
)

// mates searches for mates and verifies them.
type mates struct {
	t      testing.TB
	finder *mate.Finder
	seen   map[string]bool // positions of a proof, with the moves left
}

func newMates(t testing.TB, mib uint64, threads int) *mates {
	t.Helper()
	return &mates{t: t, finder: mate.New(newtable.Window(t, mib), threads, nil), seen: map[string]bool{}}
}

func (m *mates) find(p *chess.Position, moves int, limits mate.Limits, limit time.Duration) mate.Answer {
	m.t.Helper()
	ctx := context.Background()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	a, err := m.finder.Find(ctx, mate.Problem{Moves: moves, Goal: func(opponent bool, moves int) mate.Goal {
		return chessgoal.New(p, chessgoal.Attacker(p, opponent), moves)
	}}, limits, nil)
	if err != nil {
		m.t.Fatal(err)
	}
	return a
}

func oracleBoard(t testing.TB, fen string) *oracle.Position {
	t.Helper()
	q := new(oracle.Position)
	if err := q.UnmarshalText([]byte(fen)); err != nil {
		t.Fatal(err)
	}
	return q
}

// play makes a move of UCI by the rules of the oracle.
func play(q *oracle.Position, text string) (*oracle.Position, bool) {
	for _, m := range q.ValidMoves() {
		if m.String() == text {
			return q.Update(m), true
		}
	}
	return q, false
}

// line plays the line of an answer by the rules of the oracle: it is legal, of the length
// that is announced, and ends with a mate, no sooner.
func (m *mates) line(fen string, a *mate.Answer) string {
	m.t.Helper()
	p, q := gametest.Chess(m.t, fen), oracleBoard(m.t, fen)
	var texts []string
	for _, move := range a.Line {
		if q.Status() != oracle.NoMethod {
			m.t.Errorf("%s: over after %v", fen, texts)
		}
		text, legal := p.Text(move), false
		texts = append(texts, text)
		if q, legal = play(q, text); !legal {
			m.t.Fatalf("%s: illegal move at the end of %v", fen, texts)
		}
		p.Make(move)
	}
	plies := 2 * a.Moves
	if !a.Opponent {
		plies--
	}
	if len(texts) != plies || q.Status() != oracle.Checkmate {
		m.t.Errorf("%s: mate in %d by %v, which ends with %v", fen, a.Moves, texts, q.Status())
	}
	return strings.Join(texts, " ")
}

// forced checks by the rules of the oracle that the attacker mates within n moves. Before
// each move of the attacker it searches again, for a mate within the moves that are left.
func (m *mates) forced(q *oracle.Position, attacks bool, n int) bool {
	key := fmt.Sprint(strings.Join(strings.Fields(q.String())[:4], " "), n)
	switch status := q.Status(); {
	case status == oracle.Checkmate:
		return !attacks
	case status == oracle.Stalemate || n == 0:
		m.t.Errorf("no mate: %s with %d moves left", q, n)
		return false
	case m.seen[key]:
		return true
	}
	if attacks {
		p := gametest.Chess(m.t, q.String())
		a := m.find(p, n, mate.Limits{Nodes: 1 << 20}, 0)
		if a.Moves == 0 || a.Opponent || a.Moves > n {
			m.t.Errorf("not proved again: mate in %d of %s: %+v", n, q, a)
			return false
		}
		next, legal := play(q, p.Text(a.Line[0]))
		if !legal || !m.forced(next, false, a.Moves-1) {
			m.t.Errorf("after %s: %s", p.Text(a.Line[0]), q)
			return false
		}
	} else {
		for _, move := range q.ValidMoves() {
			if !m.forced(q.Update(move), true, n) {
				m.t.Errorf("after %s: %s", move, q)
				return false
			}
		}
	}
	m.seen[key] = true
	return true
}

// TestMatesAreForced plays all replies to announced mates by the rules of notnil/chess.
func TestMatesAreForced(t *testing.T) {
	for _, c := range []struct {
		fen   string
		moves int // of the mate, negative if the side to move is mated; 0: any
	}{
		{"5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1", 4},                                // smothered
		{"8/8/8/8/8/2k5/7R/R5K1 w - - 0 1", 0},                                     // two rooks
		{"3k4/8/3K4/8/8/8/8/7R b - - 0 1", -2},                                     // one rook
		{"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1}, // scholar's
		{"r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 2},   // a queen left behind
		{"1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1", 2},                 // a knight promoted to
		{"8/5P1k/5K2/8/8/8/8/8 w - - 0 1", 2},                                      // a queen would be stalemate
		{"6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", 2},                  // a double check
	} {
		for _, threads := range []int{1, 2} {
			m := newMates(t, 16, threads)
			a := m.find(gametest.Chess(t, c.fen), 20, mate.Limits{Nodes: 60000, Thorough: true}, 0)
			got := a.Moves
			if a.Opponent {
				got = -got
			}
			line := m.line(c.fen, &a)
			t.Logf("%s: mate %d, shortest %v, %d nodes: %s", c.fen, got, a.Shortest, a.Nodes, line)
			if got == 0 || c.moves != 0 && (got != c.moves || !a.Shortest) {
				t.Errorf("%s: mate %d, not %d, shortest %v", c.fen, got, c.moves, a.Shortest)
				continue
			}
			m.forced(oracleBoard(t, c.fen), !a.Opponent, a.Moves)
		}
	}
}

// mateWithin is a full-width search by the rules of the oracle: whether the side to move
// mates within n moves. It gives up, and returns false, when the budget of positions is used up.
func mateWithin(q *oracle.Position, n int, budget *int) bool {
	for _, move := range q.ValidMoves() {
		if n == 1 && !move.HasTag(oracle.Check) {
			continue
		}
		if *budget--; *budget < 0 {
			return false
		}
		next := q.Update(move)
		replies := next.ValidMoves()
		if len(replies) == 0 {
			if next.Status() == oracle.Checkmate {
				return true
			}
			continue
		}
		if n == 1 {
			continue
		}
		all := true
		for _, reply := range replies {
			if all = mateWithin(next.Update(reply), n-1, budget); !all {
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

// shortestMate returns the moves of the shortest mate within most moves, 0 if there is none, and the
// positions that mateWithin visits. It fails if these are more than the budget.
func shortestMate(q *oracle.Position, most, budget int) (moves, visited int, ok bool) {
	left := budget
	for n := 1; n <= most; n++ {
		found := mateWithin(q, n, &left)
		if left < 0 {
			return 0, 0, false
		}
		if found {
			return n, budget - left, true
		}
	}
	return 0, budget - left, true
}

// TestShortMatesAreComplete compares mates within two moves, found and not found, with a
// plain search of the oracle, in random positions with few pieces.
func TestShortMatesAreComplete(t *testing.T) {
	n := 60
	if *long {
		n = 1500
	}
	rnd := rand.New(rand.NewPCG(7, 8))
	m := newMates(t, 4, 1)
	var found [3]int
	for n > 0 {
		fen := fewPieces(rnd)
		p, err := chess.ParseFEN(fen)
		if err != nil {
			continue
		}
		n--
		q := oracleBoard(t, fen)
		want, _, ok := shortestMate(q, 2, 1<<30)
		if !ok {
			t.Fatalf("%s: the plain search gives up", fen)
		}
		a := m.find(p, 2, mate.Limits{Thorough: true}, 0)
		if a.Opponent {
			a.Moves = 0
		}
		if a.Moves != want || want == 0 && a.Failed[0] != 2 && !a.Opponent {
			t.Errorf("%s: mate in %d, not %d: %+v", fen, a.Moves, want, a)
		}
		found[want]++
	}
	t.Logf("no mate, mate in one, in two: %v", found)
}

// fewPieces is a random position, legal or not, with the black king at the edge.
func fewPieces(rnd *rand.Rand) string {
	var cells [64]byte
	edge := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 23, 56, 57, 62, 63}
	cells[edge[rnd.IntN(len(edge))]] = 'k'
	for _, piece := range "KQRNPpbr"[:3+rnd.IntN(6)] {
		if s := rnd.IntN(64); cells[s] == 0 && (piece != 'P' && piece != 'p' || s > 7 && s < 56) {
			cells[s] = byte(piece)
		}
	}
	var b strings.Builder
	for s, c := range cells {
		if s > 0 && s%8 == 0 {
			b.WriteByte('/')
		}
		if c == 0 {
			c = '1'
		}
		b.WriteByte(c)
	}
	return b.String() + " w - - 0 1"
}

// TestKnownMates solves positions of the test data and verifies every proof of up to a
// million nodes: a mate of the right side, and none shorter than stated.
func TestKnownMates(t *testing.T) {
	if !*long {
		t.Skip("takes minutes: -long")
	}
	f, err := os.Open(filepath.Join(os.Getenv("TREFOIL_TESTDATA"), "mates", "mates2000.epd"))
	if os.Getenv("TREFOIL_TESTDATA") == "" || err != nil {
		t.Skip("TREFOIL_TESTDATA names no directory with mates/mates2000.epd")
	}
	defer f.Close()
	m := newMates(t, 256, 1)
	solved, shorter, n := 0, 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		if n%*mateEvery != 0 {
			continue
		}
		parts := regexp.MustCompile(`^(.*?) bm #(-?\d+);`).FindStringSubmatch(lines.Text())
		fen := parts[1] + " 0 1"
		stated, _ := strconv.Atoi(parts[2])
		a := m.find(gametest.Chess(t, fen), chessgoal.MaxMoves, mate.Limits{Thorough: true}, *mateTime)
		if a.Moves == 0 {
			t.Logf("line %d #%d: unknown", n+1, stated)
			continue
		}
		solved++
		if a.Opponent != (stated < 0) {
			t.Errorf("line %d: the wrong side mates: %+v", n+1, a)
			continue
		}
		if a.Moves < max(stated, -stated) {
			shorter++
			t.Logf("line %d #%d: shorter, %d", n+1, stated, a.Moves)
		}
		m.line(fen, &a)
		clear(m.seen)
		m.forced(oracleBoard(t, fen), !a.Opponent, a.Moves)
		t.Logf("line %d #%d: mate in %d, %d positions verified", n+1, stated, a.Moves, len(m.seen))
	}
	t.Logf("%d solved, %d shorter than stated", solved, shorter)
}
