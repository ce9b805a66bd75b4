package proof

// summary has the numbers of a position, computed from its children.
type summary struct {
	phi, delta uint32 // of the position
	second     uint32 // δ of the second best child
	best       int    // the child of least δ, -1 if there is none
}

// Sum says how the φ of the children other than the greatest add to δ of a position.
type Sum struct {
	Share uint32 // of their sum, in 1/16
	Most  uint32 // that one child adds; 0: no limit
}

// DefaultSum is the Sum of a Goal that is not a SumGoal.
var DefaultSum = Sum{Share: uint32(defaultParams.share)}

// SumGoal is a Goal with sums of its own. Most is for games with long lines that part and meet again. Where they meet,
// δ counts what lies behind once for every line, so it multiplies from place to place until it saturates at Infinity-1.
// With a limit each line adds at most that much.
type SumGoal interface {
	Goal
	// Sum returns the Sum for the attacker's positions, or for the defender's.
	Sum(attacking bool) Sum
}

// summarise computes the numbers of a position. If other threads search here too, best and second
// go by virtual numbers: a child with threads below it counts as worse.
func (w *worker) summarise(children []Child, parallel bool) summary {
	how := Sum{Share: uint32(w.params.share)}
	if w.sums != nil {
		how = w.sums.Sum(w.goal.Attacking())
	}
	return w.summariseBy(how, children, parallel)
}

// summariseBy is summarise with a given sum.
func (w *worker) summariseBy(how Sum, children []Child, parallel bool) summary {
	added := uint64(how.Most)
	if added == 0 {
		added = Infinity
	}
	s := summary{phi: Infinity, second: Infinity, best: -1}
	var sum, most uint64 // of φ
	least := uint32(Infinity)
	for i := range children {
		c := &children[i]
		if c.Delay > 0 && !c.Solved() && delayed(c, children[:i]) {
			continue
		}
		delta := c.Delta
		s.phi = min(s.phi, delta)
		sum += min(uint64(c.Phi), added)
		most = max(most, uint64(c.Phi))
		if c.Phi == 0 {
			continue
		}
		if parallel {
			delta = w.virtualDelta(c)
		}
		if delta < least || s.best < 0 {
			s.second, least, s.best = least, delta, i
		} else {
			s.second = min(s.second, delta)
		}
	}
	if s.phi == 0 {
		s.delta = Infinity
	} else { // 0 if all moves lose
		s.delta = uint32(min(most+(sum-min(most, added))*uint64(how.Share)/16, Infinity-1))
	}
	return s
}

// delayed reports whether a child with a Delay has to wait for a child before it.
func delayed(c *Child, before []Child) bool {
	for i := len(before) - 1; i >= 0; i-- {
		b := &before[i]
		if !b.Solved() && (c.Delay == UntilSolved || b.Work < uint64(c.Delay)) {
			return true
		}
		if b.Delay == 0 {
			return false
		}
	}
	return false
}

// phiThreshold returns the threshold of φ for a child: the φ that brings δ of the position to its
// threshold.
func phiThreshold(s *summary, phi, tDelta uint32) uint32 {
	others := uint64(s.delta) - min(uint64(phi), uint64(s.delta))
	return uint32(min(max(uint64(tDelta)-min(others, uint64(tDelta)), uint64(phi)+1), Infinity))
}

// deltaThreshold returns the threshold of δ for a child if the next best child has delta: 1+ε times
// as much, which saves switching between children of about equal numbers (Pawlewicz, Lew 2007).
func (w *worker) deltaThreshold(delta uint32) uint32 {
	d := uint64(delta)
	return uint32(min(max(d+1, d+d*w.params.epsilon/16), Infinity))
}

// virtualDelta returns δ of a child, with a virtual loss for every thread below it.
func (w *worker) virtualDelta(c *Child) uint32 {
	n := w.shared.inFlight.below(c.Key)
	if n == 0 || c.Delta == 0 {
		return c.Delta
	}
	d := uint64(c.Delta)
	return uint32(min(d+(d*w.params.virtualLoss/16+1)*uint64(n), Infinity-1))
}
