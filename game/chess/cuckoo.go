package chess

import "trefoil/zobrist"

// UpcomingRepetition reports whether the side to move has a move that repeats an earlier position so
// that Adjudicate(ply+1) is a draw then. Such a move takes a piece back to where it stood, so the
// keys of the two positions differ by exactly that move, which the cuckoo table has (M. van Kervinck,
// "The design and implementation of the Rookie 2.0 chess playing program", 2002). Whether the move
// is legal is not tested: a pin may forbid it.
func (p *Position) UpcomingRepetition(ply int) bool {
	n := len(p.history)
	end := min(int(p.back), n)
	for d := 3; d <= end; d += 2 {
		m := reversible.find(p.key ^ p.history[n-d].key)
		if m == nil || p.Occupied()&m.between != 0 || p.colours[p.side&1]&m.ends == 0 {
			continue
		}
		if d <= ply || p.repeatedBefore(n-d) {
			return true
		}
	}
	return false
}

// repeatedBefore reports whether the position of history[i] had occurred before.
func (p *Position) repeatedBefore(i int) bool {
	s := &p.history[i]
	for d := 4; d <= min(int(s.back), i); d += 2 {
		if p.history[i-d].key == s.key {
			return true
		}
	}
	return false
}

// reversibleMove is a move of a piece that is no pawn, in either direction.
type reversibleMove struct {
	key           uint64 // what the move changes in a key, with the side to move
	ends, between Bitboard
}

// cuckoo is a hash table of all reversible moves, 3668 in 8192 slots. The key of a move has two slots, and
// the move lies in one of them, so a search looks at no more than two.
type cuckoo [8192]reversibleMove

var reversible cuckoo

func init() { reversible.fill() } // after the attacks are, by the order of files

// cuckooSlots returns the two slots of a key. Bit 0 is the same in all keys.
func cuckooSlots(key uint64) (first, second uint64) { return key >> 1 & 8191, key >> 17 & 8191 }

// fill enters all reversible moves.
func (t *cuckoo) fill() {
	for code := 1; code <= 12; code++ {
		if KindOf(code) == Pawn {
			continue
		}
		for from := Square(0); from < 64; from++ {
			for targets := attacks(KindOf(code), from, 0); targets != 0; {
				if to := targets.Pop(); from < to {
					w := &words.pieces[code]
					t.insert(reversibleMove{w[from] ^ w[to] ^ zobrist.Side, from.Bit() | to.Bit(), Between(from, to)})
				}
			}
		}
	}
}

// insert puts m into a slot of its key. A move that lies there goes to the other slot of its own key.
func (t *cuckoo) insert(m reversibleMove) {
	slot, _ := cuckooSlots(m.key)
	for {
		t[slot], m = m, t[slot]
		if m.key == 0 {
			return
		}
		first, second := cuckooSlots(m.key)
		slot ^= first ^ second
	}
}

// find returns the move with a key, nil if there is none.
func (t *cuckoo) find(key uint64) *reversibleMove {
	first, second := cuckooSlots(key)
	if m := &t[first]; m.key == key {
		return m
	}
	if m := &t[second]; m.key == key {
		return m
	}
	return nil
}
