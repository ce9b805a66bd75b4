package proof

// Numbers returns φ and δ of a position as they follow from its children.
func Numbers(children []Child, sum Sum) (phi, delta uint32) {
	w := worker{params: defaultParams}
	s := w.summariseBy(sum, children, false)
	return s.phi, s.delta
}

// Children returns the moves of a position that Evaluate does not solve, with what the table has on the
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
