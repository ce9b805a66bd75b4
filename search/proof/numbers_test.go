package proof

import "testing"

// Children for tables: of a position that is open, won or lost for its player to move.
func open(phi, delta uint32) Child { return Child{Phi: phi, Delta: delta} }
func lost() (c Child)              { c.Lose(); return c }
func won() (c Child)               { c.Win(); return c }

// later returns c, delayed until the one before it is solved.
func later(c Child) Child { c.Delay = UntilSolved; return c }

// searched returns c with nodes below it, and patient c with that as its delay.
func searched(c Child, work uint64) Child { c.Work = work; return c }
func patient(c Child, work uint16) Child  { c.Delay = work; return c }

// TestSummarise: the numbers of a position and its two best children, from the numbers of its children.
func TestSummarise(t *testing.T) {
	const most = Infinity - 1
	w := worker{params: defaultParams} // δ is the greatest φ and 12/16 of the others
	for _, c := range []struct {
		name     string
		children []Child
		want     summary
	}{
		{"no moves", nil, summary{Infinity, 0, Infinity, -1}},
		{"one move", []Child{open(3, 5)}, summary{5, 3, Infinity, 0}},
		{"three moves", []Child{open(3, 5), open(4, 2), open(10, 7)}, summary{2, 15, 5, 1}},
		{"the best first", []Child{open(1, 2), open(1, 3), open(1, 9)}, summary{2, 2, 3, 0}},
		{"the best last", []Child{open(1, 9), open(1, 3), open(1, 2)}, summary{2, 2, 3, 2}},
		{"of equal ones the first", []Child{open(1, 9), open(1, 4), open(1, 4)}, summary{4, 2, 4, 1}},
		{"a losing move", []Child{won(), open(5, 6)}, summary{6, 5, Infinity, 1}},
		{"only losing moves", []Child{won(), won()}, summary{Infinity, 0, Infinity, -1}},
		{"a winning move", []Child{open(3, 5), lost()}, summary{0, Infinity, 5, 1}},
		{"a winning and a losing move", []Child{lost(), won()}, summary{0, Infinity, Infinity, 0}},
		{"the greatest numbers", []Child{open(most, 1), open(most, most)}, summary{1, most, most, 0}},
		{"no better than the greatest", []Child{open(1, most)}, summary{most, 1, Infinity, 0}},
		{"a delayed move", []Child{open(3, 5), later(open(4, 2))}, summary{5, 3, Infinity, 0}},
		{"a delayed move, enough work before it", []Child{searched(open(3, 5), 9), patient(open(4, 2), 9)}, summary{2, 6, 5, 1}},
		{"a delayed move, its turn", []Child{won(), later(open(4, 2))}, summary{2, 4, Infinity, 1}},
		{"a delayed move that wins", []Child{open(3, 5), later(lost())}, summary{0, Infinity, 5, 1}},
	} {
		if got := w.summarise(c.children, false); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// side is a goal with a given side to move and given sums. The attacker's sum has a cap.
type side struct {
	Goal
	attacking bool
	most      uint32
}

func (s side) Attacking() bool { return s.attacking }

func (s side) Sum(attacking bool) Sum {
	if attacking {
		return Sum{Share: 12, Most: s.most}
	}
	return Sum{Share: 4}
}

// TestSums: with a cap no move of the attacker but the greatest adds more to δ, and the defender's have another share.
func TestSums(t *testing.T) {
	for _, c := range []struct {
		most      uint32
		attacking bool
		phis      []uint32
		delta     uint32
	}{
		{100, true, []uint32{40, 16, 20}, 40 + 27},
		{100, true, []uint32{1000, 16, 32}, 1000 + 36},
		{100, true, []uint32{1000, 1000, 32}, 1000 + 75 + 24},
		{100, true, []uint32{1000, 100, 101}, 1000 + 150},
		{100, true, []uint32{100, 100}, 175},
		{100, false, []uint32{1000, 1000, 400}, 1350},
		{0, true, []uint32{1000, 1000}, 1750},
		{100, true, []uint32{Infinity - 1, Infinity - 1}, Infinity - 1},
	} {
		goal := side{attacking: c.attacking, most: c.most}
		w := worker{params: defaultParams, goal: goal, sums: goal}
		var children []Child
		for _, phi := range c.phis {
			children = append(children, open(phi, 5))
		}
		if got := w.summarise(children, false); got.delta != c.delta || got.phi != 5 {
			t.Errorf("cap %d, attacking %v, %v: %+v, not %d", c.most, c.attacking, c.phis, got, c.delta)
		}
	}
}

// TestDelayed: a delayed child waits for the children of its group that come before it, and for no others,
// until they are solved or have as much work as it is delayed by.
func TestDelayed(t *testing.T) {
	for _, c := range []struct {
		name   string
		delay  uint16
		before []Child
		want   bool
	}{
		{"the first of all", UntilSolved, nil, false},
		{"the head of the group is open", UntilSolved, []Child{open(1, 1)}, true},
		{"the head is lost", UntilSolved, []Child{lost()}, false},
		{"the head is won", UntilSolved, []Child{won()}, false},
		{"an open child before the head", UntilSolved, []Child{open(1, 1), won()}, false},
		{"the one before it is open", UntilSolved, []Child{won(), later(open(1, 1))}, true},
		{"the one before it is solved", UntilSolved, []Child{won(), later(won())}, false},
		{"the head is open, those between are solved", UntilSolved, []Child{open(1, 1), later(won()), later(won())}, true},
		{"all before it are solved and delayed", UntilSolved, []Child{later(won()), later(won())}, false},
		{"much work below the head", UntilSolved, []Child{searched(open(1, 1), 1<<40)}, true},
		{"too little work", 100, []Child{searched(open(1, 1), 99)}, true},
		{"enough work", 100, []Child{searched(open(1, 1), 100)}, false},
		{"enough work, but not at the head", 100, []Child{searched(open(1, 1), 99), later(searched(open(1, 1), 100))}, true},
	} {
		if got := delayed(&Child{Delay: c.delay}, c.before); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestVirtualLoss: each thread below a child adds an eighth of its δ and one more. What is proved stays proved, and
// what is not stays below Infinity. The numbers of the position are not virtual, only the choice of the child.
func TestVirtualLoss(t *testing.T) {
	const busy, free = uint64(5) << 60, uint64(6) << 60
	w := worker{params: defaultParams, shared: &shared{inFlight: new(inFlight)}}
	for _, c := range []struct {
		delta   uint32
		threads int
		want    uint32
	}{
		{16, 0, 16}, {16, 1, 19}, {16, 2, 22}, {1, 3, 4}, {0, 2, 0}, {Infinity - 1, 1, Infinity - 1},
	} {
		for range c.threads {
			w.shared.inFlight.enter(busy)
		}
		if got := w.virtualDelta(&Child{Key: busy, Delta: c.delta}); got != c.want {
			t.Errorf("δ %d, %d threads: %d, want %d", c.delta, c.threads, got, c.want)
		}
		if got := w.virtualDelta(&Child{Key: free, Delta: c.delta}); got != c.delta {
			t.Errorf("δ %d: %d with no thread below it", c.delta, got)
		}
		for range c.threads {
			w.shared.inFlight.leave(busy)
		}
	}
	w.shared.inFlight.enter(busy)
	children := []Child{{Key: busy, Phi: 4, Delta: 16}, {Key: free, Phi: 8, Delta: 18}}
	if got, want := w.summarise(children, true), (summary{16, 11, 19, 1}); got != want {
		t.Errorf("%+v with a thread below the best child, want %+v", got, want)
	}
	if got, want := w.summarise(children, false), (summary{16, 11, 18, 0}); got != want {
		t.Errorf("%+v without threads, want %+v", got, want)
	}
}

// TestInFlight: every key has a count. Keys share one if they agree in the highest bits, and only then.
func TestInFlight(t *testing.T) {
	const unit = 1 << (64 - inFlightBits)
	f := new(inFlight)
	for _, key := range []uint64{0, unit, 3 * unit, 1<<64 - 1} {
		f.enter(key)
		f.enter(key ^ 1)
		for other, want := range map[uint64]int32{key: 2, key ^ (unit - 1): 2, key ^ unit: 0, key ^ 1<<63: 0} {
			if got := f.below(other); got != want {
				t.Errorf("%#x: %d threads below %#x, want %d", key, got, other, want)
			}
		}
		f.leave(key)
		if got := f.below(key); got != 1 {
			t.Errorf("%#x: %d threads after one has left", key, got)
		}
		f.leave(key)
	}
}

// TestThresholds: a child is searched until the position exceeds its own thresholds, or until another child is better
// by ε, 6/16.
func TestThresholds(t *testing.T) {
	for _, c := range []struct{ delta, phi, tDelta, want uint32 }{
		{20, 8, 30, 18},                           // the others are 12
		{20, 8, 20, 9},                            // at least one more than now
		{100, 8, 30, 9},                           // the others alone exceed the threshold
		{20, 30, 50, 50},                          // φ of a child may be more than δ of the position
		{8, 8, Infinity, Infinity},                // no limit
		{9, 8, Infinity, Infinity - 1},            //
		{Infinity - 1, Infinity, 1, Infinity},     // no more than Infinity
		{Infinity - 1, Infinity - 1, 1, Infinity}, //
		{Infinity - 1, 5, Infinity - 1, 6},        //
	} {
		if got := phiThreshold(&summary{delta: c.delta}, c.phi, c.tDelta); got != c.want {
			t.Errorf("φ %d of a child of δ %d and threshold %d: %d, want %d", c.phi, c.delta, c.tDelta, got, c.want)
		}
	}
	w := worker{params: defaultParams}
	for delta, want := range map[uint32]uint32{0: 1, 1: 2, 2: 3, 3: 4, 16: 22, 1000: 1375, 700_000_000: 962_500_000,
		800_000_000: Infinity, Infinity: Infinity} {
		if got := w.deltaThreshold(delta); got != want {
			t.Errorf("next best δ %d: %d, want %d", delta, got, want)
		}
	}
	for _, c := range []struct {
		last Child
		phi  uint32
		tPhi uint32
		want bool
	}{
		{open(1, 21), 16, Infinity, true}, {open(1, 22), 16, Infinity, false}, {open(1, 19), 16, 20, true}, {open(1, 20), 16, 20, false},
		{won(), 16, Infinity, false}, {lost(), 16, Infinity, false},
	} {
		if got := w.stay(&c.last, &summary{phi: c.phi}, c.tPhi); got != c.want {
			t.Errorf("to stay with δ %d, best %d, threshold %d: %v", c.last.Delta, c.phi, c.tPhi, got)
		}
	}
}
