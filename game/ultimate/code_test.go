package ultimate

import (
	"math/rand/v2"
	"testing"
)

func TestBoardCode(t *testing.T) {
	for code := range uint16(BoardCodes) {
		if s := BoardStones(code); s[0]&s[1] != 0 || BoardCode(s[0], s[1]) != code {
			t.Fatalf("%d has the stones %v, code %d", code, s, BoardCode(s[0], s[1]))
		}
	}
}

// In random games the position of a code has this code, and differs from the position at most in stones on decided
// boards: the same moves lead to the same codes, and to the same end. CanWin is false only where no random game is won
// any more.
func TestCode(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	hopeless := 0
	for range 300 {
		p := Start()
		could := [2]bool{true, true}
		for {
			code := p.Code()
			q := code.Position()
			if q.Code() != code || q.Side() != p.Side() || q.Open() != p.Open() || q.won != p.won ||
				q.drawn != p.drawn || q.target != p.target {
				t.Fatalf("%v: %v", p, q)
			}
			if _, err := Parse(q.String()); err != nil {
				t.Fatal(err)
			}
			for s := range Side(2) {
				if can := p.CanWin(s); can && !could[s] {
					t.Fatalf("%v: %v can win again", p, s)
				} else if could[s] = can; !can {
					hopeless++
				}
			}
			moves := p.Moves(nil)
			if got := q.Moves(nil); len(got) != len(moves) {
				t.Fatalf("%v: %d moves, %d after Code", p, len(moves), len(got))
			}
			if len(moves) == 0 {
				if winner, won, _ := p.Over(); won && !could[winner] {
					t.Fatalf("%v: won", p)
				}
				break
			}
			m := moves[r.IntN(len(moves))]
			p, q = p.Play(m), q.Play(m)
			if p.Code() != q.Code() {
				t.Fatalf("%v and %v after %v", p, q, m)
			}
		}
	}
	if hopeless < 100 {
		t.Errorf("%d positions without a win, want more", hopeless)
	}
}
