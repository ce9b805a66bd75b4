package shogi

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// matedInEffect is MatedInEffect by its words: over all replies, and all captures of the piece put between.
func (q *plain) matedInEffect() bool {
	if !q.exposed(q.side) {
		return false
	}
	checkers := q.checkers()
	for _, reply := range q.moves(false) {
		next, useless := q.play(reply), false
		for _, capture := range next.moves(false) {
			if !checkers[capture[:2]] || capture[2:4] != reply[2:4] {
				continue
			}
			after := next.play(capture)
			kind := strings.ToUpper(strings.TrimPrefix(next.board[reply[2]-'1'][reply[3]-'a'], "+"))
			after.hand[next.side][kind]--
			after.hand[q.side][kind]++
			useless = useless || after.matedInEffect()
		}
		if !useless {
			return false
		}
	}
	return true
}

// checkers returns the squares of the pieces that give check.
func (q *plain) checkers() map[string]bool {
	found, king := map[string]bool{}, [2]string{"K", "k"}[q.side]
	for x := range 9 {
		for y := range 9 {
			if owner(q.board[x][y]) == 1-q.side {
				q.reaches(x, y, func(tx, ty int) {
					if q.board[tx][ty] == king {
						found[string([]byte{'1' + byte(x), 'a' + byte(y)})] = true
					}
				})
			}
		}
	}
	return found
}

// checked returns a random position in which a king near a corner is in check by a slider, mostly from
// afar.
func checked(rnd *rand.Rand) string {
	var cells [9][9]string // by rank and file, from 9a
	put := func(y, x int, pieces ...string) {
		if y >= 0 && y < 9 && x >= 0 && x < 9 && cells[y][x] == "" {
			cells[y][x] = pieces[rnd.IntN(len(pieces))]
		}
	}
	y, x := rnd.IntN(3), 6+rnd.IntN(3)
	cells[y][x] = "k"
	switch far := 2 + rnd.IntN(4); rnd.IntN(4) {
	case 0:
		put(y, x-far, "R", "+R")
	case 1:
		put(y+far, x, "R", "+R", "L", "L")
	default:
		put(y+far, x-far, "B", "+B")
	}
	for range 2 + rnd.IntN(5) {
		put(y-2+rnd.IntN(5), x-2+rnd.IntN(5), "G", "S", "+P", "N", "P", "L", "R", "B", "+R", "+B")
	}
	for range rnd.IntN(6) {
		put(y-2+rnd.IntN(5), x-3+rnd.IntN(5), "g", "s", "p", "n", "l", "p", "+p", "r", "b")
	}
	if rnd.IntN(3) == 0 {
		put(y+rnd.IntN(3), x-rnd.IntN(9), "K")
	}
	var board strings.Builder
	for _, rank := range cells {
		for _, cell := range rank {
			if cell == "" {
				cell = "1"
			}
			board.WriteString(cell)
		}
		board.WriteByte('/')
	}
	hands := "-"
	for _, piece := range "rbgsnlp" {
		if rnd.IntN(3) == 0 {
			hands = strings.TrimPrefix(hands, "-") + string(piece)
		}
	}
	return fmt.Sprintf("%s w %s 1", strings.TrimSuffix(board.String(), "/"), hands)
}

// TestMatedInEffect: in random positions with few pieces MatedInEffect says what its words say.
func TestMatedInEffect(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	drops, moves := 0, 0
	for range 2 * steps(1) {
		p, err := ParseSFEN(checked(rnd))
		if err != nil || !p.InCheck() || p.EscapeSquares(White).Any() && rnd.IntN(20) != 0 {
			continue
		}
		before, got := p.Copy(), p.MatedInEffect()
		if want := plainOf(p).matedInEffect(); got != want {
			t.Fatalf("%v, not %v:\n%v", got, want, p)
		}
		if sound(t, p); p.SFEN() != before.SFEN() || p.Checkers() != before.Checkers() {
			t.Fatalf("it changes\n%v", before)
		}
		if !got || p.Mated() {
			continue
		}
		if w := p.Evasions(); w.Others > p.countDrops(Between(p.King(White), p.Checkers().First())) {
			moves++
		} else {
			drops++
		}
	}
	if drops < 20 || moves < 1 {
		t.Errorf("%d and %d positions with useless drops alone and with useless moves", drops, moves)
	}
}

// TestUseless: positions in check whose replies can be followed by hand.
func TestUseless(t *testing.T) {
	for name, c := range map[string]struct {
		sfen string
		want bool
	}{
		"drops on 2a to 4a, where the rook is protected at last": {"4R3k/6+P2/8P/9/9/9/9/9/9 w rbgsnlp 1", true},
		"the king captures the rook on 2a":                       {"4R3k/9/6N1P/9/9/9/9/9/9 w p 1", false},
		"a gold captures it":                                     {"4R3k/6+Pg1/8P/9/9/9/9/9/9 w p 1", false},
		"the gold can only move to 2a":                           {"4R3k/6+Pg1/8P/9/9/9/9/9/9 w - 1", true},
		"a gold that moves to 1c leaves 2b to the king":          {"7lk/7g1/9/7N1/8L/9/9/9/9 w - 1", false},
		"a lance that moves to 2a does not":                      {"4R3k/9/6NSP/9/9/9/9/9/9 w - 1", true},
		"the rook is pinned":                                     {"8k/6P1P/8+P/1b7/9/4R4/9/9/K8 w p 1", false},
		"a check from the next square":                           {"7Gk/8P/7P1/9/9/9/9/9/9 w p 1", false},
		"a mate":                                                 {"8k/8G/8P/9/9/9/9/9/9 w p 1", true},
		"no check":                                               {"8k/9/6NG1/9/9/9/9/9/9 w - 1", false},
	} {
		if p := parse(t, c.sfen); p.MatedInEffect() != c.want || plainOf(p).matedInEffect() != c.want {
			t.Errorf("%s: not %v:\n%v", name, c.want, p)
		}
	}
}
