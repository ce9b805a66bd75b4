package proof_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"trefoil/game/gametest"
	"trefoil/game/ultimate"
	"trefoil/internal/newtable"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

// referee is Ultimate Tic-Tac-Toe by the text of its rules, on the text of a position. It shares no
// code with the search or the rules package.
type referee struct {
	cells [9]string
	side  byte
	board int // to be played on, -1 is any
}

func newReferee(text string) referee {
	parts := strings.Split(text, ";")
	r := referee{side: parts[0][0], board: strings.IndexByte(parts[1], '@')}
	copy(r.cells[:], strings.Split(parts[2], "/"))
	return r
}

// state of nine cells: X or O has a line, # all are taken, . neither.
func lineOf(cells string) byte {
	for _, l := range []string{"012", "345", "678", "036", "147", "258", "048", "246"} {
		a, b, c := cells[l[0]-'0'], cells[l[1]-'0'], cells[l[2]-'0']
		if a == b && b == c && (a == 'X' || a == 'O') {
			return a
		}
	}
	if strings.IndexByte(cells, '.') < 0 {
		return '#'
	}
	return '.'
}

func (r *referee) bigBoard() string {
	var big [9]byte
	for b := range big {
		big[b] = lineOf(r.cells[b])
	}
	return string(big[:])
}

func (r *referee) moves() (moves []string) {
	big := r.bigBoard()
	for b := range 9 {
		if big[b] != '.' || r.board >= 0 && r.board != b {
			continue
		}
		for c := range 9 {
			if r.cells[b][c] == '.' {
				moves = append(moves, string([]byte{byte('a' + b), byte('a' + c)}))
			}
		}
	}
	return moves
}

func (r referee) play(move string) referee {
	b, c := int(move[0]-'a'), int(move[1]-'a')
	r.cells[b] = r.cells[b][:c] + string(r.side) + r.cells[b][c+1:]
	r.side ^= 'X' ^ 'O'
	r.board = c
	if lineOf(r.cells[c]) != '.' {
		r.board = -1
	}
	return r
}

func (r *referee) text() string {
	big := []byte(r.bigBoard())
	if r.board >= 0 {
		big[r.board] = '@'
	}
	return string(r.side) + ";" + string(big) + ";" + strings.Join(r.cells[:], "/")
}

// verifier checks a result by playing: the prover's move, and all replies.
type verifier struct {
	t       testing.TB
	solver  *proof.Solver
	side    ultimate.Side // attacks
	proved  bool          // it wins, else it does not
	seen    map[string]bool
	limit   uint64 // nodes to prove a position again
	counted int
}

// check walks from a position through the proof, and reports whether it holds.
func (v *verifier) check(r referee) bool {
	key := r.text()
	if v.seen[key] {
		return true
	}
	v.counted++
	attacker := "XO"[v.side]
	if big := r.bigBoard(); lineOf(big) != '.' {
		if (lineOf(big) == attacker) != v.proved {
			v.t.Errorf("ends otherwise: %s", key)
			return false
		}
		return true
	}
	moves := r.moves()
	if (r.side == attacker) == v.proved {
		move, ok := v.answer(key)
		if !ok {
			return false
		}
		moves = []string{move}
	}
	for _, m := range moves {
		if !v.check(r.play(m)) {
			v.t.Errorf("after %s: %s", m, key)
			return false
		}
	}
	v.seen[key] = true
	return true
}

// answer returns the solver's move for the side that reaches its goal.
func (v *verifier) answer(text string) (string, bool) {
	p := gametest.Ultimate(v.t, text)
	result, err := v.solver.Prove(context.Background(), goal(p, v.side), proof.Limits{Nodes: v.limit})
	if err != nil || (result.Result == proof.Proved) != v.proved || result.Result == proof.Unknown {
		v.t.Errorf("not proved again: %s: %+v %v", text, result, err)
		return "", false
	}
	return ultimategoal.New(p, v.side).Text(result.Move), true
}

// line plays one line with random replies and reports whether it ends as it should.
func (v *verifier) line(r referee, random *rand.Rand) bool {
	for {
		v.counted++
		attacker, big := "XO"[v.side], r.bigBoard()
		if end := lineOf(big); end != '.' {
			if (end == attacker) != v.proved {
				v.t.Errorf("ends otherwise: %s", r.text())
			}
			return (end == attacker) == v.proved
		}
		moves := r.moves()
		move := moves[random.IntN(len(moves))]
		if (r.side == attacker) == v.proved {
			var ok bool
			if move, ok = v.answer(r.text()); !ok {
				return false
			}
		}
		r = r.play(move)
	}
}

// verify walks through the whole proof of a result, or 10,000 random lines of it if it took more than a
// million nodes. The table may have a proof already; before are the nodes of its search.
func verify(t *testing.T, s *proof.Solver, text string, side ultimate.Side, before uint64) {
	t.Helper()
	proved, r := wins(t, s, gametest.Ultimate(t, text), side)
	r.Nodes = max(r.Nodes, before)
	v := verifier{t: t, solver: s, side: side, proved: proved, seen: map[string]bool{}, limit: 1 << 18}
	what := "positions"
	if r.Nodes <= 1e6 {
		if !v.check(newReferee(text)) {
			return
		}
	} else {
		what = "positions in 10,000 lines"
		random := rand.New(rand.NewPCG(5, 6))
		for range 10000 {
			if !v.line(newReferee(text), random) {
				return
			}
		}
	}
	t.Logf("%s: %v for %v in %d nodes, %d %s verified", text, r.Result, side, r.Nodes, v.counted, what)
}

// Proofs and disproofs of both sides' goals are confirmed by a walk through all of them, also
// where the table is too small to hold them.
func TestVerify(t *testing.T) {
	for _, mib := range []uint64{1, 16} {
		s := proof.New(newtable.Window(t, mib), proof.Options{Threads: 2})
		for _, text := range []string{
			"X;..@OOXO..;...X.X.XO/O....OX.O/..O.X.X../.O.XOO.OO/O.OO..O../.X.XX.XX./X.OXXOOOO/O...XOX../.X.XX.X..",
			"X;...OOXO.@;...X.X.XO/O....OX../....X.X../.O.XOO.OO/O.OO..O../.X.XX.XX./X.OXXOOOO/O...XOX../.X....X..",
			drawn,
		} {
			verify(t, s, text, ultimate.X, 0)
			verify(t, s, text, ultimate.O, 0)
		}
	}
}
