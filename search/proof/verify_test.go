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
		result, err := v.solver.Prove(context.Background(), func() Game { return ultimate.NewClaim(p, v.who) }, Limits{Nodes: v.limit})
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

func TestVerify(t *testing.T) {
	for _, row := range rows(t, "hard.tsv") {
		if *only == "" || !strings.Contains(strings.Join(row, " "), *only) {
			continue
		}
		p := position(t, row[2])
		s := New(table(t, *hash), Options{Threads: *threads})
		won, r := wins(t, s, p, p.Side())
		v := verifier{t: t, solver: s, who: p.Side(), proved: won, seen: map[string]bool{}, limit: 100000}
		t.Log(won, r.Nodes, v.check(newReferee(row[2])), v.counted)
	}
}
