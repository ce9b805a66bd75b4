package ultimategoal

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"trefoil/game/gametest"
	"trefoil/game/ultimate"
	"trefoil/search/proof"
)

// randomGame calls visit at every position of a game of random moves.
func randomGame(t *rapid.T, visit func(ultimate.Position)) {
	p := ultimate.Start()
	for {
		visit(p)
		moves := p.Moves(nil)
		if len(moves) == 0 {
			return
		}
		p = p.Play(rapid.SampledFrom(moves).Draw(t, "move"))
	}
}

// ended reports whether the game is over, and whether the side that moved last has won.
func ended(p ultimate.Position) (over, won bool) {
	winner, won, over := p.Over()
	return over, won && winner != p.Side()
}

// winsAtOnce reports whether the side to move has a move that wins the game.
func winsAtOnce(p ultimate.Position) bool {
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		if _, won := ended(q); won {
			return true
		}
	}
	return false
}

// winsSoon reports whether the side to move wins at once, or has a move after which all
// replies let it. With a budget used up it says yes.
func winsSoon(p ultimate.Position, budget *int) bool {
	if *budget--; *budget < 0 || winsAtOnce(p) {
		return true
	}
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		over, _ := ended(q)
		all := !over
		for _, reply := range q.Moves(nil) {
			*budget--
			r := q.Play(reply)
			if over, _ := ended(r); over || !winsAtOnce(r) {
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
func losesSoon(p ultimate.Position, budget *int) bool {
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		if over, _ := ended(q); over || !winsSoon(q, budget) {
			return false
		}
	}
	return true
}

// What is known without playing is what playing finds, and the state, changed move by move, is the
// state from scratch.
func TestAgainstPlay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var goals [2]*Goal
		before := ultimate.Start()
		randomGame(t, func(q ultimate.Position) {
			_, won, _ := q.Over()
			for side := range ultimate.Side(2) {
				if goals[side] == nil {
					goals[side] = New(q, side)
				} else if !won {
					for _, m := range before.Moves(nil) {
						if before.Play(m) == q {
							goals[side].Make(Pack(m))
						}
					}
				} else {
					return
				}
				c := goals[side]
				changed, fresh := *c.top(), *New(q, side).top()
				if changed.last = fresh.last; changed != fresh {
					t.Fatalf("%s: %+v, from scratch %+v", q, changed, fresh)
				}
				checkEvaluation(t, q, c, side)
			}
			before = q
		})
	})
}

type noTable struct{}

func (noTable) Prefetch(uint64) {}

func checkEvaluation(t *rapid.T, p ultimate.Position, c *Goal, side ultimate.Side) {
	if over, _ := ended(p); over {
		return
	}
	attacking := p.Side() == side
	if attacking != c.Attacking() {
		t.Fatalf("%s: attacking %v", p, c.Attacking())
	}
	var safe []string
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		if _, won := ended(q); won || !winsAtOnce(q) {
			safe = append(safe, m.String())
		}
	}
	var s proof.Child
	c.Evaluate(&s)
	wins := winsAtOnce(p)
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
	if s.Phi == 0 && !winsSoon(p, &budget) {
		t.Fatalf("%s: does not win soon, but %+v", p, s)
	}
	if s.Delta == 0 && !losesSoon(p, &budget) {
		t.Fatalf("%s: does not lose soon, but %+v", p, s)
	}
	for _, next := range c.Expand(nil, noTable{}) {
		m := Unpack(next.Move).String()
		if !s.Solved() && !slices.Contains(safe, m) {
			t.Fatalf("%s: expands %s, safe are %v", p, m, safe)
		}
		if c.FromMove16(c.Move16(next.Move)) != next.Move {
			t.Fatalf("%s: %s is %d is %d", p, m, c.Move16(next.Move), c.FromMove16(c.Move16(next.Move)))
		}
	}
}

// All images of a position, and those with the players exchanged, have one key.
func TestSymmetry(t *testing.T) {
	images := boardImages()
	rapid.Check(t, func(t *rapid.T) {
		randomGame(t, func(q ultimate.Position) {
			for side := range ultimate.Side(2) {
				c := New(q, side)
				of := rapid.SampledFrom(images).Draw(t, "image")
				r, attacker := image(t, q, of), side
				if rapid.Bool().Draw(t, "swap") {
					r, attacker = swapped(t, r), side.Other()
				}
				d := New(r, attacker)
				if c.Key() != d.Key() {
					t.Fatalf("%s and %s: keys %#x and %#x", q, r, c.Key(), d.Key())
				}
				if c.Key() == New(q, side.Other()).Key() {
					t.Fatalf("%s: both sides have key %#x", q, c.Key())
				}
			}
		})
	})
}

// image moves every board and every cell.
func image(t *rapid.T, p ultimate.Position, of [9]int) ultimate.Position {
	fields := strings.Split(p.String(), ";")
	big, boards := []byte(fields[1]), strings.Split(fields[2], "/")
	turned := make([]string, 9)
	for b, to := range of {
		big[to] = fields[1][b]
		cells := make([]byte, 9)
		for c, to := range of {
			cells[to] = boards[b][c]
		}
		turned[to] = string(cells)
	}
	return gametest.Ultimate(t, fields[0]+";"+string(big)+";"+strings.Join(turned, "/"))
}

// swapped exchanges the players.
func swapped(t *rapid.T, p ultimate.Position) ultimate.Position {
	return gametest.Ultimate(t, strings.NewReplacer("X", "O", "O", "X").Replace(p.String()))
}

// boardImages returns the symmetries of the square by coordinates.
func boardImages() (images [][9]int) {
	for s := range 8 {
		var of [9]int
		for row := range 3 {
			for column := range 3 {
				r, c := row, column
				if s&1 != 0 {
					r = 2 - r
				}
				if s&2 != 0 {
					c = 2 - c
				}
				if s&4 != 0 {
					r, c = c, r
				}
				of[3*row+column] = 3*r + c
			}
		}
		images = append(images, of)
	}
	return images
}

// Every position that can be read has a key.
func FuzzKey(f *testing.F) {
	f.Add(ultimate.Start().String())
	f.Add("X;X.....O@.;X.OXO.X../OX.O...../X.X...XOO/..OX.OXO./OX..X..../...O.X.O./..X...OOO/O.OX.X.X./.O.....XX")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ultimate.Parse(text)
		if err != nil {
			return
		}
		for side := range ultimate.Side(2) {
			New(p, side).Key()
		}
	})
}
