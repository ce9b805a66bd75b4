package proof

import (
	"testing"

	"trefoil/window"
)

// handTree is a tree whose positions have hands: sets of pieces, a bit each.
type handTree struct{ *tree }

func (handTree) Dominates(hand, other uint32) bool         { return hand&other == other }
func (handTree) SolvingHand([]Child, int, bool) uint32     { return 0b101 }
func proofOf(toMove bool, hand uint32) (e window.Entry)    { return handEntry(toMove, hand) }
func disproofOf(toMove bool, hand uint32) (e window.Entry) { return handEntry(!toMove, hand) }

// handEntry is the entry of a position that the player to move has won, or lost.
func handEntry(won bool, hand uint32) window.Entry {
	if won {
		return window.Entry{Phi: 0, Delta: Infinity | hand, Work: 7}
	}
	return window.Entry{Phi: Infinity | hand, Delta: 0, Work: 7}
}

// TestSolveByHand: a child is proved if the attacker has all the proof pieces of its board, and disproved if it has no
// more than the disproof pieces.
func TestSolveByHand(t *testing.T) {
	const board, child = 0x1234567812345678, 0x7777777777777777
	type expected uint8
	const (
		open expected = iota
		proved
		disproved
	)
	for _, attacking := range []bool{true, false} { // in the child
		for _, c := range []struct {
			name        string
			mask        uint64
			entry       window.Entry
			hand        uint32
			board, done bool
			want        expected
		}{
			{"more than the proof pieces", proofPieces, proofOf(attacking, 0b011), 0b111, true, false, proved},
			{"the proof pieces", proofPieces, proofOf(attacking, 0b011), 0b011, true, false, proved},
			{"other pieces", proofPieces, proofOf(attacking, 0b011), 0b101, true, false, open},
			{"less than the disproof pieces", disproofPieces, disproofOf(attacking, 0b011), 0b001, true, false, disproved},
			{"the disproof pieces", disproofPieces, disproofOf(attacking, 0b011), 0b011, true, false, disproved},
			{"more than the disproof pieces", disproofPieces, disproofOf(attacking, 0b011), 0b111, true, false, open},
			{"a disproof in place of a proof", proofPieces, disproofOf(attacking, 0b011), 0b011, true, false, open},
			{"a proof in place of a disproof", disproofPieces, proofOf(attacking, 0b011), 0b011, true, false, open},
			{"an entry that is open", proofPieces, window.Entry{Phi: 1, Delta: 1}, 0b011, true, false, open},
			{"the entry of another key", 0, proofOf(attacking, 0b011), 0b011, true, false, open},
			{"no board key", proofPieces, proofOf(attacking, 0), 0b011, false, false, open},
			{"solved before", disproofPieces, disproofOf(attacking, 0b011), 0b001, true, true, proved},
		} {
			g := newTree(nil)
			g.second = attacking // the attacker does not move before the child
			w := newWorker(t, handTree{g}, false)
			c0 := Child{Key: child, Phi: 3, Delta: 4, Hand: c.hand}
			key := uint64(board)
			if c.board {
				c0.BoardKey = board
			} else {
				key = 0
			}
			w.table.Store(key^c.mask, c.entry)
			if c.done {
				fill(&c0, proofOf(attacking, 0b001))
			}
			children := []Child{{Key: 5, Phi: 1, Delta: 1}, c0}
			w.probe(children)
			got := open
			switch {
			case !children[1].Solved():
			case (children[1].Phi == 0) == attacking:
				got = proved
			default:
				got = disproved
			}
			if got != c.want || children[0].Solved() {
				t.Errorf("attacking %v, %s: %+v", attacking, c.name, children[1])
			}
			if c.want != open && !c.done && (children[1].Hand != 0b011 || children[1].Work != 7) {
				t.Errorf("attacking %v, %s: hand %b, work %d", attacking, c.name, children[1].Hand, children[1].Work)
			}
			if e, ok := w.table.Probe(child); ok != (c.want != open && !c.done) || ok && e != c.entry {
				t.Errorf("attacking %v, %s: stored %v, %+v", attacking, c.name, ok, e)
			}
		}
	}
}

// TestStoreHand: a solved position is stored with its hand, once under its own key and once as the proof or
// the disproof of its board.
func TestStoreHand(t *testing.T) {
	const board, own = 0x1234567812345678, 0x7777777777777777
	for _, attacking := range []bool{true, false} {
		for _, won := range []bool{true, false} {
			for _, c := range []struct {
				board uint64
				open  bool
			}{{board, false}, {0, false}, {board, true}} {
				g := newTree(nil)
				g.second = !attacking
				w := newWorker(t, handTree{g}, false)
				node := Child{Key: own, BoardKey: c.board, Work: 9, Hint: 3, Plies: 4, Hand: 0b101}
				if node.Lose(); won {
					node.Win() // in the words of the move that leads here
				}
				want := handEntry(won, 0b101)
				if c.open {
					node.Phi, node.Delta = 5, 6
					want = window.Entry{Phi: 5, Delta: 6}
				}
				want.Work, want.Move, want.Plies = 9, 3, 4
				w.store(&node)
				for name, key := range map[string]uint64{"position": own, "proof": board ^ proofPieces,
					"disproof": board ^ disproofPieces} {
					expect := name == "position" || c.board != 0 && !c.open && (name == "proof") == (won == attacking)
					if e, ok := w.table.Probe(key); ok != expect || ok && e != want {
						t.Errorf("attacking %v, won %v, %+v, %s: stored %v, %+v, want %+v",
							attacking, won, c, name, ok, e, want)
					}
				}
				if c.board == 0 && w.table.Stores != 1 {
					t.Errorf("%d stores without a board key", w.table.Stores)
				}
				if _, ok := w.boardEntry(own); ok == c.open {
					t.Errorf("an entry counts as that of a board: %v, open %v", ok, c.open)
				}
			}
		}
	}
}

// TestProber: a Prober fills in a child from its entry, and says whether there is one.
func TestProber(t *testing.T) {
	w := newWorker(t, handTree{newTree(nil)}, false)
	p, ok := w.prober.(Prober)
	if !ok {
		t.Fatalf("%T", w.prober)
	}
	w.table.Store(7, window.Entry{Phi: 5, Delta: 6})
	c := Child{Key: 8, Phi: 1, Delta: 1}
	if p.Probe(&c) || c.Phi != 1 {
		t.Errorf("%+v", c)
	}
	if c.Key = 7; !p.Probe(&c) || c.Phi != 5 || c.Delta != 6 {
		t.Errorf("%+v", c)
	}
	before := w.table.Lookups // Expand has probed the children
	if w.probe([]Child{{Key: 7, Phi: 1, Delta: 1}, {Key: 8, Phi: 1, Delta: 1}}); w.table.Lookups != before {
		t.Errorf("%d lookups of children that were probed", w.table.Lookups-before)
	}
}

// TestHandOfRoot: the hand of a solved position is what the game says.
func TestHandOfRoot(t *testing.T) {
	g := handTree{newTree(map[uint64][]Child{1: {{Key: 2, Phi: 0, Delta: Infinity},
		{Key: 3, Phi: Infinity, Delta: 0}}})}
	w := newWorker(t, g, false)
	w.run(Child{Key: 1, Phi: 1, Delta: 1, BoardKey: 99})
	if e, ok := w.table.Probe(99 ^ proofPieces); !ok || e.Phi != 0 || handOf(e) != 0b101 || e.Move != 2 {
		t.Errorf("%v, %+v", ok, e)
	}
}
