package proof

import (
	"context"
	"strings"
	"testing"

	"trefoil/game/ultimate"
)

// referee is Ultimate Tic-Tac-Toe by the words of its rules, on the text of a position. It
// shares nothing with the search nor with what the search plays on.
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

// verifier checks that a claim is true by playing: the prover's move, and all replies.
type verifier struct {
	t       testing.TB
	solver  *Solver
	who     ultimate.Side // attacks
	proved  bool          // he wins, else he does not
	seen    map[string]bool
	limit   uint64 // nodes to prove a position again
	counted int
}

// fails reports a position that is not what the proof says.
func (v *verifier) check(r referee) bool {
	key := r.text()
	if v.seen[key] {
		return true
	}
	v.counted++
	attacker := "XO"[v.who]
	if big := r.bigBoard(); lineOf(big) != '.' {
		if (lineOf(big) == attacker) != v.proved {
			v.t.Errorf("ends otherwise: %s", key)
			return false
		}
		return true
	}
	moves := r.moves()
	if (r.side == attacker) == v.proved {
		p := position(v.t, key)
		result, err := v.solver.Prove(context.Background(), claim(p, v.who), Limits{Nodes: v.limit})
		if err != nil || (result.Verdict == Proved) != v.proved || result.Verdict == Unknown {
			v.t.Errorf("not proved again: %s: %+v %v", key, result, err)
			return false
		}
		moves = []string{ultimate.NewClaim(p, v.who).Text(result.Move)}
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

// verify walks the whole proof of what a solver says of a claim.
func verify(t *testing.T, s *Solver, text string, who ultimate.Side) {
	t.Helper()
	proved, r := wins(t, s, position(t, text), who)
	v := verifier{t: t, solver: s, who: who, proved: proved, seen: map[string]bool{}, limit: 1 << 16}
	if v.check(newReferee(text)) {
		t.Logf("%s: %v for %v in %d nodes, %d positions verified", text, r.Verdict, who, r.Nodes, v.counted)
	}
}

// Proofs and disproofs of both sides' claims stand up to a walk through all of them, also
// where the table is too small to hold them.
func TestVerify(t *testing.T) {
	for _, mib := range []uint64{1, 16} {
		s := New(table(t, mib), Options{Threads: 2})
		for _, text := range []string{
			"X;..@OOXO..;...X.X.XO/O....OX.O/..O.X.X../.O.XOO.OO/O.OO..O../.X.XX.XX./X.OXXOOOO/O...XOX../.X.XX.X..",
			"X;...OOXO.@;...X.X.XO/O....OX../....X.X../.O.XOO.OO/O.OO..O../.X.XX.XX./X.OXXOOOO/O...XOX../.X....X..",
			"O;.O..XX...;X.XX.OO../OOX.O..XO/OXXOX..OO/OXXOX...X/XO.X.OX../.X..X.XX./.XOOO..OX/.XO..OOX./..O.OOX.X",
		} {
			verify(t, s, text, ultimate.X)
			verify(t, s, text, ultimate.O)
		}
	}
}

// The hard positions, as far as flags choose them.
func TestVerifyHard(t *testing.T) {
	if *only == "" {
		t.Skip("takes minutes: -only")
	}
	for _, row := range rows(t, "hard.tsv") {
		if strings.Contains(strings.Join(row, " "), *only) {
			p := position(t, row[2])
			verify(t, New(table(t, *hash), Options{Threads: *threads}), row[2], p.Side())
		}
	}
}
