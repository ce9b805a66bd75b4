package jobproof

// Stats is the state of a tree.
type Stats struct {
	Results   int    // that were taken over, those that arrived twice among them
	Nodes     uint64 // searched for these results
	Positions int    // in the tree
	Solved    int    // of these, by a search
	Goal      string // that is searched now
	Phi       uint32 // its proof number
	Delta     uint32 // its disproof number
	Confirmed int    // leaves of the solution
	Open      int    // leaves of the solution that are not confirmed
	Liars     []string
}

// Stats returns the state of the tree. It visits every position.
func (t *Tree) Stats() Stats {
	s := Stats{
		Results: t.results, Nodes: t.searched, Positions: len(t.nodes), Liars: t.Liars(),
	}
	for _, n := range t.nodes {
		if n.solved() {
			s.Solved++
		}
	}
	for i, root := range t.roots {
		s.Goal = t.problem.Goals[i]
		if s.Phi, s.Delta = sides(root.phi, root.delta, root.attacking); s.Delta != 0 {
			break
		}
	}
	for _, leaf := range t.solution() {
		if leaf.confirmed {
			s.Confirmed++
		} else {
			s.Open++
		}
	}
	return s
}
