package syzygy

import "testing"

// TestKingsIndex: two kings that are not adjacent have 462 places, if the first is in the triangle a1-d1-d4 and what
// is symmetric counts once.
func TestKingsIndex(t *testing.T) {
	seen := map[uint16]bool{}
	for _, row := range makeKingsIndex() {
		for _, n := range row {
			if n > 0 && seen[n] {
				t.Errorf("%d occurs twice", n)
			}
			seen[n] = true
		}
	}
	if len(seen) != 462 || !seen[461] {
		t.Errorf("%d places, want 462", len(seen))
	}
}

// TestNames: tables have 3 to 7 pieces, one king on each side first, and the others in order.
func TestNames(t *testing.T) {
	for name, want := range map[string]int{
		"KQvK": 3, "KRPvKN": 5, "KQRBNvKP": 7, "KPPPPPvK": 7, "KQRBNPvKP": 0, "KPPPPPPvK": 0, "KvK": 0, "KQvQ": 0, "QKvK": 0,
		"KRQvK": 0, "KQ": 0, "KXvK": 0, "KQvKvK": 0, "KKvK": 0, "vKQK": 0, "": 0, "v": 0,
	} {
		if _, pieces, ok := parseName(name); ok != (want > 0) || ok && pieces != want {
			t.Errorf("%s: %d pieces, %v", name, pieces, ok)
		}
	}
}

// TestWeaker: the side with fewer pieces comes second in a name, or among equals the one with weaker pieces.
func TestWeaker(t *testing.T) {
	for name, want := range map[string]bool{"KvKR": true, "KRvK": false, "KRvKR": false, "KPvKR": true, "KRvKP": false,
		"KRPvKRN": true, "KRNvKRP": false, "KQvKPP": true, "KPPvKQ": false} {
		if m, _, ok := parseName(name); !ok || m.weaker() != want {
			t.Errorf("%s: %v, %v", name, m.weaker(), ok)
		}
	}
}

// TestAfter: a double step can be answered by a capture en passant, which takes the pawn beside.
func TestAfter(t *testing.T) {
	const e2, e3, e4, d4, a1, h8, e1 = 12, 20, 28, 27, 0, 63, 4
	p := Position{White: 1<<e2 | 1<<a1, Black: 1<<d4 | 1<<h8, Pawns: 1<<e2 | 1<<d4, Kings: 1<<a1 | 1<<h8}
	pushed := p.after(Move{From: e2, To: e4})
	if want := (Position{White: 1<<e4 | 1<<a1, Black: p.Black, Pawns: 1<<e4 | 1<<d4, Kings: p.Kings, BlackToMove: true,
		EnPassant: e3}); pushed != want {
		t.Errorf("e2e4: %+v, want %+v", pushed, want)
	}
	if got, want := pushed.after(Move{From: d4, To: e3}), (Position{White: 1 << a1, Black: 1<<e3 | 1<<h8, Pawns: 1 << e3,
		Kings: p.Kings}); got != want {
		t.Errorf("d4e3: %+v, want %+v", got, want)
	}
	if got := p.after(Move{From: e2, To: e3}); got.EnPassant != 0 {
		t.Errorf("e2e3: %+v", got)
	}
	promoting := Position{Black: 1<<e2 | 1<<h8, White: 1 << a1, Pawns: 1 << e2, Kings: 1<<a1 | 1<<h8, BlackToMove: true}
	if got, want := promoting.after(Move{From: e2, To: e1, Promotion: Rook}), (Position{White: 1 << a1,
		Black: 1<<e1 | 1<<h8, Rooks: 1 << e1, Kings: promoting.Kings}); got != want {
		t.Errorf("e2e1r: %+v, want %+v", got, want)
	}
}

// TestDistance: a value of a DTZ table that is not in its list is an error. A list has bytes, or words.
func TestDistance(t *testing.T) {
	for flags, want := range map[uint8]int{flagMapped: 1, flagMapped | flagWide: 0x201} {
		p := part{flags: flags | flagWinPlies}
		p.lists[0] = []byte{1, 2}
		if d, err := p.distance(0, Win); d != want || err != nil {
			t.Errorf("flags %d: %d, want %d (%v)", flags, d, want, err)
		}
		if _, err := p.distance(2, Win); err != errDamaged {
			t.Errorf("flags %d: %v", flags, err)
		}
	}
}
