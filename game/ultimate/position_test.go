package ultimate

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"trefoil/game"
)

// game of random moves; visit is called at every position.
func randomGame(t *rapid.T, visit func(plain, Position)) {
	p, q := plainStart(), Start()
	for {
		visit(p, q)
		moves := p.moves()
		if len(moves) == 0 {
			return
		}
		m := rapid.SampledFrom(moves).Draw(t, "move")
		parsed, err := q.ParseMove(m)
		if err != nil {
			t.Fatal(err)
		}
		p, q = p.play(m), q.Play(parsed)
	}
}

func TestRulesAgainstPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		randomGame(t, func(p plain, q Position) {
			if p.text() != q.String() {
				t.Fatalf("%s became %s", p.text(), q)
			}
			again, err := Parse(p.text())
			if err != nil || again != q {
				t.Fatalf("%s read as %s, %v", p.text(), again, err)
			}
			var moves []string
			for _, m := range q.Moves(nil) {
				moves = append(moves, m.String())
			}
			if !slices.Equal(moves, p.moves()) {
				t.Fatalf("%s: moves %v, want %v", q, moves, p.moves())
			}
			for m := range Move(boards * boards) {
				if legal := q.Check(m) == nil; legal != slices.Contains(moves, m.String()) {
					t.Fatalf("%s: move %s legal %v", q, m, legal)
				}
			}
			winner, won, over := q.Over()
			got := "."
			if won {
				got = winner.String()
			} else if over {
				got = "#"
			}
			if got != string(p.result()) {
				t.Fatalf("%s: result %s, want %c", q, got, p.result())
			}
		})
	})
}

// winsAtOnce reports whether the side to move has a move that wins the game.
func (p *plain) winsAtOnce() bool {
	for _, m := range p.moves() {
		if q := p.play(m); q.result() == p.side {
			return true
		}
	}
	return false
}

// winsSoon reports whether the side to move wins at once, or has a move after which all
// replies let it.
func (p *plain) winsSoon() bool {
	if p.winsAtOnce() {
		return true
	}
	for _, m := range p.moves() {
		q := p.play(m)
		all := q.result() == '.'
		for _, reply := range q.moves() {
			if r := q.play(reply); r.result() != '.' || !r.winsAtOnce() {
				all = false
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

// losesSoon reports whether every move lets the opponent win soon.
func (p *plain) losesSoon() bool {
	for _, m := range p.moves() {
		q := p.play(m)
		if q.result() != '.' || !q.winsSoon() {
			return false
		}
	}
	return true
}

// What a claim knows at sight is what playing it out finds, and its key, changed move by
// move, is the key from scratch.
func TestClaimAgainstPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var claims [2]*Claim
		before := Start()
		randomGame(t, func(p plain, q Position) {
			for who := range Side(2) {
				if claims[who] == nil {
					claims[who] = NewClaim(q, who)
				} else if p.result() == '.' || p.result() == '#' {
					for _, m := range before.Moves(nil) {
						if before.Play(m) == q {
							claims[who].Make(code(m))
						}
					}
				} else {
					return
				}
				c := claims[who]
				if fresh := NewClaim(q, who); c.Key() != fresh.Key() {
					t.Fatalf("%s: key %#x, from scratch %#x", q, c.Key(), fresh.Key())
				}
				checkSight(t, p, q, c, who)
			}
			before = q
		})
	})
}

func checkSight(t *rapid.T, p plain, q Position, c *Claim, who Side) {
	if p.result() != '.' {
		return
	}
	attacking := q.Side() == who
	if attacking != c.Attacking() {
		t.Fatalf("%s: attacking %v", q, c.Attacking())
	}
	var safe []string
	for _, m := range p.moves() {
		if next := p.play(m); next.result() == p.side || !next.winsAtOnce() {
			safe = append(safe, m)
		}
	}
	var s game.Successor
	c.Sight(&s)
	wins := p.winsAtOnce()
	if !c.top().hope {
		if (s.Phi == 0) == attacking || !s.Solved() {
			t.Fatalf("%s: no hope, but %+v", q, s)
		}
		return
	}
	if wins && s.Phi != 0 || !wins && len(safe) == 0 && s.Delta != 0 {
		t.Fatalf("%s: wins at once %v, safe moves %v, but %+v", q, wins, safe, s)
	}
	if len(p.moves()) > boards {
		return // the choice is free: looking further would take too long
	}
	if s.Phi == 0 && !p.winsSoon() {
		t.Fatalf("%s: does not win soon, but %+v", q, s)
	}
	if s.Delta == 0 && !p.losesSoon() {
		t.Fatalf("%s: does not lose soon, but %+v", q, s)
	}
	for _, next := range c.Expand(nil) {
		m := decode(next.Move).String()
		if !wins && len(safe) > 0 && !slices.Contains(safe, m) {
			t.Fatalf("%s: expands %s, safe are %v", q, m, safe)
		}
		if c.Widen(c.Short(next.Move)) != next.Move {
			t.Fatalf("%s: %s is %d is %d", q, m, c.Short(next.Move), c.Widen(c.Short(next.Move)))
		}
	}
}

// All images of a position, and those with the players' names exchanged, are one claim, and
// the Short of a move means the image of the move.
func TestSymmetry(t *testing.T) {
	images := plainImages()
	rapid.Check(t, func(t *rapid.T) {
		randomGame(t, func(p plain, q Position) {
			for who := range Side(2) {
				c := NewClaim(q, who)
				of := rapid.SampledFrom(images).Draw(t, "image")
				image, attacker := p.image(of), who
				if rapid.Bool().Draw(t, "swap") {
					image, attacker = image.swapped(), who.Other()
				}
				r, err := Parse(image.text())
				if err != nil {
					t.Fatal(err)
				}
				d := NewClaim(r, attacker)
				if c.Key() != d.Key() {
					t.Fatalf("%s and %s: keys %#x and %#x", q, r, c.Key(), d.Key())
				}
				if c.Key() == NewClaim(q, who.Other()).Key() {
					t.Fatalf("%s: both sides have key %#x", q, c.Key())
				}
			}
		})
	})
}
