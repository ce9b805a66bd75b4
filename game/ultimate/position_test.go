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

// ended reports whether the game is over, and whether the side that moved last has won.
func (p *Position) ended() (over, won bool) {
	winner, won, over := p.Over()
	return over, won && winner != p.side
}

// winsAtOnce reports whether the side to move has a move that wins the game.
func (p *Position) winsAtOnce() bool {
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		if _, won := q.ended(); won {
			return true
		}
	}
	return false
}

// winsSoon reports whether the side to move wins at once, or has a move after which all
// replies let it. With a budget used up it says yes.
func (p *Position) winsSoon(budget *int) bool {
	if *budget--; *budget < 0 || p.winsAtOnce() {
		return true
	}
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		over, _ := q.ended()
		all := !over
		for _, reply := range q.Moves(nil) {
			*budget--
			r := q.Play(reply)
			if over, _ := r.ended(); over || !r.winsAtOnce() {
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
func (p *Position) losesSoon(budget *int) bool {
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		if over, _ := q.ended(); over || !q.winsSoon(budget) {
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
							claims[who].Make(Pack(m))
						}
					}
				} else {
					return
				}
				c := claims[who]
				if fresh := NewClaim(q, who); c.Key() != fresh.Key() {
					t.Fatalf("%s: key %#x, from scratch %#x", q, c.Key(), fresh.Key())
				}
				checkSight(t, q, c, who)
			}
			before = q
		})
	})
}

type nobody struct{}

func (nobody) Prefetch(uint64) {}

func checkSight(t *rapid.T, p Position, c *Claim, who Side) {
	if over, _ := p.ended(); over {
		return
	}
	attacking := p.Side() == who
	if attacking != c.Attacking() {
		t.Fatalf("%s: attacking %v", p, c.Attacking())
	}
	var safe []string
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		if _, won := q.ended(); won || !q.winsAtOnce() {
			safe = append(safe, m.String())
		}
	}
	var s game.Successor
	c.Sight(&s)
	wins := p.winsAtOnce()
	if c.top().useful[attacker] == 0 {
		if (s.Phi == 0) == attacking || !s.Solved() {
			t.Fatalf("%s: no hope, but %+v", p, s)
		}
		return
	}
	if wins && s.Phi != 0 || !wins && len(safe) == 0 && s.Delta != 0 {
		t.Fatalf("%s: wins at once %v, safe moves %v, but %+v", p, wins, safe, s)
	}
	budget := 300
	if s.Phi == 0 && !p.winsSoon(&budget) {
		t.Fatalf("%s: does not win soon, but %+v", p, s)
	}
	if s.Delta == 0 && !p.losesSoon(&budget) {
		t.Fatalf("%s: does not lose soon, but %+v", p, s)
	}
	for _, next := range c.Expand(nil, nobody{}) {
		m := Unpack(next.Move).String()
		if !s.Solved() && !slices.Contains(safe, m) {
			t.Fatalf("%s: expands %s, safe are %v", p, m, safe)
		}
		if c.Widen(c.Short(next.Move)) != next.Move {
			t.Fatalf("%s: %s is %d is %d", p, m, c.Short(next.Move), c.Widen(c.Short(next.Move)))
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
