package proof

// Numbers returns φ and δ of a position as they follow from its children. added is the most that one child,
// beside the one of the greatest φ, adds to δ, as CappedGoal has it; 0 is no limit.
func Numbers(children []Child, added uint32) (phi, delta uint32) {
	if added == 0 {
		added = Infinity
	}
	w := worker{params: defaultParams}
	s := w.summariseCapped(children, uint64(added), false)
	return s.phi, s.delta
}

// Children returns the moves of a position that Evaluate does not solve, with what the table knows of the
// positions after them. It must not be called during a search.
func (s *Solver) Children(newGoal func() Goal) []Child {
	w := new(worker)
	w.reset(newGoal(), s.table.Handle(), &shared{inFlight: &s.inFlight, loops: &s.loops}, s.params)
	if w.lengths != nil {
		w.setLimit()
	}
	children := w.goal.Expand(nil, w.prober)
	w.probe(children)
	w.recallLoops(children)
	return children
}
