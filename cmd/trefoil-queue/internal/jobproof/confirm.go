package jobproof

import "slices"

// unconfirmed returns the path from n to a position that its solution rests on, that one worker alone has solved
// and that has no job, nil if there is none.
func (t *Tree) unconfirmed(n *node) []*node {
	t.serial++
	return t.openLeaf(n, nil)
}

func (t *Tree) openLeaf(n *node, path []*node) []*node {
	if n.confirmed || n.mark == t.serial {
		return nil
	}
	n.mark = t.serial
	path = append(path, n)
	if !n.derived {
		if n.busy {
			return nil
		}
		return path
	}
	for _, c := range n.reasons() {
		if found := t.openLeaf(c, path); found != nil {
			return found
		}
	}
	return nil
}

// reasons returns the children that solve a node: one that wins, preferably a confirmed one, or all.
func (n *node) reasons() (list []*node) {
	for i := range n.children {
		c := n.children[i].node
		switch {
		case n.phi != 0:
			list = append(list, c)
		case c.delta == 0 && (len(list) == 0 || c.confirmed && !list[0].confirmed):
			list = append(list[:0], c)
		}
	}
	return list
}

// solution returns the leaves of the solution of all goals that are solved, without those that the rules decide.
func (t *Tree) solution() (leaves []*node) {
	t.serial++
	for _, root := range t.roots {
		if root.solved() {
			leaves = t.appendLeaves(leaves, root)
		}
	}
	return leaves
}

func (t *Tree) appendLeaves(leaves []*node, n *node) []*node {
	if n.rule || n.mark == t.serial {
		return leaves
	}
	n.mark = t.serial
	if n.derived {
		for _, c := range n.reasons() {
			leaves = t.appendLeaves(leaves, c)
		}
		return leaves
	}
	return append(leaves, n)
}

// dispute returns a position about which workers contradict each other, nil if there is none without a job.
func (t *Tree) dispute() (first *node) {
	for n := range t.disputes {
		if !n.busy && (first == nil || n.key < first.key) {
			first = n
		}
	}
	return first
}

// accuse marks a worker as a liar, whose claims judge drops.
func (t *Tree) accuse(w *worker) {
	if !w.liar {
		w.liar = true
		t.accused = append(t.accused, w)
	}
}

// judge drops all that liars have said.
func (t *Tree) judge() {
	for len(t.accused) > 0 {
		w := t.accused[0]
		t.accused = t.accused[1:]
		for _, n := range t.nodes {
			t.drop(n, w)
		}
		t.recompute()
	}
}

// drop takes back what a worker has said of a node, and its children if no other worker has asked for them.
func (t *Tree) drop(n *node, w *worker) {
	kept := slices.DeleteFunc(n.claims, func(c claim) bool { return c.worker == w })
	if len(kept) == len(n.claims) && n.best.worker != w {
		return
	}
	n.claims = kept
	if n.best.worker == w {
		n.best = claim{}
	}
	if n.expanded && !slices.ContainsFunc(n.claims, func(c claim) bool { return !c.solved() }) {
		for _, e := range n.children {
			e.node.parents = slices.DeleteFunc(e.node.parents, func(p *node) bool { return p == n })
		}
		n.expanded, n.children = false, nil
	}
	t.touch(n)
}

// Liars returns the names of the workers that have sent false results, sorted.
func (t *Tree) Liars() (names []string) {
	for _, w := range t.workers {
		if w.liar {
			names = append(names, w.name)
		}
	}
	slices.Sort(names)
	return names
}
