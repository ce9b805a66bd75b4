package proof

import (
	"testing"

	"trefoil/window"
)

// limited is a tree with hands and a limit on the plies.
type limited struct {
	handTree
	plies           int
	word, childWord uint64
}

func (l limited) Limit() (plies int, word, childWord uint64) { return l.plies, l.word, l.childWord }

// TestLookup: a child takes the results for other limits that hold for its own, else its own entry, else, if it is long
// enough, the numbers without a limit.
func TestLookup(t *testing.T) {
	const child, word, limit = 0x7777777777777777, 0x1234567812345678, 6
	solved := func(won bool, plies uint16) window.Entry {
		e := handEntry(won, 0)
		e.Plies = plies
		return e
	}
	type entries = map[uint64]window.Entry
	const any, fails, own = child ^ word, child ^ word ^ failures, child
	numbers := window.Entry{Phi: 5, Delta: 6, Work: 9}
	for _, attacking := range []bool{true, false} { // in the child
		for _, c := range []struct {
			name  string
			limit int
			table entries
			want  uint64 // the key of the entry that is taken, 0: none
		}{
			{"nothing is known", limit, nil, 0},
			{"a proof that is short enough", limit, entries{any: solved(attacking, limit), own: numbers}, any},
			{"a proof that is too long", limit, entries{any: solved(attacking, limit+1)}, 0},
			{"a proof that is too long, and its own entry", limit, entries{any: solved(attacking, limit+1), own: numbers}, own},
			{"it fails without a limit", limit, entries{any: solved(!attacking, limit+1), own: numbers}, any},
			{"it fails with the same limit", limit, entries{fails: solved(!attacking, limit), own: numbers}, fails},
			{"it fails with a longer limit", limit, entries{fails: solved(!attacking, limit+1)}, fails},
			{"it fails with a shorter limit", limit, entries{fails: solved(!attacking, limit-1)}, 0},
			{"its own entry", limit, entries{own: numbers}, own},
			{"numbers without a limit", limit, entries{any: numbers}, any},
			{"numbers without a limit, and its own entry", limit, entries{any: numbers, own: solved(attacking, 3)}, own},
			{"numbers without a limit, three plies", 3, entries{any: numbers}, any},
			{"numbers without a limit, two plies", 2, entries{any: numbers}, 0},
		} {
			g := limited{handTree{newTree(nil)}, c.limit + 1, 99, word}
			g.second = attacking
			w := newWorker(t, g, false)
			w.setLimit()
			for key, e := range c.table {
				w.table.Store(key, e)
			}
			got := Child{Key: child, Phi: 1, Delta: 1, Work: 3}
			ok := w.prober.(Prober).Probe(&got)
			want := Child{Key: child, Phi: 1, Delta: 1, Work: 3}
			if c.want != 0 {
				fill(&want, c.table[c.want])
				if c.want == any && !want.Solved() {
					want.Work = 0 // it is not work with this limit
				}
			}
			if ok != (c.want != 0) || got != want {
				t.Errorf("attacking %v, %s: %v, %+v, want %+v", attacking, c.name, ok, got, want)
			}
		}
		// Without a limit there is only the entry of the child.
		w := newWorker(t, limited{handTree: handTree{newTree(nil)}}, false)
		w.setLimit()
		w.table.Store(child^failures, solved(!attacking, 100))
		if c := (Child{Key: child, Phi: 1, Delta: 1}); w.prober.(Prober).Probe(&c) || c.Solved() {
			t.Errorf("attacking %v, without a limit: %+v", attacking, c)
		}
	}
}

// TestStoreLimits: a proof is stored without a limit, for the position and its board, unless a shorter one is there; a
// failure with the longest limit.
func TestStoreLimits(t *testing.T) {
	const own, board, word, limit = 0x7777777777777777, 0x1111222233334444, 0x1234567812345678, 6
	entry := func(won bool, plies uint16) window.Entry {
		e := handEntry(won, 0b101)
		e.Plies = plies
		return e
	}
	for _, attacking := range []bool{true, false} {
		for _, c := range []struct {
			name    string
			proof   bool
			board   uint64
			word    uint64
			before  *window.Entry // under each key
			changes bool
		}{
			{"a proof", true, board, word, nil, true},
			{"a proof without a board", true, 0, word, nil, true},
			{"a proof, no limit", true, board, 0, nil, false},
			{"a proof after a longer one", true, board, word, &window.Entry{Phi: 0, Delta: Infinity, Plies: 6}, true},
			{"a proof after one as long", true, board, word, &window.Entry{Phi: 0, Delta: Infinity, Plies: 5}, false},
			{"a proof after a shorter one", true, board, word, &window.Entry{Phi: 0, Delta: Infinity, Plies: 4}, false},
			{"a proof after numbers", true, board, word, &window.Entry{Phi: 7, Delta: 7}, true},
			{"a failure", false, board, word, nil, true},
			{"a failure, no limit", false, board, 0, nil, false},
			{"a failure after one of a shorter limit", false, board, word, &window.Entry{Phi: Infinity, Delta: 0, Plies: limit - 1}, true},
			{"a failure after one of the same limit", false, board, word, &window.Entry{Phi: Infinity, Delta: 0, Plies: limit}, false},
			{"a failure after one of a longer limit", false, board, word, &window.Entry{Phi: Infinity, Delta: 0, Plies: limit + 1}, false},
		} {
			tree := newTree(nil)
			tree.second = !attacking
			w := newWorker(t, limited{handTree{tree}, limit, c.word, 99}, false)
			keys := map[string]uint64{"position": own ^ word, "board": board ^ word ^ proofPieces,
				"failure": own ^ word ^ failures}
			for _, key := range keys {
				if c.before != nil {
					w.table.Store(key, *c.before)
				}
			}
			won := c.proof == attacking
			node := Child{Key: own, BoardKey: c.board}
			if node.Lose(); won {
				node.Win()
			}
			e := entry(won, 5)
			w.storeLimits(&node, e)
			for name, key := range keys {
				want := c.before
				if c.changes && c.proof == (name != "failure") && (name != "board" || c.board != 0) {
					changed := e
					if !c.proof {
						changed.Plies = limit
					}
					want = &changed
				}
				if got, ok := w.table.Probe(key); ok != (want != nil) || ok && got != *want {
					t.Errorf("attacking %v, %s: %s has %v, %+v, want %+v", attacking, c.name, name, ok, got, want)
				}
			}
		}
	}
}

// kept is a tree whose results that depend on the path are kept.
type kept struct {
	*tree
	first uint64 // the key of the path at the root, 0 if there is none
}

func (k kept) PathKey() uint64 { return k.first }
func (k kept) SetRoot()        {}

// TestKeptLoops: a result that depends on the path is found again after the same moves, and after no others.
func TestKeptLoops(t *testing.T) {
	newKept := func(first uint64) *worker {
		w := newWorker(t, kept{newTree(nil), first}, false)
		w.shared.loops = new(loops)
		w.reset(w.goal, w.table, w.shared, w.params)
		return w
	}
	w := newKept(7)
	children := func() []Child {
		return []Child{{Key: 5, Phi: 1, Delta: 1, Plies: 9}, {Key: 6, Phi: 0, Delta: Infinity},
			{Key: 8, Phi: 1, Delta: 1}}
	}
	root := w.path
	w.path = w.pathTo(5)
	if w.recallLoops(children()); w.table.Lookups != 0 {
		t.Error("lookups before there is a result that depends on the path")
	}
	w.storeLoop(&Child{Key: 5, Phi: Infinity, Delta: 0, Work: 4, Hint: 3, Loop: 2, Plies: 11})
	if _, ok := w.table.Probe(5); ok {
		t.Error("the result is stored for every path")
	}
	w.path = root
	got := children()
	w.recallLoops(got)
	if want := (Child{Key: 5, Phi: Infinity, Delta: 0, Work: 4, Hint: 3, Loop: 2}); got[0] != want ||
		got[1] != children()[1] || got[2] != children()[2] {
		t.Errorf("%+v, want %+v", got, want)
	}
	w.table.Store(w.pathTo(8), window.Entry{Phi: 3, Delta: 4})
	w.table.Store(w.pathTo(6), handEntry(false, 0))
	if w.recallLoops(got); got[1] != children()[1] || got[2] != children()[2] {
		t.Errorf("a child that is solved, or an entry that is not: %+v", got)
	}
	w.path = w.pathTo(5)
	other := children()
	if w.recallLoops(other); other[0].Solved() {
		t.Error("the result is taken on another path")
	}
	none := newKept(0)
	if none.loops != nil {
		t.Error("a goal without paths keeps results")
	}
	if none.storeLoop(&Child{Key: 5, Phi: Infinity, Delta: 0, Loop: 2}); none.table.Stores != 0 {
		t.Errorf("%d stores", none.table.Stores)
	}
}

// TestSolveByHandWithin: with a limit the proof pieces without one serve if their proof is short enough, and the
// disproof pieces always.
func TestSolveByHandWithin(t *testing.T) {
	const board, word, limit = 0x1111222233334444, 0x1234567812345678, 6
	for _, attacking := range []bool{true, false} { // in the child
		for _, c := range []struct {
			name   string
			mask   uint64
			proof  bool
			plies  uint16
			hand   uint32
			solved bool
		}{
			{"a proof that is short enough", proofPieces, true, limit, 0b011, true},
			{"a proof that is too long", proofPieces, true, limit + 1, 0b011, false},
			{"a proof with other pieces", proofPieces, true, limit, 0b101, false},
			{"a disproof", disproofPieces, false, limit + 1, 0b001, true},
			{"a disproof with less", disproofPieces, false, limit + 1, 0b111, false},
			{"no entry", 0, true, limit, 0, false},
		} {
			g := limited{handTree{newTree(nil)}, limit + 1, 99, word}
			g.second = attacking
			w := newWorker(t, g, false)
			w.setLimit()
			e := handEntry(c.proof == attacking, 0b011)
			e.Plies = c.plies
			w.table.Store(board^word^c.mask, e)
			children := []Child{{Key: 5, BoardKey: board, Phi: 1, Delta: 1, Hand: c.hand}}
			if w.probe(children); children[0].Solved() != c.solved ||
				c.solved && (children[0].Phi == 0) != (c.proof == attacking) {
				t.Errorf("attacking %v, %s: %+v", attacking, c.name, children[0])
			}
		}
	}
}
